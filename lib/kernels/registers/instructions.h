/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and forms of instructions, and their numbers, the same for all machines:
 * code_<name>_<form>_<bank>.
 */
#ifndef BLI_INSTRUCTIONS_H
#define BLI_INSTRUCTIONS_H

enum bli_operand_form {
    BLI_FORM_M,
    BLI_FORM_S,
    BLI_FORM_X,
    BLI_FORM_Y,
    BLI_FORM_N,
    BLI_FORM_RM, /* BLI_FORM_R + M, and so on */
    BLI_FORM_RS,
    BLI_FORM_RX,
    BLI_FORM_RY,
    BLI_FORMS,
    BLI_FORM_R = BLI_FORM_RM
};

/* The names of instructions.def. */
enum bli_name {
    BLI_NAME_add,
    BLI_NAME_mul,
    BLI_NAME_mul_add,
    BLI_NAME_mul_add_twice,
    BLI_NAME_sub,
    BLI_NAME_div,
    BLI_NAME_maximum,
    BLI_NAME_minimum,
    BLI_NAME_eq,
    BLI_NAME_ne,
    BLI_NAME_lt,
    BLI_NAME_le,
    BLI_NAME_neg,
    BLI_NAME_abs,
    BLI_NAME_sqrt,
    BLI_NAME_square,
    BLI_NAME_square_nearest,
    BLI_NAME_round_down,
    BLI_NAME_round_even,
    BLI_NAME_reciprocal,
    BLI_NAME_relu,
    BLI_NAME_isnan,
    BLI_NAME_isinf,
    BLI_NAME_isfinite,
    BLI_NAME_both,
    BLI_NAME_either,
    BLI_NAME_differ,
    BLI_NAME_not,
    BLI_NAME_number,
    BLI_NAME_truth,
    BLI_NAME_where_x,
    BLI_NAME_where_y,
    BLI_NAME_load,
    BLI_NAME_load_f32,
    BLI_NAME_load_f16,
    BLI_NAME_load_bf16,
    BLI_NAME_load_i32,
    BLI_NAME_load_u8,
    BLI_NAME_load_bool,
    BLI_NAME_store,
    BLI_NAME_fold,
    BLI_NAME_store_f32,
    BLI_NAME_store_f16,
    BLI_NAME_store_bf16,
    BLI_NAME_store_u8,
    BLI_NAME_store_bool,
    BLI_NAME_round_f16,
    BLI_NAME_round_bf16,
    BLI_NAME_spill,
    BLI_NAME_fill,
    BLI_NAMES
};

#define BLI_CODE_(name, form, bank) code_##name##_##form##_##bank
#define BLI_CODE(name, form, bank)  BLI_CODE_(name, form, bank)

enum bli_code {
    code_end, /* of a group */
#define BLI_BANKS                  0
#define BLI_COMPUTES               0
#define BLI_BOTH(kind, name, form) BLI_CODE(name, form, BLI_D),
#include "kernels/registers/each_bank.h"
#undef BLI_BANKS
#undef BLI_COMPUTES
    BLI_CODES
};

#endif
