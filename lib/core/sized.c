/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading and writing public structs whose size differs between versions.
 */
#include "core/sized.h"

#include "core/error.h"

#include <string.h>

static size_t size_of(const void *given)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    return size;
}

bool bli_sized_is_valid(const void *given, size_t least)
{
    return given && size_of(given) >= least && size_of(given) <= BLI_SIZED_MOST;
}

bl_status bli_sized_check(const void *given, size_t least, const char *what)
{
    if (!given)
        return bli_error_null(what);
    if (!bli_sized_is_valid(given, least))
        return bli_error_argument(what, "%s->size is %zu, not %zu to %d", what,
                                  size_of(given), least, BLI_SIZED_MOST);
    return BL_OK;
}

bl_status bli_sized_read(void *known, size_t bytes, size_t least, const void *given,
                         const char *what)
{
    const unsigned char *const byte = given;

    BL_TRY(bli_sized_check(given, least, what));

    const size_t size = size_of(given);

    for (size_t i = bytes; i < size; i++)
        if (byte[i] != 0)
            return bli_fault_argument(
                bl_error_set(BL_ERR_UNSUPPORTED,
                             "%s: a member is set that is reserved or newer than the "
                             "library, at byte %zu",
                             what, i),
                what);
    memcpy(known, given, size < bytes ? size : bytes);
    memcpy(known, &bytes, sizeof bytes);
    return BL_OK;
}

void bli_sized_write(void *given, const void *known, size_t bytes)
{
    const size_t size = size_of(given);

    memcpy(given, known, size < bytes ? size : bytes);
    if (size > bytes)
        memset((char *)given + bytes, 0, size - bytes);
    memcpy(given, &size, sizeof size);
}
