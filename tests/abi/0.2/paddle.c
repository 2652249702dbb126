/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PaddlePaddle's functions in three forms, directly and by their symbols.
 */
#include "kept.h"

#include <broadloom/paddle.h>

typedef bl_status new_form(bl_context *, const bl_array *, const bl_array *, int32_t,
                           bl_tensor **);
typedef bl_status out_form(bl_context *, const bl_array *, const bl_array *,
                           const bl_array *, int32_t);
typedef bl_status inplace_form(bl_context *, const bl_array *, const bl_array *,
                               int32_t);

static double x[6], y[2] = {2, 3}, r[6];

static void load(void)
{
    for (int i = 0; i < 6; i++)
        x[i] = 7 + i;
}

static bool holds(const double *numbers, double first, double last)
{
    return kept_near(numbers[0], first) && kept_near(numbers[5], last);
}

/* x (2,3) and y (2) along axis 0: the first result is of 7 and 2, the last of 12 and 3.
 */
#define ALL(name, first, last)                                                         \
    do {                                                                               \
        new_form *volatile make = bl_paddle_elementwise_##name;                        \
        out_form *volatile write = bl_paddle_elementwise_##name##_out;                 \
        inplace_form *volatile replace = bl_paddle_elementwise_##name##_inplace;       \
        const bl_array *const left = BL_VIEW(x, 2, 3), *const right = BL_VIEW(y, 2);   \
        const bl_array *const out = BL_VIEW(r, 2, 3);                                  \
        bl_tensor *tensor = NULL, *again = NULL;                                       \
                                                                                       \
        load();                                                                        \
        if (!OK(bl_paddle_elementwise_##name(NULL, left, right, 0, &tensor)) ||        \
            !OK(make(NULL, left, right, 0, &again)))                                   \
            break;                                                                     \
        CHECK(holds(bl_tensor_array(tensor)->data, first, last));                      \
        CHECK(holds(bl_tensor_array(again)->data, first, last));                       \
        bl_tensor_release(again);                                                      \
        bl_tensor_release(tensor);                                                     \
        memset(r, 0, sizeof r);                                                        \
        OK(bl_paddle_elementwise_##name##_out(NULL, out, left, right, 0));             \
        CHECK(holds(r, first, last));                                                  \
        memset(r, 0, sizeof r);                                                        \
        OK(write(NULL, out, left, right, 0));                                          \
        CHECK(holds(r, first, last));                                                  \
        OK(bl_paddle_elementwise_##name##_inplace(NULL, left, right, 0));              \
        CHECK(holds(x, first, last));                                                  \
        load();                                                                        \
        OK(replace(NULL, left, right, 0));                                             \
        CHECK(holds(x, first, last));                                                  \
    } while (0)

int main(void)
{
    ALL(add, 9, 15);
    ALL(sub, 5, 9);
    ALL(mul, 14, 36);
    ALL(div, 3.5, 4);
    ALL(max, 7, 12);
    ALL(min, 2, 3);
    ALL(pow, 49, 1728);
    ALL(mod, 1, 0);
    ALL(floordiv, 3, 4);
    return failures;
}
