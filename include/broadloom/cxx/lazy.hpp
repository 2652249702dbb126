/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole expressions that are evaluated when they are asked for.  Part of
 * <broadloom/broadloom.hpp>.
 *
 *     const bl::lazy::expr d = x - bl::lazy::mean(x, -1, bl::keepdim::yes);
 *     const bl::tensor y = d / 2.0;                       // evaluated here, as one
 *     std::tie(y, z) = bl::lazy::eval({d, bl::lazy::abs(d)});
 *
 * Experimental until 1.0, as <broadloom/expr.h>, which says what an evaluation is: the
 * bits of the same calls, all written or nothing.
 */
#ifndef BROADLOOM_CXX_LAZY_HPP
#define BROADLOOM_CXX_LAZY_HPP

#include <broadloom/cxx/lazy_build.hpp>

#if __cplusplus >= 202002L
#include <iterator> /* std::ranges::enable_borrowed_range */
#endif

BROADLOOM_BEGIN

namespace lazy
{

/*
 * Whether objects of a type refer to elements that outlive them, so that a temporary
 * one may be part of an expression: mdspans and view(), and in C++20 borrowed ranges,
 * as std::span.  A program says so of a type of its own by a specialisation:
 *
 *     template <> struct broadloom::lazy::is_borrowed<row> : std::true_type {
 *     };
 */
template <class T>
struct is_borrowed : std::bool_constant<
#ifdef __cpp_lib_ranges
                         std::ranges::enable_borrowed_range<T> ||
#endif
                         (broadloom::detail::is_mdspan<T>::value &&
                          !broadloom::detail::owns_elements<T>)> {
};

namespace detail
{

/* Elements in memory that do not end with the statement. */
template <class T> using bare = std::remove_reference_t<T>;
template <class T>
inline constexpr bool is_view = broadloom::detail::is_described<const bare<T>> &&
                                (std::is_lvalue_reference_v<T> ||
                                 is_borrowed<std::remove_cv_t<T>>::value);

} // namespace detail

/*
 * An expression: a handle on what is to be computed, which holds its operands.
 * Operators and functions of expressions make new ones and compute nothing.  An
 * expression is made implicitly of
 *
 *   - a tensor, of which it holds a reference
 *   - elements in memory, as of an operand (operand.hpp): it keeps where they are, and
 *     reads them when it is evaluated, so they must outlive its evaluations and stay
 *     where they are.  A temporary that is not known to refer to elements of another
 *     object (is_borrowed) does not compile.
 *   - a number, a scalar as in calls
 *
 * so that `auto` keeps no reference to anything else.  At least one side of an operator
 * is an expression: lazy::expr(x) - mean.  As of tensors, there are no comparisons by
 * symbols, and += and the like do not compile.
 *
 * Numbers among themselves are computed in f32, as calls compute them, and text in f64:
 * lazy::sqrt(2.0) * lazy::expr(v) of doubles is v times 1.41421354.  Compute numbers
 * before, std::sqrt(2.0) * lazy::expr(v), or make one an f64 array of rank 0, which f32
 * arrays stay f32 with: lazy::sqrt(lazy::expr(tensor::full<double>({}, 2.0))).  A
 * number wraps to integers that it does not fit in: lazy::expr(u) + 300 of u8 adds 44,
 * as add(u, 300) does; text refuses it.
 *
 * To make an expression of three operators and evaluate it costs several microseconds,
 * and evaluating it again about 0.2: of small arrays keep the expression, a formula or
 * a plan outside of loops.
 *
 * Copies share what they refer to.  What an operation is wrong for is refused when it
 * is evaluated, with the error of the call that it stands for; making one throws
 * std::bad_alloc at most.  Evaluating an expression again does not build it again.
 * Threads may evaluate one expression at once.
 */
class expr
{
public:
    expr() noexcept = default; /* empty: it is refused when it is evaluated */
    expr(const tensor &from) : expr(from, BL_OK)
    {
    }
    template <class T, std::enable_if_t<detail::is_view<T>, int> = 0>
    expr(T &&elements) : expr(*operand(elements).get())
    {
    }
    expr(const bl_array &array) : expr(tensor(), BL_OK)
    {
        bl_tensor *view = nullptr;

        if (node_) {
            node_->status = bl_tensor_wrap(nullptr, &array, nullptr, nullptr, &view);
            node_->leaf = tensor::adopt(view);
            if (node_->status != BL_OK)
                node_->refusal = detail::last_error();
        }
    }
    template <class T,
              std::enable_if_t<broadloom::detail::is_number<std::decay_t<T>>, int> = 0>
    expr(const T &number) : expr(detail::kind::number, 0)
    {
        if (!node_)
            return;
        node_->number = broadloom::detail::scalar(number);
    }
    expr(const expr &other) noexcept : node_(detail::retain(other.node_))
    {
    }
    expr(expr &&other) noexcept : node_(std::exchange(other.node_, nullptr))
    {
    }
    expr &operator=(expr other) &noexcept
    {
        std::swap(node_, other.node_);
        return *this;
    }
    ~expr()
    {
        detail::release(node_);
    }

