/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs of programs for Torch's TH: functions that move or add elements are
 * followed.
 */
#include "th/shadow.h"

/* r has 4 x 1 elements, `from` too, or for writes of one only the last of them. */
static THLongTensor *at; /* the first index */

static void select_first(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_indexSelect(r, from, 0, at);
}

static void copy_to_first(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_indexCopy(r, 0, at, from);
}

static void gather_first(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_gather(r, from, 0, at);
}

static void scatter_first(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_scatter(r, 0, at, from);
}

static void take_first(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_take(r, from, at);
}

static void put_first(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_put(r, at, from, 0);
}

static void take_diagonal(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_diag(r, from, 0);
}

static void convolve(THFloatTensor *r, THFloatTensor *from)
{
    THFloatTensor_conv2Dmul(r, 0, 1, from, row, 1, 1, "V", "X");
}

/* Results of such functions are followed if what they read differs, and else not. */
static void check_moved(void)
{
    static const struct {
        const char *what;
        void (*call)(THFloatTensor *r, THFloatTensor *from);
        int rank; /* of the index */
        bool writes;
    } calls[] = {
        {"indexSelect", select_first, 1, false}, {"indexCopy", copy_to_first, 1, true},
        {"gather", gather_first, 2, false},      {"scatter", scatter_first, 2, true},
        {"take", take_first, 1, false},          {"put", put_first, 1, true},
        {"diag", take_diagonal, 1, false},       {"conv2Dmul", convolve, 1, false}};

    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        long reads[2];

        for (int differs = 0; differs < 2; differs++) {
            THFloatTensor *const to = THFloatTensor_newWithSize2d(4, 1);

            at = THLongTensor_newWithSize2d(1, 1);
            THLongTensor_fill(at, TH_INDEX_BASE);
            if (calls[k].rank == 1)
                THLongTensor_resize1d(at, 1);
            prepare(differs ? 0 : 5);
            THFloatTensor_csub(result, column, 1, row);
            THFloatTensor_resize2d(row, 1, 1); /* a convolution's kernel */
            if (calls[k].writes)
                THFloatTensor_narrow(result, NULL, 0, 3, 1);
            calls[k].call(to, result);
            (void)THFloatStorage_get(to->storage, to->storageOffset);
            find();
            reads[differs] = count_reads("item");
            finish();
            THLongTensor_free(at);
            THFloatTensor_free(to);
        }
        tap_ok(reads[0] == 0 && reads[1] == 1, "%s carries what differs",
               calls[k].what);
    }
}

int main(void)
{
    tap_plan();
    if (bl_shadow_set_every(1) != BL_OK)
        return 1;
    check_moved();
    return tap_done();
}
