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

/* A view with strides, which count elements: view(pointer, {n, m}, {ld, 1}). */
template <class T, std::size_t Rank>
memory_view<T, Rank> view(T *data, const std::int64_t (&shape)[Rank],
                          const std::int64_t (&strides)[Rank]) noexcept
{
    std::array<std::int64_t, Rank> extent, stride;

    for (std::size_t axis = 0; axis < Rank; axis++) {
        extent[axis] = shape[axis];
        stride[axis] = strides[axis];
    }
    return {data, extent, stride};
}

BROADLOOM_END

#endif
