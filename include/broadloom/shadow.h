/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs: calls whose result pairing as 1-D and broadcasting give differently are
 * computed both ways.  The program goes on with the result that it asked for; the two
 * are compared, and what differs is found in the report of <broadloom/warnings.h>.
 *
 * A result with elements that differ is marked by its address, and so is what the
 * library computes from it, until the memory is freed or overwritten by other results.
 * Counted is where elements of marked memory leave the library: where its address is
 * asked for, an element is read, or it is saved.  What a program does through a pointer
 * that it already has is not seen.  256 ranges of memory are marked at most, and
 * differences of 255 places followed; of more, the oldest is forgotten, and counted.
 *
 * Compared are calls of operators with new results or existing ones, under any rules,
 * bl_dist(), and those of Torch's C library.  Other calls that differ are counted
 * alone: those of plans and expressions, bl_map(), and of both libraries masked_select,
 * and dist where broadcasting pairs more than 262144 elements.  Elements are compared
 * as numbers, in the shape that broadcasting gives; of more than 262144, those at every
 * second, third, ... index.  Without memory for the other result a call goes on without
 * a comparison.
 *
 * Functions are thread-safe.  A forked child starts without marks.
 */
#ifndef BROADLOOM_SHADOW_H
#define BROADLOOM_SHADOW_H

#include <broadloom/tensor.h>

/*
 * As many calls as keep those that differ within three times their time, by an estimate
 * that depends on their shapes alone.
 */
#define BL_SHADOW_AUTO (-1)

/* How elements leave the library. */
typedef enum bl_shadow_how {
    BL_SHADOW_DATA = 0, /* their address is asked for */
    BL_SHADOW_ITEM = 1, /* one, or a number computed from them, is returned */
    BL_SHADOW_SAVE = 2  /* they are written to a file */
} bl_shadow_how;

/* The other result of a call under way. */
typedef struct bl_shadow bl_shadow;

/*
 * Compute an operation on other operands: `inputs` have the shape of `out`, or are
 * scalars.
 */
typedef bl_status (*bl_shadow_function)(void *user, const bl_array *out, int32_t count,
                                        const bl_array *const *inputs);

BL_BEGIN_DECLS

/*
 * Compare, of each thread's calls at a place with the same shapes, the first and every
 * `every`-th after it (a thread knows 128 of these at a time, and calls whose warning
 * is reported are counted for all threads together): 1 all, BL_SHADOW_AUTO some; 0, as
 * at the start, none.  Turns the broadcast warning on, and precise.  The environment's
 * BROADLOOM_COMPAT_SHADOW has the number, or "auto".  BL_ERR_ARGUMENT for a negative
 * one.
 */
BL_API BL_MUST_CHECK bl_status bl_shadow_set_every(int64_t every);
BL_API int64_t bl_shadow_every(void);

/* ---- for bindings ---- */

/*
 * Compute a call of a binding that pairs as 1-D the other way, by `function`, into a
 * new tensor of `dtype`: the call of which this thread has just raised the warning, by
 * bl_warnings_raise_pointwise().  Call it before the result is written.  NULL where
 * that call needs no comparison, or there is no memory; `function` may be NULL for
 * calls that cannot be compared.
 */
BL_API bl_shadow *bl_shadow_begin(bl_context *ctx, bl_dtype dtype, int32_t count,
                                  const bl_array *const *inputs,
                                  bl_shadow_function function, void *user);

/*
 * Compare the call's result, which is marked where it differs; NULL where the call
 * failed.  A result of rank 0 is compared with the first element that `function` has
 * written, if it was given all elements.  Frees `shadow`; NULL does nothing.
 */
BL_API void bl_shadow_end(bl_shadow *shadow, const bl_array *result);

/*
 * `out` was computed from `inputs`, by code of a binding: it is marked where one of
 * these is, and else no longer.
 */
BL_API void bl_shadow_carry(const bl_array *out, int32_t count,
                            const bl_array *const *inputs);

/*
 * Elements of an array leave the library, at a line of a file; where that is NULL at
 * the line that bl_call_site_enter() has set, else at an address that the call returns
 * to.
 */
BL_API void bl_shadow_read(bl_shadow_how how, const bl_array *array, const char *file,
                           int32_t line, const void *address);

/* Memory is freed. */
BL_API void bl_shadow_forget(const void *data, size_t bytes);

BL_END_DECLS

#endif