    /* Any operator or reduction by its number; a conversion. */
    template <class... E> static expr apply(bl_op op, const E &...in)
    {
        static_assert(sizeof...(E) <= detail::node::MOST, "more operands than any has");
        return expr(detail::kind::apply, op, in...);
    }
    static expr reduce(bl_reduction op, const expr &in, const axes &over = {},
                       keepdim keep = keepdim::no, double correction = 1)
    {
        expr made(detail::kind::reduce, op, in);

        if (made.node_) {
            made.node_->over = over;
            made.node_->keep = keep;
            made.node_->correction = correction;
        }
        return made;
    }
    static expr cast(const expr &in, bl_dtype dtype)
    {
        return expr(detail::kind::cast, dtype, in);
    }

    /* Evaluate into a new tensor. */
    [[nodiscard]] BROADLOOM_INLINE tensor eval(with how = {}) const
    {
        bl_tensor *out = nullptr;
        const detail::graph *graph = nullptr;
        bl_status status = whole(how.ctx(), "expr::eval", graph);

        if (status == BL_OK)
            status = graph->run_new(how.ctx(), &out);
        how.check(status);
        return tensor::adopt(out);
    }
    /* Evaluate into `out`, of exactly the result's shape, which may be an operand. */
    BROADLOOM_INLINE void eval_out(const result &out, with how = {}) const
    {
        const bl_array *const outs[] = {out.get()};
        const detail::graph *graph = nullptr;
        bl_status status = whole(how.ctx(), "expr::eval_out", graph);

        if (status == BL_OK)
            status = graph->run(how.ctx(), outs);
        how.check(status);
    }
#if BROADLOOM_EXCEPTIONS
    /* Evaluate where a tensor is wanted: y = x - mean. */
    BROADLOOM_INLINE operator tensor() const
    {
        return eval();
    }
#endif

    /* The node, for the functions of this header; borrowed. */
    const detail::node *get() const noexcept
    {
        return node_;
    }

private:
    template <class... E>
    expr(detail::kind kind, int what, const E &...in)
        : node_(new (std::nothrow) detail::node)
    {
        const expr *const from[] = {&in..., nullptr};

        if (!node_) {
            if constexpr (BROADLOOM_EXCEPTIONS)
                broadloom::detail::raise(BL_ERR_MEMORY);
            return;
        }
        node_->kind = kind;
        node_->what = what;
        for (; from[node_->count]; node_->count++)
            node_->argument[node_->count] = detail::retain(from[node_->count]->node_);
    }
    expr(const tensor &leaf, bl_status status) : expr(detail::kind::input, 0)
    {
        if (node_) {
            node_->leaf = leaf;
            node_->status = status;
        }
    }

    /* The graph of this expression alone, made once. */
    bl_status whole(bl_context *ctx, const char *call,
                    const detail::graph *&graph) const noexcept
    {
        std::unique_ptr<detail::graph> made;
        detail::graph *known =
            node_ ? node_->whole.load(std::memory_order_acquire) : nullptr;

        graph = known;
        if (known)
            return BL_OK;

        const bl_status status = detail::build(ctx, call, 1, &node_, made);

        if (status == BL_OK && node_->whole.compare_exchange_strong(
                                   known, made.get(), std::memory_order_acq_rel,
                                   std::memory_order_acquire))
            known = made.release();
        graph = known;
        return status;
    }

    detail::node *node_ = nullptr;
};

[[nodiscard]] inline expr cast(const expr &from, bl_dtype dtype)
{
    return expr::cast(from, dtype);
}
template <class T> [[nodiscard]] expr cast(const expr &from)
{
    return expr::cast(from, broadloom::detail::known_dtype<T>);
}

/* ---- symbols ---- */

/* As of tensors (arithmetic.hpp), but of an expression on either side. */
#define BROADLOOM_LAZY_SYMBOL(symbol, op)                                              \
    [[nodiscard]] inline expr operator symbol(const expr &a, const expr &b)            \
    {                                                                                  \
        return expr::apply(op, a, b);                                                  \
    }                                                                                  \
    [[nodiscard]] inline expr operator symbol(const tensor &a, const expr &b)          \
    {                                                                                  \
        return expr::apply(op, expr(a), b);                                            \
    }                                                                                  \
    [[nodiscard]] inline expr operator symbol(const expr &a, const tensor &b)          \
    {                                                                                  \
        return expr::apply(op, a, expr(b));                                            \
    }                                                                                  \
    void operator symbol##=(const expr &a, const expr &b) = delete;
BROADLOOM_LAZY_SYMBOL(+, BL_OP_ADD)
BROADLOOM_LAZY_SYMBOL(-, BL_OP_SUB)
BROADLOOM_LAZY_SYMBOL(*, BL_OP_MUL)
BROADLOOM_LAZY_SYMBOL(/, BL_OP_DIV)
BROADLOOM_LAZY_SYMBOL(%, BL_OP_REMAINDER)
#undef BROADLOOM_LAZY_SYMBOL

[[nodiscard]] inline expr operator-(const expr &a)
{
    return expr::apply(BL_OP_NEG, a);
}
[[nodiscard]] inline expr operator~(const expr &a)
{
    return expr::apply(BL_OP_BITWISE_NOT, a);
}

} // namespace lazy

BROADLOOM_END

#endif
