/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic by its symbols.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_ARITHMETIC_HPP
#define BROADLOOM_CXX_ARITHMETIC_HPP

#include <broadloom/cxx/operators.hpp>

#if BROADLOOM_EXCEPTIONS

BROADLOOM_BEGIN

/*
 * a + b, a - b, a * b, a / b and a % b are add, sub, mul, div and remainder in the
 * default context, -a is neg and ~a bitwise_not: new tensors, each computed at once.
 * One side is a tensor, the other one anything that an operand is made of.
 *
 * a += b and the like are add_inplace: they write the elements of `a`, which other
 * handles and views share, and keep its shape and dtype.  `a` may be a view that was
 * just made: x.select(0, 1) += 2.
 *
 * As in PyTorch, / of integers is a quotient in f32, and % has the divisor's sign.
 * There are no comparisons by symbols: a == b that is a tensor would break what the
 * standard library does with ==; call eq, lt, ...  Symbols have no std::error_code to
 * set, so compiled without exceptions there are none.
 */
#define BROADLOOM_SYMBOL(symbol, name)                                                 \
    [[nodiscard]] BROADLOOM_INLINE tensor operator symbol(const tensor &a,             \
                                                          const tensor &b)             \
    {                                                                                  \
        return name(a, b);                                                             \
    }                                                                                  \
    [[nodiscard]] BROADLOOM_INLINE tensor operator symbol(const tensor &a,             \
                                                          const operand &b)            \
    {                                                                                  \
        return name(a, b);                                                             \
    }                                                                                  \
    [[nodiscard]] BROADLOOM_INLINE tensor operator symbol(const operand &a,            \
                                                          const tensor &b)             \
    {                                                                                  \
        return name(a, b);                                                             \
    }                                                                                  \
    BROADLOOM_INLINE const tensor &operator symbol##=(const tensor &a,                 \
                                                      const operand &b)                \
    {                                                                                  \
        name##_inplace(a, b);                                                          \
        return a;                                                                      \
    }
BROADLOOM_SYMBOL(+, add)
BROADLOOM_SYMBOL(-, sub)
BROADLOOM_SYMBOL(*, mul)
BROADLOOM_SYMBOL(/, div)
BROADLOOM_SYMBOL(%, remainder)
#undef BROADLOOM_SYMBOL

[[nodiscard]] BROADLOOM_INLINE tensor operator-(const tensor &a)
{
    return neg(a);
}
[[nodiscard]] BROADLOOM_INLINE tensor operator~(const tensor &a)
{
    return bitwise_not(a);
}

BROADLOOM_END

#endif

#endif
