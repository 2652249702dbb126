/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of public structs matches structs.def, so that programs compiled against
 * it continue to run; and structs that may grow end with a member, not with padding,
 * which a new member could take without a change of size.
 */
#include <broadloom.h>
#include <broadloom/expr_call.h>
#include <broadloom/hdf5.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

#include <stddef.h>
#include <string.h>

static const struct row {
    const char *type;
    const char *member; /* NULL: the struct itself */
    size_t is, was;     /* bytes of the struct, or the member's offset */
    size_t bytes;       /* of the member */
    size_t least;       /* size that calls accept; 0 of a frozen struct */
} rows[] = {
#define ABI_FROZEN(type, was)       {#type, NULL, sizeof(type), was, 0, 0},
#define ABI_SIZED(type, was, least) {#type, NULL, sizeof(type), was, 0, least},
#define ABI_MEMBER(type, member, offset)                                               \
    {#type, #member, offsetof(type, member), offset, sizeof((type *)0)->member, 0},
#include "structs.def"
#undef ABI_FROZEN
#undef ABI_SIZED
#undef ABI_MEMBER
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void check_end(const struct row *row)
{
    const struct row *last = row;

    while (last + 1 < rows + ROWS && last[1].member)
        last++;
    tap_ok(last->is + last->bytes == row->is, "%s has no padding at its end",
           row->type);
    tap_ok(row->least <= row->is && strcmp(row[1].member, "size") == 0,
           "%s begins with its size", row->type);
}

int main(void)
{
    tap_plan();
    if (sizeof(void *) != 8 || sizeof(size_t) != 8) {
        tap_skip("layout of structs", "the table is of 64-bit machines");
        return tap_done();
    }
    for (size_t i = 0; i < ROWS; i++) {
        tap_ok(rows[i].is == rows[i].was, "%s%s%s was %zu and is %zu", rows[i].type,
               rows[i].member ? "." : "", rows[i].member ? rows[i].member : "",
               rows[i].was, rows[i].is);
        if (rows[i].least != 0)
            check_end(&rows[i]);
    }
    return tap_done();
}
