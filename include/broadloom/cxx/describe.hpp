/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How elements in memory become a bl_array: nothing here is for programs to use.  Part
 * of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_DESCRIBE_HPP
#define BROADLOOM_CXX_DESCRIBE_HPP

#include <broadloom/cxx/dtype.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

BROADLOOM_BEGIN

namespace detail
{

/* A scalar: a number with a dtype. */
template <class T>
inline constexpr bool is_number = dtype_v<T> != BL_DTYPE_NONE &&
                                  (std::is_arithmetic_v<T> ||
                                   !std::is_void_v<typename part_of<T>::type>);

/* For unsigned numbers, of which i64 has half the range: their bits, and their dtype.
 */
BROADLOOM_INLINE bl_scalar with_dtype(bl_scalar scalar, bl_dtype dtype) noexcept
{
    scalar.dtype = dtype;
    return scalar;
}
template <class T> BROADLOOM_INLINE bl_scalar scalar(const T &number) noexcept
{
    if constexpr (std::is_same_v<T, bool>)
        return bl_scalar_bool(number);
    else if constexpr (std::is_integral_v<T>)
        return with_dtype(bl_scalar_i64(static_cast<std::int64_t>(number)),
                          dtype_v<T> == BL_DTYPE_U64 ? BL_DTYPE_U64 : BL_DTYPE_I64);
    else if constexpr (std::is_arithmetic_v<T>)
        return bl_scalar_f64(static_cast<double>(number));
    else
        return bl_scalar_c128(static_cast<double>(number.real()),
                              static_cast<double>(number.imag()));
}

/* ---- an mdspan ---- */

template <class T> using handle_t = decltype(std::declval<T &>().data_handle());

template <class T, class = void> struct is_mdspan : std::false_type {
};
template <class T>
struct is_mdspan<T, std::void_t<handle_t<T>, decltype(std::declval<T &>().extent(0)),
                                decltype(T::rank())>> : std::is_pointer<handle_t<T>> {
};

/* Its elements are those in memory: no accessor scales or conjugates them. */
template <class T, class = void> struct reads_memory : std::true_type {
};
template <class T>
struct reads_memory<T, std::void_t<typename T::reference>>
    : std::is_same<typename T::reference, decltype(*std::declval<handle_t<T>>())> {
};

/* Its layout has strides, whatever its extents. */
template <class T, class = void> struct has_strides : std::true_type {
};
template <class T>
struct has_strides<T, std::void_t<decltype(T::is_always_strided())>>
    : std::bool_constant<T::is_always_strided()> {
};

/* ---- a container, or a C array ---- */

template <class T> using data_t = decltype(std::data(std::declval<T &>()));

/*
 * Its elements may lie apart, as those of a row in a matrix of Eigen, unless the type
 * says that they do not.
 */
template <class T, class = void> struct is_dense : std::false_type {
};
template <class T>
struct is_dense<T, std::enable_if_t<T::InnerStrideAtCompileTime == 1>>
    : std::true_type {
};
template <class T, class = void> struct has_gaps : std::false_type {
};
template <class T>
struct has_gaps<T, std::void_t<decltype(std::declval<const T &>().innerStride())>>
    : std::negation<is_dense<T>> {
};

/* What begin() returns steps through elements of this type, in constant time. */
template <class I, class T, class = void> struct steps_through : std::false_type {
};
template <class I, class T>
struct steps_through<I, T, std::void_t<typename std::iterator_traits<I>::value_type>>
    : std::bool_constant<
          std::is_same_v<typename std::iterator_traits<I>::value_type, T> &&
          std::is_base_of_v<std::random_access_iterator_tag,
                            typename std::iterator_traits<I>::iterator_category>> {
};

/* Its data() and size() are those of a range: of more dimensions there is no begin().
 */
template <class T, class = void> struct is_container : std::false_type {
};
template <class T>
struct is_container<
    T, std::void_t<data_t<T>, decltype(std::size(std::declval<const T &>())),
                   decltype(std::end(std::declval<T &>()))>>
    : std::bool_constant<
          std::is_pointer_v<data_t<T>> && !has_gaps<T>::value &&
          steps_through<decltype(std::begin(std::declval<T &>())),
                        std::remove_cv_t<std::remove_pointer_t<data_t<T>>>>::value> {
};

/* The pointer to the elements of any of them; void of other types. */
template <class T> constexpr auto pointer_of() noexcept
{
    if constexpr (std::is_array_v<T>)
        return static_cast<std::remove_all_extents_t<T> *>(nullptr);
    else if constexpr (is_mdspan<T>::value)
        return static_cast<handle_t<T>>(nullptr);
    else if constexpr (is_container<T>::value)
        return static_cast<data_t<T>>(nullptr);
}
template <class T> using element_t = std::remove_pointer_t<decltype(pointer_of<T>())>;

template <class T>
inline constexpr bool is_described = dtype_v<element_t<T>> != BL_DTYPE_NONE;

/* Of an argument that is bound to T &&: elements of a temporary must not be its own. */
template <class T>
using seen_t = std::conditional_t<std::is_lvalue_reference_v<T>,
                                  std::remove_reference_t<T>, const T>;
template <class T>
inline constexpr bool is_mutable =
    is_described<seen_t<T>> && !std::is_const_v<element_t<seen_t<T>>>;

/* A container with elements of its own, given as a temporary or by std::move. */
template <class T>
inline constexpr bool owns_elements =
    !std::is_reference_v<T> && is_mutable<T &> && !is_mutable<T>;

/* The dtype of T, which has one. */
template <class T> constexpr bl_dtype checked_dtype() noexcept
{
    static_assert(dtype_v<T> != BL_DTYPE_NONE, "a type without a dtype");
    return dtype_v<T>;
}
template <class T> inline constexpr bl_dtype known_dtype = checked_dtype<T>();

/* Address of the first element of a C array of any rank. */
template <class T> constexpr T *first(T &element) noexcept
{
    return &element;
}
template <class T, std::size_t N> constexpr auto *first(T (&array)[N]) noexcept
{
    return first(array[0]);
}

/* An array, and room for its extents and strides. */
class described
{
protected:
    described() noexcept = default;
    ~described() = default;

