/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texts of status codes.
 */
#include "core/core.h"

const char *bl_status_string(bl_status status)
{
    switch (status) {
#define BL_STATUS(name, value, text, contract)                                         \
    case BL_##name:                                                                    \
        return text;
#include "core/tables/status.def"
#undef BL_STATUS
    }
    return "unknown status";
}
