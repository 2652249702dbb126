/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All kernels for one instruction set: BLI_ISA_NAME, a row of isa.def, with the
 * compiler's flags for it.  Exports the table bli_isa_<name> and nothing else.
 *
 * ops.def x dtypes.def become element functions (loops.tmpl.h), the loops around them
 * are in loops.h, what expressions call in arithmetic.h and convert.h.
 */
#include "isa/kernel.h"

#include "isa/arithmetic.h"
#include "isa/convert.h"
#include "isa/loops.h"

/* As a macro it would be replaced before it can be a part of a name. */
#undef bool
typedef _Bool bool;

#define PASTE_(a, b)     a##b
#define PASTE(a, b)      PASTE_(a, b)
#define PASTE3_(a, b, c) a##b##c
#define PASTE3(a, b, c)  PASTE3_(a, b, c)
#define STRING_(a)       #a
#define STRING(a)        STRING_(a)

/* What the templates want to know of a dtype by its name. */
#define BL_DTYPE(name, value, class, stored, computed, npy, doc)                       \
    typedef stored stored_##name;                                                      \
    typedef computed computed_##name;                                                  \
    enum { value_##name = (value), class_##name = (int)BLI_CLASS_##class };
#include "core/dtypes.def"
#undef BL_DTYPE

/* Whether a domain of operators holds a dtype. */
#define BLI_TAKES(domain, dtype) ((BLI_DOMAIN_##domain & PASTE(class_, dtype)) != 0)

#define BLI_DTYPE_TEMPLATE "isa/loops.tmpl.h"
#include "core/dtypes.def"
#undef BLI_DTYPE_TEMPLATE

static bli_kernel *const kernels[][BLI_DTYPES] = {
#define BLI_TABLE_OPS      1
#define BLI_DTYPE_TEMPLATE "isa/table.tmpl.h"
#include "core/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
#undef BLI_TABLE_OPS
};

static bli_kernel *const conversions[BLI_DTYPES][BLI_DTYPES] = {
#define BLI_TABLE_OPS      0
#define BLI_DTYPE_TEMPLATE "isa/table.tmpl.h"
#include "core/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
#undef BLI_TABLE_OPS
};

/* In pick.c, without this file's flags: it may run on a machine that lacks them. */
bool PASTE(bli_isa_available_, BLI_ISA_NAME)(void);

extern const struct bli_isa PASTE(bli_isa_, BLI_ISA_NAME);
const struct bli_isa PASTE(bli_isa_, BLI_ISA_NAME) = {
    .name = STRING(BLI_ISA_NAME),
    .available = PASTE(bli_isa_available_, BLI_ISA_NAME),
    .kernel = kernels,
    .convert = conversions,
};
