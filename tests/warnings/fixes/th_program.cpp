// SPDX-License-Identifier: BSD-3-Clause
// TH in C++: classes, raw strings, lambdas, cases.
extern "C" {
#include "th_show.h"
}

namespace
{

const char raw[] = R"x(THFloatTensor_cadd(r, a, 1, b); ")x";

class model
{
public:
    model() : weight_(numbersFloat(3, 1, 1)), bias_(numbersFloat(3, 0, 4))
    {
    }
    ~model()
    {
        THFloatTensor_free(weight_);
        THFloatTensor_free(this->bias_);
    }
    void run(THFloatTensor *r, int which) const
    {
        switch (which) {
        case 0:
            THFloatTensor_cadd(r, this->weight_, 1'000, bias_);
            break;
        // clang-format off
        case 1: THFloatTensor_cmul(r, weight_, bias_); break;
        // clang-format on
        default: {
            const auto divide = [&] { THFloatTensor_cdiv(r, weight_, bias_); };

            divide();
        }
        }
    }

private:
    THFloatTensor *weight_, *bias_;
};

} // namespace

int main()
{
    THFloatTensor *const r = THFloatTensor_new();
    const model m;

    for (int k = 0; k < 3; k++) {
        m.run(r, k);
        showFloat(raw[0] == 'T' ? "r" : "", r);
    }
    THFloatTensor_free(r);
}
