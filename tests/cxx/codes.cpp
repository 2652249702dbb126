/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Without exceptions (-fno-exceptions): every call is given a std::error_code, which it
 * sets or clears, and an object whose creation failed is empty.
 */
#include <broadloom/broadloom.hpp>

#include <cstdio>
#include <vector>

namespace bl = broadloom;

int main()
{
    std::error_code ec = bl::errc::io;
    std::vector<double> v = {1, 2, 3}, w = {10, 20, 30}, four(4);
    bl::context ctx(ec);
    const bl::lazy::expr lazy_four = four;
    int failed = ec ? 1 : 0;

    ctx.set_threads(1, ec);
    bl::add_out(w, v, w, {ctx, ec});
    failed += ec || w[2] != 33;
    const bl::tensor sum = bl::sum(w, 0, bl::keepdim::no, ec);

    failed += ec || sum.item<int>(ec) != 66 || sum.view({1, 1}, ec).rank() != 2;
    const bl::tensor none = bl::mul(v, four, ec);

    failed += none || ec != bl::errc::shape;
    const bl::tensor empty = none.transpose(0, 1, ec);

    failed += empty || ec != bl::errc::argument;
    failed += sum.data<float>(ec) != nullptr || ec != bl::errc::dtype;
    const bl::tensor taken = bl::tensor::take(std::move(v), {3, 1}, ec);

    failed += ec || taken.rank() != 2;
    (void)bl::tensor::empty<double>(std::int64_t{1} << 55, ec);
    failed += ec != std::errc::not_enough_memory;

    const bl::lazy::expr d = bl::lazy::expr(w) - bl::lazy::mean(w);
    const auto f = bl::lazy::parse("a - mean(a)", {"a"}, ec);

    failed += ec || !d.eval(ec) || ec || !f.eval({w}, {ctx, ec}) || ec;
    bl::lazy::eval_out({w, four}, {d, lazy_four + 1}, ec);
    failed += ec || w[2] != 11 || four[3] != 1;
    const bl::lazy::plan plan({d + lazy_four}, ec);

    failed += plan.get() != nullptr || ec != bl::errc::shape;
    if (failed)
        std::printf("%d checks failed\n", failed);
    return failed;
}
