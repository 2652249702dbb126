/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory behind a pointer as an operand or a result, where a program has no mdspan.
 * Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_VIEW_HPP
#define BROADLOOM_CXX_VIEW_HPP

#include <broadloom/cxx/describe.hpp>

#include <array>

BROADLOOM_BEGIN

/*
 * A non-owning view of elements in memory, as an mdspan.  What view() returns: copied
 * freely, valid as long as the elements.
 */
template <class T, std::size_t Rank> class memory_view
{
public:
    using numbers = std::array<std::int64_t, Rank>;

    memory_view(T *data, const numbers &extent, const numbers &stride) noexcept
        : data_(data), extent_(extent), stride_(stride)
    {
    }
    static constexpr std::size_t rank() noexcept
    {
        return Rank;
    }
    T *data_handle() const noexcept
    {
        return data_;
    }
    std::int64_t extent(std::size_t axis) const noexcept
    {
        return extent_[axis];
    }
    std::int64_t stride(std::size_t axis) const noexcept
    {
        return stride_[axis];
    }

private:
    T *data_;
    numbers extent_, stride_;
};

/*
 * A view of compact row-major memory: view(pointer, extents...), so that
 *
 *     add_out(view(c, n, m), view(a, n, m), view(b, m));
 *
 * adds b to each row of a.  Elements behind a pointer to const are read alone.
 */
template <class T, class... N>
BROADLOOM_INLINE auto view(T *data, N... shape) noexcept
    -> std::enable_if_t<(detail::is_integer<N> && ...), memory_view<T, sizeof...(N)>>
{
    constexpr std::size_t rank = sizeof...(N);
    const std::array<std::int64_t, rank> extent = {
        {static_cast<std::int64_t>(shape)...}};
    std::array<std::int64_t, rank> stride = {};
    std::uint64_t step = 1; /* what overflows is refused by the call */

    for (std::size_t axis = rank; axis-- > 0;) {
        stride[axis] = static_cast<std::int64_t>(step);
        step *= static_cast<std::uint64_t>(extent[axis]);
    }
    return {data, extent, stride};
}

namespace detail
{

/* An integer of any type. */
struct whole {
    std::int64_t value;

    template <class N, std::enable_if_t<is_integer<N>, int> = 0>
    whole(N number) noexcept : value(static_cast<std::int64_t>(number))
    {
    }
};

/* As many integers, of a list or an array of C. */
template <std::size_t Rank> class wholes
{
public:
    using type = wholes; /* of which Rank is not deduced */

    template <class... N,
              std::enable_if_t<sizeof...(N) == Rank && (is_integer<N> && ...), int> = 0>
    wholes(N... numbers) noexcept : item_{{static_cast<std::int64_t>(numbers)...}}
    {
    }
    template <class N> wholes(const N (&list)[Rank]) noexcept
    {
        for (std::size_t axis = 0; axis < Rank; axis++)
            item_[axis] = whole(list[axis]).value;
    }
    const std::array<std::int64_t, Rank> &get() const noexcept
    {
        return item_;
    }

private:
    std::array<std::int64_t, Rank> item_;
};

} // namespace detail

/*
 * A view with strides, which count elements: view(pointer, {n, m}, {ld, 1}), of
 * integers of any type.
 */
template <class T, class N, std::size_t Rank,
          std::enable_if_t<std::is_convertible_v<N, detail::whole>, int> = 0>
memory_view<T, Rank> view(T *data, const N (&shape)[Rank],
                          const typename detail::wholes<Rank>::type &strides) noexcept
{
    return {data, detail::wholes<Rank>(shape).get(), strides.get()};
}
template <class T, std::size_t Rank>
memory_view<T, Rank> view(T *data, const detail::whole (&shape)[Rank],
                          const typename detail::wholes<Rank>::type &strides) noexcept
{
    return view<T, detail::whole>(data, shape, strides);
}

BROADLOOM_END

#endif
