/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lazy expressions: every operator and every reduction gives the bits of its call; what
 * they hold, when they are evaluated, several results, and what is refused when.
 */
#include "check.hpp"

#include <limits>
#include <memory>
#include <thread>
#include <vector>
#if __has_include(<span>)
#include <span>
#endif

namespace lazy = bl::lazy;

namespace
{

/* What a temporary may be: it refers to elements of another object. */
template <class T>
inline constexpr bool is_expr = std::is_constructible_v<lazy::expr, T>;
static_assert(is_expr<bl::memory_view<double, 2>> &&
              is_expr<const bl::memory_view<const float, 1>>);
static_assert(is_expr<std::vector<int> &> && is_expr<const std::vector<int> &> &&
              !is_expr<std::vector<int>> && !is_expr<const std::vector<int>>);
#ifdef __cpp_lib_span
static_assert(is_expr<std::span<const double>> && is_expr<const std::span<int, 3>>);
#endif

/* ---- operators and reductions ---- */

struct form {
    const char *name;
    int count;
    bool integers, has_mask;
    lazy::expr (*make)(const bl::tensor *x);
    bl::tensor (*call)(const bl::tensor *x);
};

#define IN_UNARY         x[0]
#define IN_CONVERT       x[0]
#define IN_BINARY        x[0], x[1]
#define IN_TERNARY       x[0], x[1], x[2]
#define IN_SELECT        x[0], x[1], x[2]
#define IN_QUATERNARY    x[0], x[1], x[2], x[3]
#define COUNT_UNARY      1
#define COUNT_CONVERT    1
#define COUNT_BINARY     2
#define COUNT_TERNARY    3
#define COUNT_SELECT     3
#define COUNT_QUATERNARY 4
#define BL_OP(name, value, kind, domain, gives, impl, expression, text)                \
    {#name,                                                                            \
     COUNT_##kind,                                                                     \
     std::strcmp(#domain, "INT") == 0 || std::strcmp(#domain, "BITS") == 0,            \
     std::strcmp(#kind, "SELECT") == 0,                                                \
     [](const bl::tensor *x) { return lazy::name(IN_##kind); },                        \
     [](const bl::tensor *x) { return bl::name(IN_##kind); }},

const form forms[] = {
#include "core/tables/ops.def"
};

void try_form(const form &row)
{
    bl::tensor x[] = {bl::tensor::rand<float>({2, 3}, 1), bl::tensor::rand<float>(3, 2),
                      bl::tensor::rand<float>({2, 1}, 3),
                      bl::tensor::rand<float>({2, 3}, 4)};

    for (int k = 0; k < row.count; k++)
        x[k] = row.has_mask && k == 0 ? bl::gt(x[k], 0.5)
               : row.integers         ? bl::cast<std::int32_t>(x[k] * 9)
                                      : x[k];
    check(same(row.make(x), row.call(x)), row.name);
}

struct reduction {
    const char *name;
    lazy::expr (*make)(const lazy::expr &in, const bl::axes &over, bl::keepdim keep);
    lazy::expr (*make_all)(const lazy::expr &in);
    bl::tensor (*call)(const bl::operand &in, const bl::axes &over, bl::keepdim keep,
                       bl::with how);
};

#define BL_REDUCTION(name, value, domain, gives, fold, text)                           \
    {#name, lazy::name, [](const lazy::expr &in) { return lazy::name(in); }, bl::name},

const reduction reductions[] = {
#include "core/tables/reductions.def"
};

void try_reduction(const reduction &row)
{
    const bl::tensor x = bl::tensor::randn<float>({4, 3, 5}, 7);

    check(same(row.make_all(x), row.call(x, {}, bl::keepdim::no, {})), row.name);
    for (const bl::keepdim keep : {bl::keepdim::no, bl::keepdim::yes})
        check(same(row.make(x, {0, -1}, keep), row.call(x, {0, -1}, keep, {})),
              std::string(row.name) + ", axes");
}

void try_corrections()
{
    const bl::tensor x = bl::tensor::randn<double>({4, 5}, 9);
    const lazy::expr e = x;

    for (const double correction : {0.0, 1.0, 2.25})
        check(same(lazy::var(e, 1, bl::keepdim::no, correction),
                   bl::var(x, 1, bl::keepdim::no, correction)) &&
                  same(lazy::std(e, {}, bl::keepdim::yes, correction),
                       bl::std(x, {}, bl::keepdim::yes, correction)) &&
                  !same(lazy::var(e, 1, bl::keepdim::no, correction + 1),
                        bl::var(x, 1, bl::keepdim::no, correction)),
              "corrections of var and std");
}

void try_symbols()
{
    const bl::tensor a = bl::copy({7, -7, 9}), b = bl::copy({2, 2, -4});
    const std::vector<int> v = {2, 2, -4};
    const lazy::expr x = a, y = b;

    check(same(x + y, a + b) && same(x - y, a - b) && same(x * y, a * b) &&
              same(x / y, a / b) && same(x % y, a % b),
          "symbols of two expressions");
    check(same(a + y, a + b) && same(x - b, a - b) && same(x * v, a * b) &&
              same(v / y, v / b) && same(9 % y, 9 % b) && same(x * 2.5, a * 2.5),
          "symbols of an expression and something else");
    check(same(-x, -a) && same(~x, ~a), "symbols of one");
    check(same(lazy::cast<float>(x), bl::cast<float>(a)) &&
              same(lazy::cast(x, BL_DTYPE_U8), bl::cast(a, BL_DTYPE_U8)),
          "casts");
}

/* Numbers have the dtype and the value that they have in calls. */
void try_numbers()
{
    const std::vector<double> v = {1, 2, 3, 4};
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const bl::tensor x[] = {bl::copy(v), bl::copy({1, 2, 3, 4}),
                            bl::copy({1.5F, 2.5F, 3.5F, 4.5F}), bl::gt(v, 2),
                            bl::tensor::full<std::uint64_t>(4, most - 1)};

    for (const bl::tensor &one : x)
        for (const std::uint64_t n : {std::uint64_t{v.size()}, std::uint64_t{2}, most,
                                      std::uint64_t{1} << 63, most - 1}) {
            const lazy::expr a = one;

            check(same(a * n, one * n) && same(n / a, n / one) &&
                      same(lazy::gt(a, n), bl::gt(one, n)) &&
                      same((a + n) / n, (one + n) / n) &&
                      same(lazy::where(lazy::lt(a, 2), a, n),
                           bl::where(bl::lt(one, 2), one, n)),
                  "an unsigned number, with " +
                      std::string(bl_dtype_name(one.dtype())));
        }
    check(same(lazy::sum(v) / v.size(), bl::mean(v)), "divided by a size");
    check(same(lazy::pow(lazy::expr(x[1]), v.size()), bl::pow(x[1], v.size())),
          "a power of an unsigned number");
}

/* ---- what is held ---- */

lazy::expr of_locals()
{
    const bl::tensor x = bl::tensor::arange<double>(0, 3);
    const lazy::expr d = x - lazy::mean(x);
    int two = 2;

    return d * d / two + bl::tensor::ones<double>(3);
}

void try_lifetimes()
{
    const lazy::expr kept = of_locals();
    std::vector<double> v = {1, 2, 3};
    bool freed = false;

    check(has(kept, {1.5, 1, 1.5}), "operands that are local are held");
    {
        double memory[2] = {1, 2};
        const bl::tensor x =
            bl::tensor::wrap(bl::view(memory, 2), [&freed] { freed = true; });
        const lazy::expr negative = -lazy::expr(x);
        const lazy::expr copies[] = {negative, negative + 1};

        (void)copies[1].eval();
    }
    check(freed, "operands are given back with the last expression");

    const lazy::expr view = lazy::expr(v) * 10;

    v[0] = 7;
    check(has(view, {70, 20, 30}), "a view is read when it is evaluated");
    v[0] = 8;
    check(has(view, {80, 20, 30}), "and each time");
    lazy::expr moved = view, taken = std::move(moved);

    check(has(taken, {80, 20, 30}), "a moved expression");
    for (int i = 0; i < 200000; i++)
        taken = taken + 1;
    refused(bl::errc::unsupported, "more than 1024 nodes", [&] { (void)taken.eval(); });
    taken = kept; /* which frees the 200000 */
    check(has(taken, {1.5, 1, 1.5}), "assigned again");
}

/* ---- evaluation ---- */

void try_results()
{
    std::vector<float> v = {1, 2, 3, 4}, out(4);
    const auto rows = bl::view(v.data(), 2, 2);
    const lazy::expr x = rows, d = x - lazy::mean(x, 0);
    bl::context ctx;
    std::error_code ec = bl::errc::io;
    bl::tensor y, z;

    d.eval_out(bl::view(out.data(), 2, 2), {ctx, ec});
    check(!ec && out[0] == -1 && out[3] == 1, "into memory");
    y = d;
    check(has(y, {-1, -1, 1, 1}), "assigned to a tensor");
    std::tie(y, z) = lazy::eval({d, d * d}, ctx);
    check(has(y, {-1, -1, 1, 1}) && has(z, {1, 1, 1, 1}), "std::tie");
    const auto [sum, less, same_x] = lazy::eval({lazy::sum(d * x), lazy::lt(d, 0), x});

    check(has(sum, {4}) && has(less, {1, 1, 0, 0}) && has(same_x, {1, 2, 3, 4}),
          "three results");
    (d * 2).eval_out(rows);
    check(v[0] == -2 && v[3] == 2, "a result that is an operand");
    lazy::eval_out({out, z}, {lazy::expr(v) + 1, x * 0}, ec);
    check(!ec && out[0] == -1 && has(z, {0, 0, 0, 0}), "several into memory");

    const lazy::expr shared = lazy::expr(v) / 3;
    const bl::tensor want = shared;
    std::vector<std::thread> threads;
    bool equal[4] = {};

    for (bool &one : equal)
        threads.emplace_back([&one, &shared, &want] {
            for (int i = 0; i < 50; i++)
                one = same(shared, want) && same(shared + 1, want + 1.0);
        });
    for (std::thread &thread : threads)
        thread.join();
    check(equal[0] && equal[1] && equal[2] && equal[3], "threads share expressions");
}

void try_refusals()
{
    const bl::tensor three = bl::tensor::ones<double>(3),
                     four = bl::tensor::ones<double>(4);
    const lazy::expr wrong = lazy::sqrt(lazy::expr(three) + four), none;
    const lazy::expr empty = lazy::expr(bl::tensor()) + 1;
    std::vector<double> out = {5, 5, 5};
    std::error_code ec;

    refused(bl::errc::shape, "The size of tensor", [&] { (void)wrong.eval(); });
    refused(bl::errc::shape, "The size of tensor", [&] { const bl::tensor y = wrong; });
    check(!wrong.eval(ec) && ec == bl::errc::shape, "refused with a std::error_code");
    wrong.eval_out(out, ec);
    check(ec == bl::errc::shape && out[0] == 5, "refused, nothing is written");
    lazy::eval_out({out, four}, {lazy::expr(three) * 2, wrong}, ec);
    check(ec == bl::errc::shape && out[0] == 5, "one of two is refused");
    check(!std::get<1>(lazy::eval({lazy::expr(three), wrong}, ec)) && ec,
          "tensors of a refused evaluation are empty");
    refused(bl::errc::argument, "empty", [&] { (void)none.eval(); });
    refused(bl::errc::argument, "empty", [&] { (void)(none + 1).eval(); });
    refused(bl::errc::argument, "", [&] { (void)empty.eval(); });
    refused(bl::errc::argument, "Dimension out of range",
            [&] { (void)lazy::sum(lazy::expr(three), 3).eval(); });
    refused(bl::errc::shape, "", [&] { (lazy::expr(three) + 1).eval_out(four); });
}

} // namespace

int main()
{
    for (const form &row : forms)
        try_form(row);
    for (const reduction &row : reductions)
        try_reduction(row);
    check(std::size(forms) >= 91 && std::size(reductions) >= 7, "rows are missing");
    try_corrections();
    try_symbols();
    try_numbers();
    try_lifetimes();
    try_results();
    try_refusals();
    return failures != 0;
}
