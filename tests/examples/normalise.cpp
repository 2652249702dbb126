/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The columns of a table with mean 0 and deviation 1: memory of the program's own,
 * which is not copied, beside tensors, and what a refused call throws.
 *
 *     c++ -std=c++17 -o normalise normalise.cpp $(pkg-config --cflags --libs broadloom)
 *     ./normalise
 */
#include <broadloom/broadloom.hpp>
#include <broadloom/io.hpp>

#include <iostream>
#include <vector>

namespace bl = broadloom;

int main()
{
    const std::size_t rows = 1000, columns = 3;
    std::vector<double> table(rows * columns), mean(columns);
    const auto x = bl::view(table.data(), rows, columns); /* a std::mdspan does, too */

    /* Element (i, j) is (i * i + 1) * (j + 1). */
    const bl::tensor i = bl::tensor::arange<double>(0, rows).unsqueeze(1);
    bl::mul_out(x, i * i + 1, {1, 2, 3});

    bl::mean_out(mean, x, 0);
    bl::sub_inplace(x, mean);
    const bl::tensor deviation = bl::sqrt(bl::mean(bl::square(x), 0));
    bl::div_inplace(x, deviation);

    std::cout << "mean " << bl::copy(mean) << "\n"
              << "deviation " << bl::round(deviation) << "\n"
              << "first row " << bl::round(bl::copy(x).select(0, 0) * 1e6)
              << " / 1e6\n";

    try {
        bl::sub_inplace(x, {1.0, 2.0});
    } catch (const bl::error &e) {
        std::cout << e.what() << "\n";
    }

    std::error_code ec;
    bl::div_inplace(x, table, ec);
    std::cout << ec.message() << ": " << std::boolalpha << (ec == bl::errc::shape)
              << "\n";
    return 0;
}
