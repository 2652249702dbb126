/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls take: operands and results, extents and axes.  All are made implicitly, of
 * what a program has, for the length of one call.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_OPERAND_HPP
#define BROADLOOM_CXX_OPERAND_HPP

#include <broadloom/cxx/describe.hpp>
#include <broadloom/cxx/dtype.hpp>

#include <initializer_list>
#include <limits>

BROADLOOM_BEGIN

class tensor;

/*
 * An input of a call:
 *
 *   - a tensor, or a bl_array
 *   - an mdspan of std, Kokkos or another library: extent(), stride() and
 * data_handle(), which is a pointer, and a rank() known at compile time; view(pointer,
 * n, m)
 *   - a std::vector, std::array, std::span or another contiguous container, by its
 *     data() and size(), with begin() and end(): one dimension
 *   - a C array, with all of its dimensions
 *   - {1.0, 2.0, 3.0}: one dimension
 *   - a number, real or complex: a scalar, which changes the dtype of the result only
 *     where its category is higher (<broadloom/scalar.h>): u8 and 2 give u8
 *
 * Elements have the dtype of their C++ type (dtype_of); a type without one does not
 * compile.  Nothing is copied: an operand refers to elements that must outlive it, and
 * it is neither copied nor kept.  get() is valid as long as the operand: with
 * `operand(x).get()` an argument, functions of the C interface take what calls take.
 */
class operand : detail::described
{
public:
    operand(const operand &) = delete;
    operand &operator=(const operand &) = delete;

    operand(const bl_array &array) noexcept : array_(&array)
    {
    }
    BROADLOOM_INLINE operand(const tensor &from) noexcept;

    template <class T, std::enable_if_t<detail::is_number<T>, int> = 0>
    BROADLOOM_INLINE operand(const T &number) noexcept
        : scalar_(detail::scalar(number)), array_(&described_)
    {
        described_ = bl_scalar_array(&scalar_);
    }

    template <class T, std::enable_if_t<detail::is_described<const T>, int> = 0>
    BROADLOOM_INLINE operand(const T &elements) noexcept : array_(&described_)
    {
        describe(elements);
    }

    template <class T, std::enable_if_t<dtype_v<T> != BL_DTYPE_NONE, int> = 0>
    BROADLOOM_INLINE operand(std::initializer_list<T> elements) noexcept
        : array_(&described_)
    {
        describe(elements);
    }

    /* The operand as the C interface takes it; NULL for an empty tensor. */
    const bl_array *get() const noexcept
    {
        return array_;
    }

private:
    bl_scalar scalar_;
    const bl_array *array_;
};

/*
 * The result of a call, or the operand of one in place: what an operand is made of,
 * less numbers and lists.  Elements that are const do not compile, nor does a container
 * that ends with the call, as a std::vector that is returned by a function: a std::span
 * or an mdspan may be such a temporary.  A tensor or a bl_array that is read-only is
 * refused with errc::argument.
 */
class result : detail::described
{
public:
    result(const result &) = delete;
    result &operator=(const result &) = delete;

    result(const bl_array &array) noexcept : array_(&array)
    {
    }
    BROADLOOM_INLINE result(const tensor &from) noexcept;

    template <class T, std::enable_if_t<detail::is_mutable<T>, int> = 0>
    BROADLOOM_INLINE result(T &&elements) noexcept : array_(&described_)
    {
        describe(elements);
    }

    /* The result as the C interface takes it; NULL for an empty tensor. */
    const bl_array *get() const noexcept
    {
        return array_;
    }

private:
    const bl_array *array_;
};