    template <class T> BROADLOOM_INLINE void describe(T &elements) noexcept
    {
        if constexpr (std::is_array_v<T>) {
            fill_extents<T>(dims_);
            set(first(elements), std::rank_v<T>, nullptr);
        } else if constexpr (is_mdspan<T>::value) {
            describe_mdspan(elements);
        } else {
            dims_[0] = static_cast<std::int64_t>(std::size(elements));
            set(std::data(elements), 1, nullptr);
        }
    }

    bl_array described_;

private:
    template <class T> static void fill_extents(std::int64_t *extent) noexcept
    {
        *extent = static_cast<std::int64_t>(std::extent_v<T>);
        if constexpr (std::rank_v < T >> 1)
            fill_extents<std::remove_extent_t<T>>(extent + 1);
    }

    template <class T> BROADLOOM_INLINE void describe_mdspan(T &elements) noexcept
    {
        constexpr std::size_t rank = T::rank();

        static_assert(rank <= BL_MAX_RANK, "more than BL_MAX_RANK dimensions");
        static_assert(reads_memory<T>::value, "an mdspan with an accessor of its own");
        static_assert(has_strides<T>::value, "an mdspan whose layout has no strides");
        if constexpr (rank > 0) {
            for (std::size_t axis = 0; axis < rank; axis++) {
                dims_[axis] = static_cast<std::int64_t>(elements.extent(axis));
                dims_[rank + axis] = static_cast<std::int64_t>(elements.stride(axis));
            }
        }
        set(elements.data_handle(), rank, dims_ + rank);
    }

    template <class T>
    BROADLOOM_INLINE void set(T *data, std::size_t rank,
                              const std::int64_t *stride) noexcept
    {
        described_.data = const_cast<std::remove_cv_t<T> *>(data);
        described_.dtype = dtype_v<T>;
        described_.rank = static_cast<std::int32_t>(rank);
        described_.extent = dims_;
        described_.stride = stride;
        described_.flags = std::is_const_v<T> ? BL_ARRAY_READ_ONLY : 0;
    }

    std::int64_t dims_[2 * BL_MAX_RANK];
};

} // namespace detail

BROADLOOM_END

#endif
