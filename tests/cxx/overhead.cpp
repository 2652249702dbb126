/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of four elements in C and in C++, for overhead.t.sh to count: add_out of
 * tensors, of vectors, of vectors with a std::error_code, add of tensors, and
 * lazy expressions: a plan, and an expression that was evaluated before.
 *
 * usage: overhead NAME TIMES
 */
#include <broadloom/broadloom.hpp>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace bl = broadloom;

namespace
{

std::vector<float> a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c(4);
const bl::tensor x = bl::copy(a), y = bl::copy(b), z = bl::copy(c);
const std::int64_t four = 4;
const bl_array array_a = {a.data(), BL_DTYPE_F32, 1, &four, nullptr, 0};
const bl_array array_b = {b.data(), BL_DTYPE_F32, 1, &four, nullptr, 0};
const bl_array array_c = {c.data(), BL_DTYPE_F32, 1, &four, nullptr, 0};

const bl::lazy::expr lazy_sum = bl::lazy::expr(a) + b;
const bl::lazy::plan planned(lazy_sum);
const bl::lazy::formula parsed = bl::lazy::parse("a + b");

struct call {
    const char *name;
    bool (*run)();
};

const call calls[] = {
    {"c", [] { return bl_add_out(nullptr, &array_c, &array_a, &array_b) == BL_OK; }},
    {"tensors",
     [] {
         bl::add_out(z, x, y);
         return true;
     }},
    {"c-views",
     [] {
         const std::int64_t n[] = {static_cast<std::int64_t>(a.size()),
                                   static_cast<std::int64_t>(b.size()),
                                   static_cast<std::int64_t>(c.size())};
         const bl_array view_a = {a.data(), BL_DTYPE_F32, 1, &n[0], nullptr, 0};
         const bl_array view_b = {b.data(), BL_DTYPE_F32, 1, &n[1], nullptr, 0};
         const bl_array view_c = {c.data(), BL_DTYPE_F32, 1, &n[2], nullptr, 0};

         return bl_add_out(nullptr, &view_c, &view_a, &view_b) == BL_OK;
     }},
    {"vectors",
     [] {
         bl::add_out(c, a, b);
         return true;
     }},
    {"codes",
     [] {
         std::error_code ec;

         bl::add_out(c, a, b, ec);
         return !ec;
     }},
    {"c-new",
     [] {
         bl_tensor *sum = nullptr;
         const bool pass = bl_add(nullptr, &array_a, &array_b, &sum) == BL_OK;

         bl_tensor_release(sum);
         return pass;
     }},
    {"c-plan",
     [] {
         void *const out[] = {c.data()};
         const void *const in[] = {a.data(), b.data()};

         return bl_expr_plan_execute(nullptr, planned.get(), out, in) == BL_OK;
     }},
    {"plan",
     [] {
         planned.execute_out({c});
         return true;
     }},
    {"plan-operands",
     [] {
         planned.execute_out({c}, {a, b});
         return true;
     }},
    {"c-run",
     [] {
         const bl_array *const out[] = {&z.array()};
         const bl_array *const in[] = {&x.array(), &y.array()};

         return bl_expr_run(nullptr, parsed.get(), out, in, nullptr) == BL_OK;
     }},
    {"lazy",
     [] {
         lazy_sum.eval_out(z);
         return true;
     }},
    {"new", [] { return static_cast<bool>(bl::add(x, y)); }},
};

} // namespace

/* The function that a profiler counts; called through a pointer, so not inlined. */
extern "C" {
static bool measured(const call *made, long times)
{
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = made->run() && pass;
    return pass;
}
}

static bool (*volatile const measure)(const call *, long) = measured;

int main(int argc, char **argv)
{
    for (const call &made : calls)
        if (argc == 3 && std::strcmp(made.name, argv[1]) == 0)
            return made.run() && made.run() &&
                           measure(&made, std::strtol(argv[2], nullptr, 10))
                       ? 0
                       : 1;
    return 2;
}
