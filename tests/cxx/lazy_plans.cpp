/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions from text, and plans of lazy expressions: results, other operands, and
 * what is refused.
 */
#include "check.hpp"

#include <cmath>
#include <vector>

namespace lazy = bl::lazy;

namespace
{

void try_formulas()
{
    const std::vector<double> x = {1, 2, 3};
    const auto f = lazy::parse("d = x - m; d / s; d > 0", {"x", "m", "s"});
    const auto [y, big] = f.eval<2>({x, bl::mean(x), 2});
    std::vector<double> out(3);
    std::error_code ec;
    bool flags[3];

    check(has(y, {-0.5, 0, 0.5}) && has(big, {0, 0, 1}), "text with two results");
    f.eval_out({out, flags}, {x, 1.0, 0.5}, ec);
    check(!ec && out[2] == 4 && flags[2] && !flags[0], "text into memory");
    check(has(lazy::parse("a ** 2").eval({x}), {1, 4, 9}), "names by appearance");
    refused(bl::errc::argument, "formula::eval(): 2 operands for 3", [&] {
        (void)f.eval<2>({x, x});
    });
    refused(bl::errc::argument, "formula::eval(): 1 result for 2", [&] {
        (void)f.eval({x, x, x});
    });
    refused(bl::errc::format, "", [] { (void)lazy::parse("a +"); });
    refused(bl::errc::argument, "", [] { (void)lazy::parse("a + b", {"a"}); });
    const lazy::formula none = lazy::parse("a +", {}, ec);

    check(!none.get() && ec == bl::errc::format, "text refused with a std::error_code");
    check(!none.eval({x}, ec) && ec == bl::errc::argument, "a formula that is empty");
}

void try_plans()
{
    std::vector<float> u = {1, 2, 3}, v = {10, 20, 30}, other(3), out(3);
    const lazy::expr x = u;
    const lazy::plan step(x + lazy::expr(v) * 0.5);
    const lazy::plan two({lazy::expr(v), x - v});
    std::error_code ec;

    step.execute_out({u});
    step.execute_out({u}, ec);
    check(!ec && u[0] == 11 && u[2] == 33, "a plan writes its operand, twice");
    step.execute_out({out}, {v, v});
    check(out[0] == 15, "a plan of other operands");
    const bl::tensor copy = two.empty_like(0), difference = two.empty_like(1);

    two.execute_out({copy, difference});
    check(has(copy, {10, 20, 30}) && has(difference, {1, 2, 3}), "two results");
    const auto column = bl::view(out.data(), {2}, {2});
    const lazy::plan strided({column}, {lazy::expr(bl::view(v.data(), 2)) + 1});

    strided.execute_out({column});
    check(out[0] == 11 && out[1] == 30 && out[2] == 21, "a result with strides");
    refused(
        bl::errc::argument,
        "plan::execute_out(): result 0 is f32[2], and the one planned for is f32[2]{2}",
        [&] { strided.execute_out({bl::view(out.data(), 2)}); });
    refused(bl::errc::argument, "result 0 is f32[2], and the one planned for is f32[3]",
            [&] { step.execute_out({bl::view(out.data(), 2)}); });
    refused(
        bl::errc::argument,
        "plan::execute_out(): operand 1 is f32[2], and the one planned for is f32[3]",
        [&] {
            step.execute_out({out}, {v, bl::view(v.data(), 2)});
        });
    refused(bl::errc::argument, "plan::execute_out(): 1 operand for 2",
            [&] { step.execute_out({out}, {v}); });
    refused(bl::errc::argument, "plan::execute_out(): 1 result for 2",
            [&] { two.execute_out({out}); });
    const lazy::formula f = lazy::parse("a * b", {"a", "b"});
    const lazy::plan scaled(f, {v, 2.0});

    scaled.execute_out({out}, {u, 3.0});
    check(out[0] == 33, "a plan of a formula");
    refused(
        bl::errc::argument,
        "operand 1 is i64[] (a number), and the one planned for is f64[] (a number)",
        [&] {
            scaled.execute_out({out}, {u, 3});
        });
    refused(bl::errc::argument, "plan::execute_out(): 0 operands for 2",
            [&] { scaled.execute_out({out}); });
    refused(bl::errc::shape, "",
            [&] { const lazy::plan p(x + bl::view(v.data(), 2)); });
    const lazy::plan none(x + bl::view(v.data(), 2), ec);

    check(!none.get() && ec == bl::errc::shape, "a plan refused");
    none.execute_out({out}, ec);
    check(ec == bl::errc::argument, "a plan that is empty");
}

/* Objects that were moved from are refused, or stand for nothing. */
void try_moved()
{
    std::vector<float> u = {1, 2, 3}, out(3);
    lazy::plan plan(lazy::expr(u) * 2), of_text(lazy::parse("a * 2"), {u});
    lazy::formula formula = lazy::parse("a + 1");
    lazy::expr expr = u;
    {
        const lazy::plan taken = std::move(plan), text_taken = std::move(of_text);
        const lazy::formula formula_taken = std::move(formula);
        const lazy::expr expr_taken = std::move(expr);

        taken.execute_out({out});
        check(out[2] == 6, "a plan that was moved");
    }
    refused(bl::errc::argument, "plan::execute_out(): the plan is empty",
            [&] { plan.execute_out({out}); });
    refused(bl::errc::argument, "plan::execute_out(): the plan is empty",
            [&] { plan.execute_out({out}, {u}); });
    refused(bl::errc::argument, "plan::execute_out(): the plan is empty",
            [&] { of_text.execute_out({out}, {u}); });
    refused(bl::errc::argument, "plan::empty_like(): the plan is empty",
            [&] { (void)plan.empty_like(0); });
    refused(bl::errc::argument, "formula::eval(): the expression is empty",
            [&] { (void)formula.eval({u}); });
    refused(bl::errc::argument, "plan::plan(): the expression is empty",
            [&] { const lazy::plan p(formula, {u}); });
    refused(bl::errc::argument,
            "expr::eval(): expression 0 is made of one that is empty",
            [&] { (void)(expr + 1).eval(); });
    check(!plan.get() && !formula.get(), "nothing is left");
    plan = lazy::plan(lazy::expr(u) + 1);
    plan.execute_out({out});
    check(out[2] == 4, "and assigned again");
}

/* What else an error names: the call, and what it is given. */
void try_texts()
{
    std::vector<float> u = {1, 2, 3}, out(3);
    std::vector<double> wide(3);
    float *const data = out.data();
    const std::int64_t three = 3;
    const bl_array fixed = {data, BL_DTYPE_F32, 1, &three, nullptr, BL_ARRAY_READ_ONLY};
    const lazy::plan step(lazy::expr(u) + 1);
    lazy::expr deep = u;

    refused(bl::errc::argument, "result 0, f32[3], is read-only",
            [&] { step.execute_out({fixed}); });
    refused(bl::errc::argument, "result 0 is f64[3], and the one planned for is f32[3]",
            [&] { step.execute_out({wide}); });
    refused(bl::errc::argument,
            "operand 0 is f64[3], and the one planned for is f32[3]",
            [&] { step.execute_out({out}, {wide}); });
    refused(bl::errc::argument, "operand 0 is an empty tensor, and the one planned",
            [&] { step.execute_out({out}, {bl::tensor()}); });
    refused(bl::errc::argument, "operand 0 is f32[3]{0}, and the one planned for",
            [&] { step.execute_out({out}, {bl::view(data, {3}, {0})}); });
    refused(bl::errc::argument, "plan::plan(): 2 results for 1", [&] {
        const lazy::plan two({out, out}, {lazy::expr(u)});
    });
    refused(bl::errc::argument, "lazy::eval(): expression 1 is empty", [&] {
        (void)lazy::eval({lazy::expr(u), lazy::expr()});
    });
    refused(bl::errc::argument,
            "refused: bl_tensor_wrap(array f64[3]): array: data is null", [] {
                (void)lazy::expr(bl::view(static_cast<double *>(nullptr), 3)).eval();
            });
    const lazy::expr negative = bl::view(data, -3);

    refused(bl::errc::argument, "", [] { (void)bl::tensor().view(1); });
    refused(bl::errc::argument,
            "expr::eval_out(): an operand of expression 0 is refused",
            [&] { (negative + 1).eval_out(out); });
    refused(bl::errc::argument, "extent -3 of dimension 0 is negative",
            [&] { (void)negative.eval(); });
    for (int k = 0; k < BL_MAX_NODES; k++)
        deep = deep + 1;
    refused(bl::errc::unsupported,
            "expr::eval(): expression 0 has more than 1024 nodes",
            [&] { (void)deep.eval(); });
}

/* What the header says of numbers. */
void try_numbers()
{
    const std::vector<double> v = {1};
    const std::vector<float> f = {1};
    const std::vector<unsigned char> u = {1};
    const bl::tensor two = bl::tensor::full<double>({}, 2.0);
    const double root = std::sqrt(2.0);
    const auto of = [](const bl::tensor &x) { return x.item<double>(); };

    check(of(lazy::sqrt(2.0) * lazy::expr(v)) == double(std::sqrt(2.0f)) &&
              of(bl::mul(bl::sqrt(2.0), v)) == double(std::sqrt(2.0f)),
          "numbers among themselves are f32");
    check(of(root * lazy::expr(v)) == root &&
              of(lazy::sqrt(lazy::expr(two)) * lazy::expr(v)) == root &&
              of(lazy::parse("sqrt(2.0) * v").eval({v})) == root,
          "ways to compute them in f64");
    check((lazy::sqrt(lazy::expr(two)) * lazy::expr(f)).eval().dtype() == BL_DTYPE_F32,
          "an array of rank 0 leaves f32 as it is");
    check(has(lazy::expr(u) + 300, {45}) && has(bl::add(u, 300), {45}),
          "numbers wrap to integers");
    refused(bl::errc::dtype, "300 does not fit in u8",
            [&] { (void)lazy::parse("u + 300").eval({u}); });
}

} // namespace

int main()
{
    try_formulas();
    try_plans();
    try_moved();
    try_texts();
    try_numbers();
    return failures != 0;
}
