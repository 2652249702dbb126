/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the procedures of the Fortran module are made of.  They are C functions that get
 * array descriptors of a Fortran compiler; it is the one whose <ISO_Fortran_binding.h>
 * this is compiled with.  Dimensions are reversed: a(n,m) is the f64[m,n] that its
 * memory is.  Public headers of the library alone.
 */
#ifndef BROADLOOM_FORTRAN_GLUE_H
#define BROADLOOM_FORTRAN_GLUE_H

#include <ISO_Fortran_binding.h>
#include <broadloom/expr.h>
#include <broadloom/mask.h>
#include <broadloom/ops.h>
#include <broadloom/reduce.h>

/* Operands of an expression, and results. */
#define BLF_INPUTS  8
#define BLF_RESULTS 4

#define BLF_MAX_OPERANDS (BLF_INPUTS + BLF_RESULTS)
#define BLF_TEXT         1024

/* Hidden outside the library; the procedures themselves are marked BL_API. */
typedef const CFI_cdesc_t *blf_actual;

/* The length of a character argument: none where it is not allocated. */
static inline size_t blf_length(blf_actual text)
{
    return text->base_addr ? text->elem_len : 0;
}

/* type(bl_context); NULL where the argument is absent, which is the default context. */
typedef struct blf_context {
    bl_context *ctx;
} blf_context;

/* type(bl_expr), type(bl_expr_plan); NULL where they were not created. */
typedef struct blf_expr {
    bl_expr *expr;
} blf_expr;
typedef struct blf_expr_plan {
    struct blf_plan *plan;
} blf_expr_plan;

/*
 * The arguments that every procedure ends with, NULL where absent.  Without `stat` a
 * refusal is ERROR STOP.
 */
struct blf_end {
    int *stat;
    blf_actual errmsg;
    const blf_context *ctx;
};

/* An actual argument, and the array that it is. */
struct blf_operand {
    const char *name;
    blf_actual actual;
    bl_array array;
    bl_tensor *converted; /* a mask of another kind than c_bool, as bool; else NULL */
    int64_t extent[CFI_MAX_RANK];
    int64_t stride[CFI_MAX_RANK];
};

/* A call in progress: start with blf_begin(), end with blf_finish(). */
struct blf_call {
    const char *procedure; /* "bl_add" */
    struct blf_end end;
    int count;          /* of operands */
    bool is_expression; /* the library's names of operands may be of its parts */
    const bl_expr *expr;
    struct blf_operand operand[BLF_MAX_OPERANDS];
    char text[BLF_TEXT]; /* why the glue refuses it; empty: as the library says */
    char place[160];     /* of an expression's text, that is refused; empty: none */
};

/* The context of a call. */
static inline bl_context *blf_context_of(const struct blf_call *call)
{
    return call->end.ctx ? call->end.ctx->ctx : NULL;
}

/* ---- call.c ---- */

void blf_begin(struct blf_call *call, const char *procedure, struct blf_end end);

/* Free what the call has made; report `status` by stat and errmsg, or ERROR STOP. */
void blf_finish(struct blf_call *call, bl_status status);

/*
 * Write a result that the library made, if `*result` is one, to `out`: the same shape,
 * no copy of higher category.  Releases `*result`.
 */
bl_status blf_deliver(struct blf_call *call, bl_tensor *result,
                      const struct blf_operand *out);

/* ---- types.c ---- */

/* BL_DTYPE_NONE for a type that has none. */
bl_dtype blf_dtype_of(blf_actual actual);

/* Whether an actual argument is a logical; whether it is one that is not bool. */
bool blf_is_logical(blf_actual actual);
bool blf_is_wide_logical(blf_actual actual);

/* The Fortran type of an actual argument or a dtype, "real(8)", in `text`. */
const char *blf_type_name(blf_actual actual, char *text, size_t size);
const char *blf_dtype_name(bl_dtype dtype);

/* ---- operand.c ---- */

/*
 * Describe one more operand: `*out` is it.  BL_ERR_UNSUPPORTED for a descriptor of
 * another version, BL_ERR_DTYPE for a type without a dtype, BL_ERR_ARGUMENT for what is
 * absent, not allocated or of assumed size.
 */
bl_status blf_open(struct blf_call *call, const char *name, blf_actual actual,
                   struct blf_operand **out);

/* Describe a result: refused where it has no address, though an empty vector. */
bl_status blf_open_result(struct blf_call *call, const char *name, blf_actual actual,
                          struct blf_operand **out);

/* Describe a mask, of which another kind than c_bool is converted. */
bl_status blf_open_mask(struct blf_call *call, const char *name, blf_actual actual,
                        struct blf_operand **out);

/*
 * A logical that is not bool has room for integers that are no logical values: refuse
 * one as a result of what gives other elements than booleans, or moves other elements
 * than those of logicals (`gives_logical`).
 */
bl_status blf_check_logical(struct blf_call *call, bool gives_logical,
                            const struct blf_operand *result);

/*
 * Let inputs of lower rank than the result begin at its dimension `along`, by
 * dimensions of extent 1 before their own.  NULL is 1.
 */
bl_status blf_align(struct blf_call *call, const int *along, const bl_array *result);

/* ---- text.c ---- */

/* Set the call's text; returns `status`. */
bl_status blf_refuse(struct blf_call *call, bl_status status, const char *format, ...)
    BL_PRINTF(3, 4);

/* Write what the library says of the calling thread's last error in Fortran's words. */
void blf_translate(const struct blf_call *call, bl_status status, char *text,
                   size_t size);

/* ---- operators.c, reductions.c: what the generated procedures call ---- */

/* Apply an operator to `in`; without `out` it is in place. */
void blf_apply(const char *procedure, bl_op op, int count, const blf_actual *in,
               blf_actual out, const int *along, struct blf_end end);

void blf_reduce(const char *procedure, bl_reduction op, blf_actual in, blf_actual out,
                blf_actual dim, const double *correction, struct blf_end end);

/* ---- expression_text.c ---- */

/* Parse an expression.  `*made`, unless NULL, is to be freed, also where refused. */
bl_status blf_parse(struct blf_call *call, blf_actual text, bl_expr **made);

/*
 * Of an error that cites a parsed text, make axes the dimensions that were written.  It
 * has less than BLF_TEXT characters.
 */
void blf_drop_signs(char *text);

/* ---- module ---- */

/* ERROR STOP with a text of `length` characters. */
_Noreturn void blf_error_stop(const char *text, int length);

#endif