namespace detail
{

/* What is wrong with integers: too many, or one below or above the range of T. */
enum class misfit : unsigned char { none, many, below, above };

/* Say what was given.  `call` is refused; NULL: the call of the last error. */
template <class T>
BROADLOOM_OUTLINE bl_status refuse_integers(bl_status status, misfit why,
                                            std::uint64_t given,
                                            const char *call) noexcept
{
    constexpr bool is_axis = std::is_same_v<T, std::int32_t>;
    const auto number = static_cast<unsigned long long>(given);
    bl_error_info info = {};

    info.size = sizeof info;
    if (!call)
        call = bl_error_query(&info) == BL_OK ? info.function : "";
    if (why == misfit::many)
        return bl_error_set(status, "%s(): %llu %s, at most %d", call, number,
                            is_axis ? "axes" : "extents", BL_MAX_RANK);
    return bl_error_set(status, "%s(): %s %s%llu is not within %lld to %lld", call,
                        is_axis ? "axis" : "extent", why == misfit::below ? "-" : "",
                        why == misfit::below ? -number : number,
                        static_cast<long long>(std::numeric_limits<T>::min()),
                        static_cast<long long>(std::numeric_limits<T>::max()));
}

/*
 * Up to BL_MAX_RANK integers, as {2, n}, 3, or a container of integers.  Types do not
 * matter; a number that does not fit, and the last where there are more, is replaced by
 * one that every call refuses, and the error says what was given.
 */
template <class T> class integers
{
public:
    integers() noexcept = default;

    template <class... N,
              std::enable_if_t<(is_integer<N> && ...) && sizeof...(N) != 0, int> = 0>
    integers(N... numbers) noexcept
    {
        (put(numbers), ...);
        static_assert(sizeof...(N) <= BL_MAX_RANK, "more than BL_MAX_RANK dimensions");
    }

    template <class C,
              std::enable_if_t<
                  is_integer<std::remove_cv_t<std::remove_pointer_t<data_t<const C>>>>,
                  int> = 0>
    integers(const C &numbers) noexcept
    {
        std::uint64_t given = 0;

        for (const auto number : numbers)
            if (given++ < BL_MAX_RANK)
                put(number);
        if (given > BL_MAX_RANK)
            spoil(item_[BL_MAX_RANK - 1], misfit::many, given);
    }

    /* `count` of them, at most BL_MAX_RANK. */
    integers(const T *first, std::int32_t count) noexcept : count_(count)
    {
        for (std::int32_t k = 0; k < count; k++)
            item_[k] = first[k];
    }

    const T *data() const noexcept
    {
        return item_;
    }
    std::int32_t count() const noexcept
    {
        return count_;
    }

    /* As a range: for (const auto n : x.shape()), x.shape()[0]. */
    std::size_t size() const noexcept
    {
        return static_cast<std::size_t>(count_);
    }
    const T *begin() const noexcept
    {
        return item_;
    }
    const T *end() const noexcept
    {
        return item_ + count_;
    }
    T operator[](std::size_t at) const noexcept
    {
        return item_[at];
    }

    /* The status of a call with them, whose error says what is wrong with them. */
    bl_status explain(bl_status status, const char *call = nullptr) const noexcept
    {
        return status == BL_OK || misfit_ == misfit::none
                   ? status
                   : refuse_integers<T>(status, misfit_, given_, call);
    }
    /* Whether there are not too many, and all fit. */
    bool fit() const noexcept
    {
        return misfit_ == misfit::none;
    }

    friend bool operator==(const integers &a, const integers &b) noexcept
    {
        bool equal = a.count_ == b.count_;

        for (std::int32_t k = 0; equal && k < a.count_; k++)
            equal = a.item_[k] == b.item_[k];
        return equal;
    }
    friend bool operator!=(const integers &a, const integers &b) noexcept
    {
        return !(a == b);
    }

private:
    template <class N> void put(N number) noexcept
    {
        const T item = static_cast<T>(number);
        bool fits = static_cast<N>(item) == number;
        misfit why = misfit::above;

        if constexpr (!std::is_signed_v<N>)
            fits = fits && item >= 0;
        else
            why = number < 0 ? misfit::below : why;
        item_[count_++] = item;
        if (!fits)
            spoil(item_[count_ - 1], why, static_cast<std::uint64_t>(number));
    }
    void spoil(T &item, misfit why, std::uint64_t given) noexcept
    {
        item = std::numeric_limits<T>::min();
        misfit_ = why;
        given_ = given;
    }

    T item_[BL_MAX_RANK];
    std::int32_t count_ = 0;
    misfit misfit_ = misfit::none;
    std::uint64_t given_ = 0;
};

} // namespace detail

/* Extents of a shape, as {2, n}, n, or a container of integers; {} has rank 0. */
using extents = detail::integers<std::int64_t>;

/*
 * Axes, as {0, -1}, 0, or a container of integers; negative ones count from the end.
 * For reductions {} stands for all axes.
 */
using axes = detail::integers<std::int32_t>;

/* Whether dimensions that are reduced stay, with extent 1. */
enum class keepdim : bool { no, yes };

BROADLOOM_END

#endif
