/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/same.h"

#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"
#include "reference/ref.h"

bool arrays_are_same(const bl_array *a, const bl_array *b)
{
    if (a->dtype != b->dtype || a->rank != b->rank || ref_count(a) != ref_count(b))
        return false;
    for (int64_t i = 0; i < ref_count(a); i++)
        if (memcmp(ref_at(a, i), ref_at(b, i), ref_size(a->dtype)) != 0)
            return false;
    return true;
}

bool tensors_are_same(bl_tensor *a, bl_tensor *b)
{
    const bool same = arrays_are_same(bl_tensor_array(a), bl_tensor_array(b));

    bl_tensor_release(a);
    bl_tensor_release(b);
    return same;
}

void repeat(char *memory, size_t bytes, size_t period)
{
    for (size_t done = period; done < bytes; done *= 2)
        memcpy(memory + done, memory, done < bytes - done ? done : bytes - done);
}

void must(bl_status status)
{
    if (status == BL_OK)
        return;
    tap_note("%s", bl_error_message());
    abort();
}
