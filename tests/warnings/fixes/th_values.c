/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of TH whose values are used, or whose arguments have side effects. */
#include "th_show.h"

struct net {
    THFloatTensor *weight, *bias[2];
};

static THFloatTensor *operands[4];
static int taken;

static THFloatTensor *next(void)
{
    return operands[taken++ % 4];
}

static double distance(struct net *net)
{
    return 2 * THFloatTensor_dist(net->weight, net->bias[1], 2);
}

static int whole(struct net *net)
{
    return (int)THFloatTensor_dist(net->weight, net->bias[1], 1);
}

int main(void)
{
    struct net net = {numbersFloat(3, 1, 1),
                      {numbersFloat(3, 0, 4), numbersFloat(3, 0, 2)}};
    THFloatTensor *r = THFloatTensor_new();
    double sum = 0;

    operands[0] = operands[2] = net.weight;
    operands[1] = operands[3] = net.bias[0];
    for (int k = 0; k < 2; k++) {
        double d = THFloatTensor_dist(net.weight, net.bias[k], 1);

        sum += d;
    }
    if (THFloatTensor_dist(net.weight, (net.bias)[0], 2) > 1e9)
        return 1;
    sum += distance(&net);
    printf("%.4f %d\n", sum, whole(&net));
    THFloatTensor_csub(r, next(), 1, net.bias[1]);
    THFloatTensor_csub(r, net.weight, 1, operands[taken++]);
    printf("taken %d\n", taken);
    showFloat("r", r);
    THFloatTensor_addcdiv(r, net.weight, 3, net.bias[0], next());
    showFloat("r", r);
    printf("taken %d\n", taken);
    THFloatTensor_free(net.weight);
    THFloatTensor_free(net.bias[0]);
    THFloatTensor_free(net.bias[1]);
    THFloatTensor_free(r);
    return 0;
}
