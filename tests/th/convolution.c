/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions by their definitions, in whole numbers, which all types hold.
 */
#include "th/kit.h"

/* A contiguous tensor of five dimensions: two of planes, then depth, rows, columns. */
static THFloatTensor *drawn(long a, long b, long depth, long rows, long columns)
{
    THFloatTensor *const t = THFloatTensor_new();

    THFloatTensor_resize5d(t, a, b, depth, rows, columns);
    TH_TENSOR_APPLY(float, t, *t_data = (float)draw(-3, 4);)
    return t;
}

static float element(THFloatTensor *t, long a, long b, const long *at)
{
    return THFloatTensor_data(
        t)[(((a * t->size[1] + b) * t->size[2] + at[0]) * t->size[3] + at[1]) *
               t->size[4] +
           at[2]];
}

/*
 * One element of the convolution of two planes by its definition: the sum over kernel
 * elements that meet one of the input.
 */
static double expected(THFloatTensor *t, long ta, long tb, THFloatTensor *k, long ka,
                       long kb, const long *at, const long *step, char vf, char xc)
{
    double sum = 0;
    long n[3];

    for (n[0] = 0; n[0] < k->size[2]; n[0]++)
        for (n[1] = 0; n[1] < k->size[3]; n[1]++)
            for (n[2] = 0; n[2] < k->size[4]; n[2]++) {
                long in[3], turned[3];
                int meets = 1;

                for (int d = 0; d < 3; d++) {
                    const long last = k->size[2 + d] - 1;

                    /* A full one as if zeros stood around and between the input. */
                    in[d] = vf == 'F'   ? at[d] + n[d] - last
                            : vf == 'R' ? at[d] + n[d] * step[d]
                                        : at[d] * step[d] + n[d];
                    turned[d] = xc == 'C' ? last - n[d] : n[d];
                    if (vf == 'F') {
                        meets = meets && in[d] >= 0 && in[d] % step[d] == 0;
                        in[d] /= step[d];
                    }
                    meets = meets && in[d] < t->size[2 + d];
                }
                if (meets)
                    sum += (double)element(t, ta, tb, in) * element(k, ka, kb, turned);
            }
    return sum;
}

enum pairing { MUL, CMUL, GER, REVGERM, MV, MM };

/* Call the function of this pairing; step[0] is for three dimensions. */
static void call(enum pairing pairing, int dims, THFloatTensor *r, float beta,
                 THFloatTensor *t, THFloatTensor *k, const long *step, char vf, char xc)
{
    const char v[] = {vf, 0}, x[] = {xc, 0};

#define CALL_2(name) THFloatTensor_##name(r, beta, 2, t, k, step[1], step[2], v, x)
#define CALL_3(name)                                                                   \
    THFloatTensor_##name(r, beta, 2, t, k, step[0], step[1], step[2], v, x)
    switch (pairing) {
    case MUL:
        dims == 2 ? CALL_2(conv2Dmul) : CALL_3(conv3Dmul);
        break;
    case CMUL:
        dims == 2 ? CALL_2(conv2Dcmul) : CALL_3(conv3Dcmul);
        break;
    case GER:
        if (vf == 'R')
            dims == 2 ? THFloatTensor_conv2DRevger(r, beta, 2, t, k, step[1], step[2])
                      : THFloatTensor_conv3DRevger(r, beta, 2, t, k, step[0], step[1],
                                                   step[2]);
        else
            dims == 2 ? CALL_2(conv2Dger) : CALL_3(conv3Dger);
        break;
    case REVGERM:
        THFloatTensor_conv2DRevgerm(r, beta, 2, t, k, step[1], step[2]);
        break;
    case MV:
        dims == 2 ? CALL_2(conv2Dmv) : CALL_3(conv3Dmv);
        break;
    case MM:
        CALL_2(conv2Dmm);
        break;
    }
}

/* A view without the dimensions of extent 1 among the leading ones, and depth. */
static THFloatTensor *viewed(THFloatTensor *whole, int lead, int dims)
{
    THFloatTensor *const view = THFloatTensor_newWithTensor(whole);

    if (dims == 2)
        THFloatTensor_select(view, view, 2, 0);
    for (int i = lead; i < 2; i++)
        THFloatTensor_select(view, view, 0, 0);
    return view;
}

/* Term s of element `at` of plane (p, q) of the result. */
static double expected_term(enum pairing pairing, THFloatTensor *t, THFloatTensor *k,
                            long p, long q, long s, const long *at, const long *step,
                            char vf, char xc)
{
    switch (pairing) {
    case MUL:
    case CMUL:
        return expected(t, 0, q, k, 0, q, at, step, vf, xc);
    case GER:
        return expected(t, 0, q, k, 0, p, at, step, vf, xc);
    case REVGERM:
        return expected(t, s, q, k, s, p, at, step, vf, xc);
    case MV:
        return expected(t, 0, s, k, q, s, at, step, vf, xc);
    case MM:
        return expected(t, p, s, k, q, s, at, step, vf, xc);
    }
    return 0;
}

