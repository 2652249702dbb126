/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of public structs matches structs.def, so that programs compiled against
 * it continue to run.
 */
#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

#include <stddef.h>

static const struct {
    const char *name;
    size_t is, was;
} rows[] = {
#define ABI_STRUCT(type, bytes) {#type, sizeof(type), bytes},
#define ABI_MEMBER(type, member, offset)                                               \
    {#type "." #member, offsetof(type, member), offset},
#include "structs.def"
#undef ABI_STRUCT
#undef ABI_MEMBER
};

int main(void)
{
    tap_plan();
    if (sizeof(void *) != 8 || sizeof(size_t) != 8) {
        tap_skip("layout of structs", "the table is of 64-bit machines");
        return tap_done();
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        tap_ok(rows[i].is == rows[i].was, "%s was %zu and is %zu", rows[i].name,
               rows[i].was, rows[i].is);
    return tap_done();
}
