/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dtypes of C++ types.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_DTYPE_HPP
#define BROADLOOM_CXX_DTYPE_HPP

#include <broadloom/cxx/config.hpp>

#include <type_traits>
#include <utility>

BROADLOOM_BEGIN

namespace detail
{

/* Integers by their size and sign: long and long long are one dtype. */
constexpr bl_dtype dtype_of_integer(std::size_t bytes, bool is_signed) noexcept
{
    return bytes == 1   ? (is_signed ? BL_DTYPE_I8 : BL_DTYPE_U8)
           : bytes == 2 ? (is_signed ? BL_DTYPE_I16 : BL_DTYPE_U16)
           : bytes == 4 ? (is_signed ? BL_DTYPE_I32 : BL_DTYPE_U32)
           : bytes == 8 ? (is_signed ? BL_DTYPE_I64 : BL_DTYPE_U64)
                        : BL_DTYPE_NONE;
}

template <class T, class... Others>
inline constexpr bool is_any = (std::is_same_v<T, Others> || ...);

/* Characters are no numbers: char, whose sign differs between machines, is not i8. */
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> &&
#ifdef __cpp_char8_t
                                   !std::is_same_v<T, char8_t> &&
#endif
                                   !is_any<T, bool, char, wchar_t, char16_t, char32_t>;

/* A complex number of any library: real(), imag(), and memory for two value_type. */
template <class T, class = void> struct part_of {
    using type = void;
};
template <class T>
struct part_of<
    T, std::void_t<typename T::value_type, decltype(std::declval<const T &>().real()),
                   decltype(std::declval<const T &>().imag())>> {
    using type = std::conditional_t<sizeof(T) == 2 * sizeof(typename T::value_type) &&
                                        std::is_trivially_copyable_v<T>,
                                    typename T::value_type, void>;
};

template <class T> constexpr bl_dtype dtype_of_type() noexcept
{
    using part = typename part_of<T>::type;

    if constexpr (std::is_same_v<T, bool>)
        return sizeof(bool) == 1 ? BL_DTYPE_BOOL : BL_DTYPE_NONE;
    else if constexpr (is_integer<T>)
        return dtype_of_integer(sizeof(T), std::is_signed_v<T>);
    else if constexpr (std::is_same_v<T, float>)
        return BL_DTYPE_F32;
    else if constexpr (std::is_same_v<T, double>)
        return BL_DTYPE_F64;
#ifdef __STDCPP_FLOAT16_T__
    else if constexpr (std::is_same_v<T, decltype(0.0f16)>)
        return BL_DTYPE_F16;
#endif
#ifdef __STDCPP_BFLOAT16_T__
    else if constexpr (std::is_same_v<T, decltype(0.0bf16)>)
        return BL_DTYPE_BF16;
#endif
    else if constexpr (std::is_same_v<part, float>)
        return BL_DTYPE_C64;
    else if constexpr (std::is_same_v<part, double>)
        return BL_DTYPE_C128;
    else
        return BL_DTYPE_NONE;
}

} // namespace detail

/*
 * The dtype of a C++ type: bool; integers by their size and sign; float and double; the
 * complex types of std, Kokkos and others; std::float16_t and std::bfloat16_t where
 * there are any.  BL_DTYPE_NONE for every other type: char, long double, enumerations.
 * A program gives its own type a dtype with the same bits in memory by a
 * specialisation, before its first use:
 *
 *     template <>
 *     struct broadloom::dtype_of<half>
 *         : std::integral_constant<bl_dtype, BL_DTYPE_F16> {
 *     };
 */
template <class T>
struct dtype_of : std::integral_constant<bl_dtype, detail::dtype_of_type<T>()> {
};

/* The dtype of a type that may be const. */
template <class T>
inline constexpr bl_dtype dtype_v = dtype_of<std::remove_cv_t<T>>::value;

BROADLOOM_END

#endif
