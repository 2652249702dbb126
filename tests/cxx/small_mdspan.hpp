/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As much of an mdspan as operands are made of, where the standard library has none:
 * small::mdspan<double, small::extents<int, 2, small::dynamic>, small::layout_stride>.
 */
#ifndef SMALL_MDSPAN_HPP
#define SMALL_MDSPAN_HPP

#include <array>
#include <cstddef>

namespace small
{

inline constexpr std::size_t dynamic = static_cast<std::size_t>(-1);

template <class Index, std::size_t... E> class extents
{
public:
    using index_type = Index;
    using rank_type = std::size_t;
    using values = std::array<Index, sizeof...(E)>;

    static constexpr rank_type rank() noexcept
    {
        return sizeof...(E);
    }
    static constexpr std::size_t static_extent(rank_type r) noexcept
    {
        return std::array<std::size_t, sizeof...(E) + 1>{{E..., 0}}[r];
    }
    constexpr extents() : extent_{{static_cast<Index>(E)...}}
    {
    }
    constexpr explicit extents(const values &extent) : extent_(extent)
    {
    }
    constexpr Index extent(rank_type r) const noexcept
    {
        return extent_[r];
    }

private:
    values extent_;
};

struct layout_right {
    template <class E> class mapping
    {
    public:
        static constexpr bool is_always_strided() noexcept
        {
            return true;
        }
        constexpr mapping() = default;
        constexpr mapping(const E &extents) : extents_(extents)
        {
        }
        constexpr const E &extents() const noexcept
        {
            return extents_;
        }
        constexpr typename E::index_type stride(std::size_t r) const noexcept
        {
            typename E::index_type step = 1;

            for (std::size_t d = r + 1; d < E::rank(); d++)
                step *= extents_.extent(d);
            return step;
        }

    private:
        E extents_;
    };
};

struct layout_stride {
    template <class E> class mapping
    {
    public:
        static constexpr bool is_always_strided() noexcept
        {
            return true;
        }
        constexpr mapping() = default;
        constexpr mapping(const E &extents, const typename E::values &stride)
            : extents_(extents), stride_(stride)
        {
        }
        constexpr const E &extents() const noexcept
        {
            return extents_;
        }
        constexpr typename E::index_type stride(std::size_t r) const noexcept
        {
            return stride_[r];
        }

    private:
        E extents_;
        typename E::values stride_ = {};
    };
};

/* One without strides. */
struct layout_tiled {
    template <class E> class mapping : public layout_right::mapping<E>
    {
    public:
        using layout_right::mapping<E>::mapping;
        static constexpr bool is_always_strided() noexcept
        {
            return false;
        }
    };
};

template <class T, class E, class Layout = layout_right, class Reference = T &>
class mdspan
{
public:
    using element_type = T;
    using extents_type = E;
    using mapping_type = typename Layout::template mapping<E>;
    using reference = Reference;
    using index_type = typename E::index_type;

    static constexpr std::size_t rank() noexcept
    {
        return E::rank();
    }
    static constexpr bool is_always_strided() noexcept
    {
        return mapping_type::is_always_strided();
    }
    constexpr mdspan() = default;
    constexpr mdspan(T *data, const mapping_type &mapping)
        : data_(data), mapping_(mapping)
    {
    }
    constexpr T *data_handle() const noexcept
    {
        return data_;
    }
    constexpr index_type extent(std::size_t r) const noexcept
    {
        return mapping_.extents().extent(r);
    }
    constexpr index_type stride(std::size_t r) const noexcept
    {
        return mapping_.stride(r);
    }

private:
    T *data_ = nullptr;
    mapping_type mapping_;
};

} // namespace small

#endif
