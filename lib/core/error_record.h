/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The record of a thread's last error, for error.c, which has the fault, error_call.c,
 * which has the call, and error_query.c.
 */
#ifndef BLI_ERROR_RECORD_H
#define BLI_ERROR_RECORD_H

#include "core/error.h"

/* Room for a name; a longer one is cut. */
#define BLI_ERROR_NAME 64

struct bli_error_record {
    bl_error_info info;
    uint32_t count; /* of errors so far */
    int32_t fault;  /* number of the operand at fault; -1: known by name or none */
    char message[1024];
    char where[512];
    char function[BLI_ERROR_NAME];
    char argument[BLI_ERROR_NAME];
    char other[BLI_ERROR_NAME];
    int32_t number[BLI_MAX_OPERANDS];
    bl_error_operand operand[BLI_MAX_OPERANDS];
    char name[BLI_MAX_OPERANDS][BLI_ERROR_NAME];
    int64_t extent[BLI_MAX_OPERANDS][BL_MAX_RANK];
};

/* That of the calling thread; NULL before its first error, and if it got no memory. */
struct bli_error_record *bli_error_record(void);

/* Copy a name that may be NULL, cut to the room there is. */
void bli_error_name(char to[BLI_ERROR_NAME], const char *from);

/* What is known of an error that has nothing but a status. */
bl_error_info bli_error_bare(bl_status status);

/* The status of the last error, also where there is no record. */
bl_status bli_error_last(void);

#endif
