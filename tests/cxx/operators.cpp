/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operator and every reduction by its C++ name gives what the C function gives,
 * bit for bit, in each form, with each way to report errors; symbols are operators.
 */
#include "check.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace
{

using inputs = const bl_array *const *;

/* A form of an operator in C and in C++. */
struct form {
    std::string name;
    int count;
    bool integers, has_mask;
    bl_status (*c_new)(inputs in, bl_tensor **out);
    bl::tensor (*cxx_new)(inputs in, const bl::with &how);
    bl_status (*c_out)(const bl_array *out, inputs in);
    void (*cxx_out)(const bl::result &out, inputs in, const bl::with &how);
    bl_status (*c_inplace)(const bl_array *out, inputs in);
    void (*cxx_inplace)(const bl::result &out, inputs in, const bl::with &how);
};

#define C_UNARY          in[0]
#define C_CONVERT        in[0]
#define C_BINARY         in[0], in[1]
#define C_TERNARY        in[0], in[1], in[2]
#define C_SELECT         in[0], in[1], in[2]
#define C_QUATERNARY     in[0], in[1], in[2], in[3]
#define CXX_UNARY        *in[0]
#define CXX_CONVERT      *in[0]
#define CXX_BINARY       *in[0], *in[1]
#define CXX_TERNARY      *in[0], *in[1], *in[2]
#define CXX_SELECT       *in[0], *in[1], *in[2]
#define CXX_QUATERNARY   *in[0], *in[1], *in[2], *in[3]
#define COUNT_UNARY      1
#define COUNT_CONVERT    1
#define COUNT_BINARY     2
#define COUNT_TERNARY    3
#define COUNT_SELECT     3
#define COUNT_QUATERNARY 4

/* Which have a form in place: the result has the first input's dtype, or 0 and 1. */
#define NONE(name) nullptr, nullptr
#define UNARY_SAME(name)                                                               \
    [](const bl_array *out, inputs) { return bl_##name##_inplace(nullptr, out); },     \
        [](const bl::result &out, inputs, const bl::with &how) {                       \
            bl::name##_inplace(out, how);                                              \
        }
#define BINARY_SAME(name)                                                              \
    [](const bl_array *out, inputs in) {                                               \
        return bl_##name##_inplace(nullptr, out, in[1]);                               \
    },                                                                                 \
        [](const bl::result &out, inputs in, const bl::with &how) {                    \
            bl::name##_inplace(out, *in[1], how);                                      \
        }
#define TERNARY_SAME(name)                                                             \
    [](const bl_array *out, inputs in) {                                               \
        return bl_##name##_inplace(nullptr, out, in[1], in[2]);                        \
    },                                                                                 \
        [](const bl::result &out, inputs in, const bl::with &how) {                    \
            bl::name##_inplace(out, *in[1], *in[2], how);                              \
        }
#define QUATERNARY_SAME(name)                                                          \
    [](const bl_array *out, inputs in) {                                               \
        return bl_##name##_inplace(nullptr, out, in[1], in[2], in[3]);                 \
    },                                                                                 \
        [](const bl::result &out, inputs in, const bl::with &how) {                    \
            bl::name##_inplace(out, *in[1], *in[2], *in[3], how);                      \
        }
#define BINARY_BOOL(name)     BINARY_SAME(name)
#define UNARY_BOOL(name)      NONE(name)
#define UNARY_REAL_PART(name) NONE(name)
#define QUATERNARY_BOOL(name) NONE(name)
#define SELECT_SAME(name)     NONE(name)
#define CONVERT_SAME(name)    NONE(name)

#define BL_OP(name, value, kind, domain, gives, impl, expression, text)                \
    {#name,                                                                            \
     COUNT_##kind,                                                                     \
     std::strcmp(#domain, "INT") == 0 || std::strcmp(#domain, "BITS") == 0,            \
     std::strcmp(#kind, "SELECT") == 0,                                                \
     [](inputs in, bl_tensor **out) { return bl_##name(nullptr, C_##kind, out); },     \
     [](inputs in, const bl::with &how) { return bl::name(CXX_##kind, how); },         \
     [](const bl_array *out, inputs in) {                                              \
         return bl_##name##_out(nullptr, out, C_##kind);                               \
     },                                                                                \
     [](const bl::result &out, inputs in, const bl::with &how) {                       \
         bl::name##_out(out, CXX_##kind, how);                                         \
     },                                                                                \
     kind##_##gives(name)},

const form forms[] = {
#include "core/tables/ops.def"
};

/* What a C function creates; a refusal fails. */
template <class F> bl::tensor of_c(const std::string &what, F create)
{
    bl_tensor *out = nullptr;

    check(create(&out) == BL_OK, what + " in C: " + bl_error_message());
    return bl::tensor::adopt(out);
}

/* The ways to make a call: each must give `want`, and clear a std::error_code. */
template <class F> void each_way(const std::string &what, F call)
{
    static bl::context ctx;
    std::error_code ec = bl::errc::io, both = bl::errc::io;

    call(bl::with(), what);
    call(bl::with(ctx), what + " (ctx)");
    call(bl::with(ec), what + " (ec)");
    call(bl::with(ctx, both), what + " (ctx, ec)");
    check(!ec && !both, what + " leaves an error in the std::error_code");
}

void try_form(const form &row)
{
    const bl::tensor floats[] = {
        bl::tensor::rand<float>({2, 3}, 1), bl::tensor::rand<float>(3, 2),
        bl::tensor::rand<float>({2, 1}, 3), bl::tensor::rand<float>({2, 3}, 4)};
    bl::tensor held[4];
    const bl_array *in[4] = {};

    for (int k = 0; k < row.count; k++) {
        held[k] = row.integers ? bl::cast<std::int32_t>(floats[k] * 9) : floats[k];
        if (row.has_mask && k == 0)
            held[k] = bl::gt(floats[k], 0.5);
        in[k] = &held[k].array();
    }
    const bl::tensor first = bl::copy(held[0]),
                     want = of_c(row.name,
                                 [&](bl_tensor **to) { return row.c_new(in, to); });
    const bl::tensor out = bl::cast(bl::tensor::zeros<float>({2, 3}), want.dtype());
    const bl::tensor of_out = bl::copy(out), of_inplace = bl::copy(first);

    check(row.c_out(&of_out.array(), in) == BL_OK, row.name + "_out in C");
    if (row.c_inplace)
        check(row.c_inplace(&of_inplace.array(), in) == BL_OK, row.name + " in place");
    each_way(row.name, [&](const bl::with &how, const std::string &what) {
        check(same(row.cxx_new(in, how), want), what);
        row.cxx_out(out, in, how);
        check(same(out, of_out), what + ", _out");
        if (row.cxx_inplace) {
            row.cxx_inplace(held[0], in, how);
            check(same(held[0], of_inplace), what + ", _inplace");
            bl::copy_out(held[0], first);
        }
    });

    float seven[7] = {};
    const bl::result wrong(seven);
    std::error_code ec;

    refused(bl::errc::shape, "bl_" + row.name + "_out(out f32[7], ",
            [&] { row.cxx_out(wrong, in, {}); });
    row.cxx_out(wrong, in, ec);
    check(ec == bl::errc::shape, row.name + "_out sets the std::error_code");
}

/* ---- reductions ---- */

struct reduction {
    std::string name;
    bl_status (*c)(const bl_array *in, int32_t count, const int32_t *axes, bool keepdim,
                   bl_tensor **out);
    bl::tensor (*cxx)(const bl::operand &in, const bl::axes &over, bl::keepdim keep,
                      const bl::with &how);
    bl::tensor (*cxx_all)(const bl::operand &in, const bl::with &how);
    void (*cxx_out)(const bl::result &out, const bl::operand &in, const bl::axes &over,
                    bl::keepdim keep, const bl::with &how);
    bl::tensor (*cxx_some)(const bl::operand &in, const bl::axes &over,
                           const bl::with &how);
    void (*cxx_some_out)(const bl::result &out, const bl::operand &in,
                         const bl::axes &over, const bl::with &how);
    void (*cxx_all_out)(const bl::result &out, const bl::operand &in,
                        const bl::with &how);
};

#define BL_REDUCTION(name, value, domain, gives, fold, text)                           \
    {#name,                                                                            \
     [](const bl_array *in, int32_t count, const int32_t *axes, bool keepdim,          \
        bl_tensor **out) {                                                             \
         return bl_##name(nullptr, in, count, axes, keepdim, out);                     \
     },                                                                                \
     [](const bl::operand &in, const bl::axes &over, bl::keepdim keep,                 \
        const bl::with &how) { return bl::name(in, over, keep, how); },                \
     [](const bl::operand &in, const bl::with &how) { return bl::name(in, how); },     \
     [](const bl::result &out, const bl::operand &in, const bl::axes &over,            \
        bl::keepdim keep,                                                              \
        const bl::with &how) { bl::name##_out(out, in, over, keep, how); },            \
     [](const bl::operand &in, const bl::axes &over, const bl::with &how) {            \
         return bl::name(in, over, how);                                               \
     },                                                                                \
     [](const bl::result &out, const bl::operand &in, const bl::axes &over,            \
        const bl::with &how) { bl::name##_out(out, in, over, how); },                  \
     [](const bl::result &out, const bl::operand &in, const bl::with &how) {           \
         bl::name##_out(out, in, how);                                                 \
     }},

const reduction reductions[] = {
#include "core/tables/reductions.def"
};

void try_reduction(const reduction &row)
{
    const bl::tensor x = bl::tensor::randn<float>({4, 3, 5}, 7);
    const std::int32_t ends[] = {0, -1};
    const auto of = [&](int32_t count, bool keepdim) {
        return of_c(row.name, [&](bl_tensor **to) {
            return row.c(&x.array(), count, ends, keepdim, to);
        });
    };
    const bl::tensor want_all = of(0, false), want_some = of(2, false);
    const bl::tensor want_kept = of(2, true);
    const bl::tensor out = bl::cast(bl::tensor::zeros<float>(3), want_some.dtype());

    each_way(row.name, [&](const bl::with &how, const std::string &what) {
        check(same(row.cxx(x, {}, bl::keepdim::no, how), want_all), what);
        check(same(row.cxx_all(x, how), want_all), what + " of all");
        check(same(row.cxx(x, {0, -1}, bl::keepdim::no, how), want_some),
              what + ", axes");
        check(same(row.cxx(x, {0, -1}, bl::keepdim::yes, how), want_kept),
              what + ", keepdim");
        check(same(row.cxx_some(x, {0, -1}, how), want_some), what + ", axes alone");
        row.cxx_out(out, x, {0, -1}, bl::keepdim::no, how);
        check(same(out, want_some), what + "_out");
        bl::copy_out(out, 0);
        row.cxx_some_out(out, x, {0, -1}, how);
        check(same(out, want_some), what + "_out, axes alone");
        row.cxx_all_out(out.select(0, 0), x, how);
        check(same(bl::copy(out.select(0, 0)), want_all), what + "_out of all");
    });
    refused(bl::errc::argument, "bl_" + row.name + "(in f32[4,3,5], axes (3)",
            [&] { (void)row.cxx(x, 3, bl::keepdim::no, {}); });
}

void try_corrections()
{
    const bl::tensor x = bl::copy({1.0, 2.0, 4.0, 9.0});

    check(has(bl::var(x, {}, bl::keepdim::no, 0.0), {9.5}) &&
              has(bl::var(x, 0, bl::keepdim::yes, -1), {7.6}) &&
              has(bl::std(x, {}, bl::keepdim::no, 2.25), {std::sqrt(38 / 1.75)}),
          "corrections of var and std");
}

void try_symbols()
{
    const bl::tensor a = bl::copy({7, -7, 9}), b = bl::copy({2, 2, -4});
    const std::vector<int> v = {2, 2, -4};
    bl::tensor x = bl::copy(a);

    check(same(a + b, bl::add(a, b)) && same(a - b, bl::sub(a, b)) &&
              same(a * b, bl::mul(a, b)) && same(a / b, bl::div(a, b)) &&
              same(a % b, bl::remainder(a, b)),
          "symbols of two tensors");
    check(same(a + v, a + b) && same(v - b, b - b) && same(a * 2, bl::mul(a, 2)) &&
              same(1 / b, bl::div(1, b)) && same(9 % b, bl::remainder(9, b)),
          "symbols of a tensor and something else");
    check(same(-a, bl::neg(a)) && same(~a, bl::bitwise_not(a)), "symbols of one");
    x += b;
    x -= v;
    x *= 3;
    x %= 4;
    check(has(x, {1, 3, 3}), "symbols in place");
    refused(bl::errc::dtype, "bl_div_inplace(a i32[3], b i64[])", [&] { x /= 2; });
    x.select(0, 1) += 10;
    check(has(x, {1, 13, 3}), "in place, in a view that was just made");
}

} // namespace

int main()
{
    for (const form &row : forms)
        try_form(row);
    for (const reduction &row : reductions)
        try_reduction(row);
    try_corrections();
    try_symbols();
    check(std::size(forms) >= 91 && std::size(reductions) >= 7, "rows are missing");
    return failures != 0;
}
