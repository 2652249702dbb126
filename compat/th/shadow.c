/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs: calls of TH are computed as they would broadcast, too, and memory whose
 * elements differ is followed.
 */
#include "core.h"

int THHasShadows_; /* set once, by th_context() */

static _Thread_local bool is_due;

void th_set_due(bool due)
{
    is_due = due;
}

bl_shadow *th_begin_shadow(const bl_array *out, int count, const bl_array *const *in,
                           bl_shadow_function function, void *user)
{
    const bool was_due = is_due;

    is_due = false;
    /* An operand that is the result has got its shape already. */
    for (int k = 0; k < count; k++)
        if (in[k]->data == out->data)
            return NULL;
    return was_due ? bl_shadow_begin(NULL, out->dtype, count, in, function, user)
                   : NULL;
}

static void read_at(bl_shadow_how how, const bl_array *array, struct th_place place)
{
    bl_shadow_read(how, array, place.file, place.line, place.address);
}

void th_read(bl_shadow_how how, const bl_array *array, struct th_call call)
{
    read_at(how, array, th_take_place(call));
}

void th_read_admitted(int count, const bl_array *const *arrays)
{
    for (int k = 0; th_shadows() && k < count; k++)
        read_at(BL_SHADOW_ITEM, arrays[k], th_taken_place());
}

void th_carry(const bl_array *out, int count, const bl_array *const *in)
{
    if (th_shadows())
        bl_shadow_carry(out, count, in);
}

void th_forget(const void *data, size_t size)
{
    if (th_shadows())
        bl_shadow_forget(data, size);
}
