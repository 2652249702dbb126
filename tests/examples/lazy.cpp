/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole expressions in C++: built by symbols and functions, evaluated where they are
 * assigned; several results, a plan that is executed in a loop, and one from text.
 *
 *     c++ -std=c++17 -o lazy lazy.cpp $(pkg-config --cflags --libs broadloom)
 *     ./lazy
 */
#include <broadloom/broadloom.hpp>
#include <broadloom/io.hpp>

#include <iostream>
#include <vector>

namespace bl = broadloom;
namespace lazy = bl::lazy;

/* Rows with mean 0 and deviation 1: nothing is computed here. */
static lazy::expr normalised(const lazy::expr &x)
{
    const lazy::expr d = x - lazy::mean(x, -1, bl::keepdim::yes);

    return d / lazy::sqrt(lazy::mean(d * d, -1, bl::keepdim::yes) + 1e-5);
}

int main()
{
    std::vector<double> table = {1, 2, 3, 4, 5, 9};
    const lazy::expr n = normalised(bl::view(table.data(), 2, 3));

    const bl::tensor y = lazy::round(n * 1000) / 1000; /* all of it, here */
    const auto [largest, above] = lazy::eval({lazy::max(n), lazy::gt(n, 1)});

    std::cout << "rows " << y << "\n"
              << "above 1 " << above
              << ", largest below 2: " << (largest.item<double>() < 2 ? "yes" : "no")
              << "\n";

    /* A body in a spring: x += v * dt; v -= x * dt, from the old x and v. */
    std::vector<double> x = {1, 0}, v = {0, 1};
    const lazy::plan step({x + lazy::expr(v) * 0.5, v - lazy::expr(x) * 0.5});

    for (int i = 0; i < 4; i++)
        step.execute_out({x, v});
    std::cout << "x " << bl::copy(x) << " v " << bl::copy(v) << "\n";

    const auto energy = lazy::parse("sum(x * x + v * v) / 2", {"x", "v"});

    std::cout << "energy " << energy.eval({x, v}) << "\n";
    return 0;
}
