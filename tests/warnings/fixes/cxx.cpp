// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface: calls, operators, views, arguments that are computed.
#include <broadloom/broadloom.hpp>
#include <broadloom/io.hpp>

#include <iostream>

namespace bl = broadloom;

static int taken;

static bl::tensor step(const bl::tensor &x, const bl::tensor &y)
{
    taken++;
    return x - y;
}

int main()
{
    double data[4] = {1, 2, 3, 4};
    const bl::tensor x = bl::copy(bl::view(data, 4, 1));
    const auto y = bl::square(bl::view(data, 4));
    bl::tensor z = bl::mul(x, bl::square(y));
    bl::tensor w = bl::copy(x);

    std::cout << z << step(x, y) << '\n';
    std::cout << bl::add(bl::view(data, 2, 2), bl::view(data, 4, 1, 1)) << '\n';
    for (int k = 0; k < 2 && bl::maximum(x, y).numel() > 0; k++)
        z = x * y;
    if (bl::lt(x, y).rank() == 2)
        w += y;
    bl::mul_inplace(w, y);
    std::cout << z << w << (x.numel() > 3 ? bl::fmod(y, x) : x) << taken << '\n';
}
