/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the last error, as a program sees them.
 */
#include "core/error_record.h"
#include "core/sized.h"

static bl_status query(bl_error_info *info)
{
    const struct bli_error_record *const record = bli_error_record();
    bl_error_info known = record ? record->info : bli_error_bare(bli_error_last());

    BL_TRY(BLI_SIZED_CHECK(info, bytes, "info"));
    known.operands = record ? record->operand : NULL;
    known.function = record ? record->function : "";
    known.argument = record ? record->argument : "";
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_error_query(bl_error_info *info)
{
    BLI_RETURN_CALL(query(info), "");
}
