/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What operands and results are made of: their dtypes, shapes and strides, the weight
 * of numbers, and, at compile time, what they are not made of.
 */
#include "check.hpp"
#include "small_mdspan.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>
#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if __has_include(<span>)
#include <span>
#endif

/* Half precision of a program's own. */
struct half {
    std::uint16_t bits;
};
template <>
struct broadloom::dtype_of<half> : std::integral_constant<bl_dtype, BL_DTYPE_F16> {
};

namespace
{

/* ---- at compile time ---- */

template <class T>
inline constexpr bool is_operand = std::is_constructible_v<bl::operand, T>;
template <class T>
inline constexpr bool is_result = std::is_constructible_v<bl::result, T>;
using doubles = std::vector<double>;
using square = small::extents<int, 2, 2>;

static_assert(is_operand<doubles &> && is_operand<const doubles &> &&
              is_operand<doubles>);
static_assert(is_operand<const double (&)[2][3]> && is_operand<const bl_array &>);
static_assert(is_operand<int> && is_operand<const bool &> && is_operand<unsigned long>);
static_assert(is_operand<std::complex<float>> && is_operand<half (&)[4]>);
static_assert(!is_operand<std::string> && !is_operand<const char (&)[4]> &&
              !is_operand<char>);
static_assert(!is_operand<double *> && !is_operand<std::nullptr_t> &&
              !is_operand<long double>);
static_assert(!is_operand<std::vector<bool> &> &&
              !is_operand<std::vector<std::string> &>);
static_assert(!is_operand<bl::context &> && !is_operand<std::complex<long double>>);
static_assert(!std::is_copy_constructible_v<bl::operand>);

static_assert(is_result<doubles &> && is_result<double (&)[2][3]>);
static_assert(is_result<bl::tensor> && is_result<const bl::tensor &>);
static_assert(is_result<small::mdspan<double, square>>);
static_assert(is_result<const small::mdspan<double, square> &>);
static_assert(!is_result<const doubles &> && !is_result<doubles> &&
              !is_result<const doubles>);
static_assert(!is_result<const double (&)[2]> &&
              !is_result<std::array<const double, 2> &>);
static_assert(!is_result<small::mdspan<const double, square>>);
static_assert(!is_result<bl::memory_view<const double, 2>> &&
              is_result<bl::memory_view<int, 0>>);
static_assert(!is_result<double> && !is_result<double &> &&
              !is_result<std::complex<float> &>);
static_assert(!is_result<std::initializer_list<double> &>);
#ifdef __cpp_lib_span
static_assert(is_operand<std::span<const double>> && is_result<std::span<double, 3>>);
static_assert(is_result<const std::span<double> &> &&
              !is_result<std::span<const double>>);
#endif

/* A tensor converts to no number or boolean, and there is no == of tensors. */
template <class T, class = void> struct has_equal : std::false_type {
};
template <class T>
struct has_equal<T, std::void_t<decltype(std::declval<T>() == std::declval<T>())>>
    : std::true_type {
};
template <class T, class = void> struct has_less : std::false_type {
};
template <class T>
struct has_less<T, std::void_t<decltype(std::declval<T>() < std::declval<T>())>>
    : std::true_type {
};
template <class T, class = void> struct has_plus : std::false_type {
};
template <class T>
struct has_plus<T, std::void_t<decltype(std::declval<T>() + std::declval<T>())>>
    : std::true_type {
};
static_assert(!has_equal<bl::tensor>::value && !has_less<bl::tensor>::value);
static_assert(has_plus<bl::tensor>::value && !has_plus<doubles>::value);
static_assert(!std::is_convertible_v<bl::tensor, bool> &&
              !std::is_convertible_v<bl::tensor, double>);
static_assert(std::is_same_v<decltype(std::declval<bl::tensor>() + 1), bl::tensor>);
static_assert(std::is_nothrow_move_constructible_v<bl::tensor> &&
              std::is_nothrow_copy_constructible_v<bl::tensor> &&
              std::is_nothrow_copy_constructible_v<bl::error>);
static_assert(!std::is_copy_constructible_v<bl::context>);

static_assert(bl::dtype_v<long> == BL_DTYPE_I64 &&
              bl::dtype_v<long long> == BL_DTYPE_I64);
static_assert(bl::dtype_v<const unsigned char> == BL_DTYPE_U8 &&
              bl::dtype_v<signed char> == BL_DTYPE_I8);
static_assert(bl::dtype_v<std::complex<double>> == BL_DTYPE_C128);
static_assert(bl::dtype_v<long double> == BL_DTYPE_NONE &&
              bl::dtype_v<half *> == BL_DTYPE_NONE);

/* ---- descriptions ---- */

/* The notation of an operand, as "f32[2,3]". */
std::string text(const bl::operand &x)
{
    std::string all = x.get()->flags & BL_ARRAY_SCALAR ? "scalar " : "";

    if (bl_array_describe(
            x.get(),
            [](void *to, const char *piece, std::size_t length) {
                static_cast<std::string *>(to)->append(piece, length);
                return true;
            },
            &all) != BL_OK)
        return bl_error_message();
    return all;
}

void try_memory()
{
    doubles v = {1, 2, 3};
    const std::array<std::uint8_t, 2> a = {{1, 2}};
    std::complex<float> c[4][1][2] = {};
    half h[3] = {};
    const auto list = {1.5F, 2.5F};

    check(text(v) == "f64[3]" && bl::operand(v).get()->data == v.data(), "a vector");
    check(text(doubles()) == "f64[0]", "an empty vector");
    check(text(a) == "u8[2]" && (bl::operand(a).get()->flags & BL_ARRAY_READ_ONLY),
          "a const array");
    check(text(c) == "c64[4,1,2]" && bl::operand(c).get()->data == c, "an array of C");
    check(text(h) == "f16[3]", "a type with a dtype given by the program");
    check(text(list) == "f32[2]" && text({1L, 2L, 3L}) == "i64[3]", "a list");
    check(!(bl::result(v).get()->flags & BL_ARRAY_READ_ONLY), "a result");
#ifdef __cpp_lib_span
    check(text(std::span(v).first(2)) == "f64[2]", "a span");
    bl::add_out(std::span(v), v, 1);
    check(v[2] == 4, "a span that is a temporary as a result");
#endif
    check(bl::operand(bl::tensor()).get() == nullptr, "an empty tensor");
}

void try_numbers()
{
    const std::vector<std::uint8_t> bytes = {1, 2};
    const std::vector<float> floats = {1, 2};
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

    check(text(true) == "scalar bool[]" && text(2) == "scalar i64[]" &&
              text(2.5F) == "scalar f64[]" && text(short{2}) == "scalar i64[]" &&
              text(std::complex<float>(1, 2)) == "scalar c128[]",
          "numbers are scalars");
    check(bl::add(bytes, 300).dtype() == BL_DTYPE_U8 &&
              bl::add(bytes, 0.5).dtype() == BL_DTYPE_F32 &&
              bl::mul(floats, 0.1).dtype() == BL_DTYPE_F32 &&
              bl::mul(floats, bytes.size()).dtype() == BL_DTYPE_F32 &&
              bl::add(bytes, std::complex<double>(0, 1)).dtype() == BL_DTYPE_C64 &&
              bl::add(bytes, true).dtype() == BL_DTYPE_U8,
          "they change the dtype by their category alone");
    check(has(bl::add(bytes, 2), {3, 4}) && has(bl::sub(1, floats), {0, -1}), "values");
    check(has(bl::mul(floats, most), {0x1p64, 0x1p65}), "a number above i64");
    check(has(bl::imag(bl::mul(floats, std::complex<float>(0, 3))), {3, 6}), "complex");
}

void try_pointers()
{
    double a[6] = {1, 2, 3, 4, 5, 6}, c[6] = {};
    const double b[3] = {10, 20, 30};
    const std::size_t n = 2;
    const int m = 3;

    bl::add_out(bl::view(c, n, m), bl::view(a, n, m), bl::view(b, m));
    check(has(bl::copy(c), {11, 22, 33, 14, 25, 36}), "views of pointers");
    check(text(bl::view(b)) == "f64[]" && text(bl::view(b, 0, 5)) == "f64[0,5]" &&
              text(bl::view(a, {3, 2}, {1, 3})) == "f64[3,2]{1,3}",
          "views of rank 0, without elements, with strides");
    std::size_t rows = n, row = 3;
    const int pair[] = {2, 1};
    const std::int64_t shape[] = {2, 2};

    check(text(bl::view(a, {rows, row}, {row + 1, std::size_t{1}})) ==
                  "f64[2,3]{4,1}" &&
              text(bl::view(b, {rows, 1}, {row, 1})) == "f64[2,1]{3,1}" &&
              text(bl::view(a, shape, {row, 1})) == "f64[2,2]{3,1}" &&
              text(bl::view(a, {rows, row}, pair)) == "f64[2,3]{2,1}" &&
              text(bl::view(a, {rows}, {-2})) == "f64[2]{-2}",
          "integers of any type");
    bl::neg_inplace(bl::view(a + 1, {n, 1}, {m, 1}));
    check(has(bl::copy(a), {1, -2, 3, 4, -5, 6}), "a column in place");
    refused(bl::errc::overflow, "bl_neg(a f64[", [&] {
        (void)bl::neg(bl::view(a, std::int64_t{1} << 40, std::int64_t{1} << 40));
    });
    refused(bl::errc::argument, "bl_neg(a f64[",
            [&] { (void)bl::neg(bl::view(a, -1)); });
}

/* An mdspan of any library: the layouts of rows, of strides, and rank 0. */
template <template <class, class, class> class Mdspan, class Fixed, class Half,
          class Dynamic, class None, class Right, class Stride>
void try_mdspan(const std::string &what)
{
    double m[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const typename Stride::template mapping<Dynamic> columns(
        Dynamic(std::array<int, 2>{{3, 2}}), std::array<int, 2>{{1, 6}});
    const Mdspan<double, Dynamic, Stride> turned(m, columns);
    const Mdspan<const double, Dynamic, Stride> constant(m, columns);
    const Mdspan<double, Fixed, Right> rows(m, Fixed());
    const Mdspan<double, None, Right> none(m + 5, None());

    check(text(rows).substr(0, 8) == "f64[3,4]", what + " of fixed extents");
    check(text(turned) == "f64[3,2]{1,6}", what + " with strides: " + text(turned));
    check(bl::operand(constant).get()->flags == BL_ARRAY_READ_ONLY, what + " of const");
    check(text(none) == "f64[]" && has(bl::neg(none), {-5}), what + " of rank 0");
    bl::add_inplace(turned, {100, 200});
    check(m[0] == 100 && m[8] == 208 && m[3] == 3, what + " written in place");

    using seen = Mdspan<double, Dynamic, Stride>;
    using fixed = Mdspan<const double, Half, Stride>;
    const bl::tensor x = bl::tensor::arange<double>(0, 12).reshape({3, 4});
    const seen y = x.transpose(0, 1).template as<seen>();

    check(y.extent(0) == 4 && y.extent(1) == 3 && y.stride(0) == 1 &&
              y.stride(1) == 4 && y.data_handle() == x.data<double>(),
          what + " over a tensor");
    refused(bl::errc::shape, "tensor::as(): an mdspan of rank 2 for f64[12]",
            [&] { (void)x.view(12).template as<seen>(); });
    refused(bl::errc::shape, "tensor::as(): another extent than f64[3,4] has",
            [&] { (void)x.template as<fixed>(); });
    refused(bl::errc::unsupported, "no mdspan has the strides of f64[3,4]{4,-1}",
            [&] { (void)x.flip(1).template as<seen>(); });
    refused(bl::errc::dtype, "elements of f32[3,4] are not f64",
            [&] { (void)bl::cast<float>(x).template as<seen>(); });
}

template <class T, class E, class L> using small_mdspan = small::mdspan<T, E, L>;
#ifdef __cpp_lib_mdspan
template <class T, class E, class L> using std_mdspan = std::mdspan<T, E, L>;
#endif

void try_extents()
{
    const std::vector<std::size_t> shape = {2, 3};
    const std::size_t n = 4;

    check(bl::tensor::zeros<float>(shape).extent(1) == 3, "extents of a vector");
    check(bl::tensor::zeros<float>({n, 2U, 3L}).numel() == 24,
          "of integers of any type");
    check(bl::tensor::zeros<float>({}).rank() == 0, "of none");
    refused(bl::errc::argument, "bl_tensor_zeros(", [] {
        (void)bl::tensor::zeros<float>(std::numeric_limits<std::uint64_t>::max());
    });
    refused(bl::errc::argument, "bl_tensor_view(", [] {
        (void)bl::tensor::zeros<float>(3).view(
            std::numeric_limits<std::uint64_t>::max());
    });
    refused(bl::errc::argument, "bl_tensor_zeros(", [] {
        (void)bl::tensor::zeros<float>(std::vector<int>(BL_MAX_RANK + 1, 1));
    });
    refused(bl::errc::argument, "bl_sum(",
            [] { (void)bl::sum(bl::tensor::zeros<float>(3), std::int64_t{1} << 32); });
    refused(bl::errc::argument, "bl_sum(", [] {
        (void)bl::sum(bl::tensor::zeros<float>(3),
                      std::vector<int>(BL_MAX_RANK + 1, 0));
    });
}

} // namespace

int main()
{
    try_memory();
    try_numbers();
    try_pointers();
    try_mdspan<small_mdspan, small::extents<int, 3, 4>,
               small::extents<int, small::dynamic, 5>,
               small::extents<int, small::dynamic, small::dynamic>, small::extents<int>,
               small::layout_right, small::layout_stride>("an mdspan");
#ifdef __cpp_lib_mdspan
    try_mdspan<std_mdspan, std::extents<int, 3, 4>,
               std::extents<int, std::dynamic_extent, 5>, std::dextents<int, 2>,
               std::extents<int>, std::layout_right, std::layout_stride>("std::mdspan");
#endif
    try_extents();
    return failures != 0;
}