/* Elements that differ from the definition. */
static int check_one(enum pairing pairing, int dims, char vf, char xc)
{
    static const int lead[][3] = {{0, 0, 0}, {1, 1, 1}, {1, 1, 2},
                                  {2, 2, 2}, {1, 2, 1}, {2, 2, 2}};
    const long b = 2, i = 3, o = 4, depth = dims == 3 ? 4 : 1;
    /* Leading extents of input, kernel and result; those that are not used are 1 and
     * come first. */
    const long extents[][6] = {{1, 1, 1, 1, 1, 1}, {1, i, 1, i, 1, i},
                               {1, i, 1, o, o, i}, {b, i, b, o, o, i},
                               {1, i, o, i, 1, o}, {b, i, o, i, b, o}};
    const long *const e = extents[pairing];
    const long step[3] = {dims == 3 ? 2 : 1, 2, draw(1, 3)};
    THFloatTensor *const t = drawn(e[0], e[1], depth, 9, 8);
    THFloatTensor *const k = drawn(e[2], e[3], dims == 3 ? 2 : 1, 3, 2);
    THFloatTensor *const t_view = viewed(t, lead[pairing][0], dims);
    THFloatTensor *const k_view = viewed(k, lead[pairing][1], dims);
    THFloatTensor *const r = THFloatTensor_new();
    long terms = 1, n = 0;
    int wrong = 0;

    call(pairing, dims, r, 0, t_view, k_view, step, vf, xc);
    call(pairing, dims, r, 3, t_view, k_view, step, vf, xc);
    wrong += r->nDimension != lead[pairing][2] + dims;
    if (pairing == REVGERM)
        terms = b;
    if (pairing == MV || pairing == MM)
        terms = i;
    TH_TENSOR_APPLY(float, r, {
        const long columns = r->size[r->nDimension - 1];
        const long rows = r->size[r->nDimension - 2];
        const long planes = dims == 3 ? r->size[r->nDimension - 3] : 1;
        const long at[] = {n / columns / rows % planes, n / columns % rows,
                           n % columns};
        const long plane = n / columns / rows / planes;
        const long p = plane / e[5], q = plane % e[5];
        double sum = 0;

        for (long s = 0; s < terms; s++)
            sum += expected_term(pairing, t, k, p, q, s, at, step, vf, xc);
        wrong += *r_data != (float)(8 * sum);
        n++;
    })
    wrong += n == 0;
    THFloatTensor_free(t);
    THFloatTensor_free(k);
    THFloatTensor_free(t_view);
    THFloatTensor_free(k_view);
    THFloatTensor_free(r);
    return wrong;
}

static void check_refusals(void)
{
    THFloatTensor *const t = THFloatTensor_newWithSize3d(2, 4, 4);
    THFloatTensor *const k = THFloatTensor_newWithSize4d(3, 1, 2, 2);
    THFloatTensor *const big = THFloatTensor_newWithSize3d(2, 5, 2);
    THFloatTensor *const r = THFloatTensor_newWithSize1d(1);

    THFloatTensor_fill(r, 7);
    REFUSED(THFloatTensor_conv2Dmv(r, 0, 1, t, k, 1, 1, "V", "X"),
            "conv2Dmv: invalid number of input or kernel planes, [2 x 4 x 4]");
    REFUSED(THFloatTensor_conv2Dmv(r, 0, 1, t, t, 1, 1, "V", "X"),
            "kernel: 4D Tensor expected");
    REFUSED(THFloatTensor_conv2Dger(r, 0, 1, t, big, 1, 1, "V", "X"),
            "conv2Dger : Input image is smaller than kernel");
    REFUSED(THFloatTensor_conv2Dger(r, 0, 1, t, t, 0, 1, "V", "X"), "Stride should be");
    REFUSED(THFloatTensor_conv2Dger(r, 0, 1, t, t, 1, 1, "W", "X"),
            "type of convolution");
    tap_ok(r->nDimension == 1 && THFloatTensor_get1d(r, 0) == 7,
           "refused calls write nothing");
    THFloatTensor_free(t);
    THFloatTensor_free(k);
    THFloatTensor_free(big);
    THFloatTensor_free(r);
}

/* Results that are operands, on plain memory, of integers that wrap. */
static void check_rest(void)
{
    THByteTensor *const t = THByteTensor_newWithSize2d(2, 2);
    unsigned char plain[1] = {5}, input[4] = {255, 1, 2, 3}, kernel[4] = {2, 1, 1, 1};

    memcpy(THByteTensor_data(t), input, sizeof input);
    THByteTensor_validConv2Dptr(plain, 1, input, 2, 2, kernel, 2, 2, 1, 1);
    tap_ok(plain[0] == (unsigned char)(5 + 255 + 1 + 2 + 6), "bytes wrap");
    THByteTensor_validXCorr2Dptr(plain, 1, input, 1, 2, kernel, 2, 2, 1, 1);
    tap_ok(plain[0] == (unsigned char)(5 + 255 + 1 + 2 + 6),
           "a kernel that is too large");
    THByteTensor_conv2Dmul(t, 0, 1, t, t, 1, 1, "V", "X");
    tap_ok(t->size[0] == 1 && t->size[1] == 1 &&
               THByteTensor_get2d(t, 0, 0) == (unsigned char)(1 + 1 + 4 + 9),
           "the result may be both operands");
    THByteTensor_free(t);
}

int main(void)
{
    static const char *const names[] = {"mul", "cmul", "ger", "Revgerm", "mv", "mm"};

    handle_errors();
    for (int dims = 2; dims <= 3; dims++)
        for (enum pairing pairing = MUL; pairing <= MM; pairing++) {
            if (pairing != REVGERM && (pairing != MM || dims == 2))
                for (int kind = 0; kind < 4; kind++)
                    tap_ok(check_one(pairing, dims, "VF"[kind / 2], "XC"[kind % 2]) ==
                               0,
                           "conv%dD%s %c %c", dims, names[pairing], "VF"[kind / 2],
                           "XC"[kind % 2]);
            if (pairing == GER || (pairing == REVGERM && dims == 2))
                tap_ok(check_one(pairing, dims, 'R', 'X') == 0, "conv%dD%s reversed",
                       dims, names[pairing]);
        }
    check_rest();
    check_refusals();
    return tap_done();
}
