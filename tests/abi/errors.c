/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A refused call of every exported function that returns a status: the error has the
 * status, a message, and the name of the call with its arguments.  A function of the
 * headers that is neither in errors.def nor a named form fails.
 */
#include <broadloom.h>
#include <broadloom/dlpack.h>
#include <broadloom/expr_call.h>
#include <broadloom/expr_part.h>
#include <broadloom/paddle.h>
#include <broadloom/reduce_pieces.h>
#include <broadloom/shadow.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- operands ---- */

static float values[6];
static bool truths[4];
static const int64_t extent[] = {2, 3}, long_extent[] = {4}, huge = INT64_MAX;
static const int32_t axes[] = {1, 1};
static const bl_array matrix = {values, BL_DTYPE_F32, 2, extent, NULL, 0};
static const bl_array four = {values, BL_DTYPE_F32, 1, long_extent, NULL, 0};
static const bl_array mask = {truths, BL_DTYPE_BOOL, 1, long_extent, NULL, 0};
static const bl_array *const pair[] = {&matrix, &four};
static const bl_array *const same[] = {&matrix, &matrix};
static const void *const nothing[] = {NULL, NULL};
static void *const no_outs[] = {NULL, NULL};
static const bl_shape shapes[] = {{2, extent}, {1, long_extent}};
static const bl_rules_operand operands[] = {{{2, extent}, BL_ROLE_PAIRED, NULL},
                                            {{1, long_extent}, BL_ROLE_PAIRED, NULL}};
static const bl_rules_query query = {.size = sizeof query,
                                     .mode = BL_MODE_NEW,
                                     .axis = BL_AXIS_LAST,
                                     .count = 2,
                                     .operand = operands};
static const bl_placement nowhere = {.kind = 77};

/* A sum of (4,1) and (4), which Torch took pointwise. */
static const int64_t column_extent[] = {4, 1};
static const bl_rules_operand column[] = {{{2, column_extent}, BL_ROLE_PAIRED, NULL},
                                          {{1, long_extent}, BL_ROLE_PAIRED, NULL}};
static const bl_rules_query changing = {.size = sizeof changing,
                                        .op = BL_OP_ADD,
                                        .mode = BL_MODE_NEW,
                                        .axis = BL_AXIS_LAST,
                                        .count = 2,
                                        .operand = column};
static bl_rules_answer changed;

static bl_layout layout, view;
static bl_tensor *given, *tensor;
static bl_plan *plan, *made;
static bl_plan_begun *begun;
static bl_array lent;
static struct DLManagedTensorVersioned *versioned;
static struct DLManagedTensor *unversioned;
static bl_expr *expr, *new_expr; /* of "a / b; a" */
static bl_expr_plan *expr_plan, *new_expr_plan;
static _Alignas(64) char aligned_room[64];
static bl_expr_node_info expr_node = {.size = sizeof expr_node};
static bl_expr_call expr_call = {.size = sizeof expr_call};
static char npy[BL_NPY_HEADER_MAX];
static size_t npy_bytes;
static bl_array described;
static bl_reduce_pieces *pieces, *new_pieces; /* sums of f32 */
static bl_op_info op_info = {.size = sizeof op_info};
static bl_node_info node_info = {.size = sizeof node_info};
static bl_broadcast_info broadcast;
static bl_rules_answer answer;
static bl_dtype dtype;
static bl_range range;
static bl_slice slice;
static int32_t count;
static int64_t extents[BL_MAX_RANK];

static void function(void *user, int64_t numel, void *out, const void *const *in)
{
    (void)user, (void)numel, (void)out, (void)in;
}

static bool writer(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    return false;
}

static bool open_operands(void)
{
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_backcompat_keepdim_warning_set_enabled(true);
    return bl_layout_compact(2, extent, &layout) == BL_OK &&
           bl_tensor_empty(NULL, BL_DTYPE_F32, 2, extent, &given) == BL_OK &&
           bl_plan_create(NULL, BL_OP_ADD, NULL, 2, same, NULL, &plan) == BL_OK &&
           bl_expr_parse(NULL, "a / b; a", 0, NULL, &expr) == BL_OK &&
           bl_expr_plan_create(NULL, expr, NULL, same, NULL, &expr_plan) == BL_OK &&
           bl_reduce_pieces_create(NULL, BL_REDUCTION_SUM, BL_DTYPE_F32, 0, NULL, NULL,
                                   &pieces) == BL_OK &&
           bl_rules_resolve(NULL, &changing, &changed) == BL_OK &&
           (changed.events = bl_change_find(&changing, &changed, BL_PREDICATE_EXACT,
                                            changed.event)) > 0 &&
           bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_NONE, NULL) == BL_OK;
}

/* ---- calls ---- */

/* Named forms are called with null operands: C has no other way to call all of them. */
#define IN_1 NULL
#define IN_2 NULL, NULL
#define IN_3 NULL, NULL, NULL
#define IN_4 NULL, NULL, NULL, NULL
#define A_1  "a null"
#define A_2  "a null, b null"
#define A_3  "a null, b null, c null"
#define A_4  "a null, b null, c null, d null"

#define MADE(name, n, a)                                                               \
    CALL(bl_##name, (NULL, IN_##n, &tensor), ARGUMENT, "(" a ")")                      \
    CALL(bl_##name##_out, (NULL, &matrix, IN_##n), ARGUMENT, "(out f32[2,3], " a ")")
#define IN_PLACE(name, n)                                                              \
    CALL(bl_##name##_inplace, (NULL, IN_##n), ARGUMENT, "(" A_##n ")")

#define BL_OP(name, value, inputs, domain, result, impl, expression, text)             \
    FORMS_##inputs##_##result(name)
#define FORMS_CONVERT_SAME(name)    MADE(name, 1, A_1)
#define FORMS_SELECT_SAME(name)     MADE(name, 3, "c null, a null, b null")
#define FORMS_UNARY_SAME(name)      MADE(name, 1, A_1) IN_PLACE(name, 1)
#define FORMS_UNARY_BOOL(name)      MADE(name, 1, A_1)
#define FORMS_UNARY_REAL_PART(name) MADE(name, 1, A_1)
#define FORMS_BINARY_SAME(name)     MADE(name, 2, A_2) IN_PLACE(name, 2)
#define FORMS_BINARY_BOOL(name)     MADE(name, 2, A_2) IN_PLACE(name, 2)
#define FORMS_TERNARY_SAME(name)    MADE(name, 3, A_3) IN_PLACE(name, 3)
#define FORMS_QUATERNARY_SAME(name) MADE(name, 4, A_4) IN_PLACE(name, 4)
#define FORMS_QUATERNARY_BOOL(name) MADE(name, 4, A_4)

#define BL_REDUCTION(name, value, domain, result, fold, text)                          \
    CALL(bl_##name, (NULL, &matrix, 2, axes, false, &tensor), ARGUMENT,                \
         "(in f32[2,3], axes (1,1))")                                                  \
    CALL(bl_##name##_out, (NULL, &four, &matrix, 2, axes, true), ARGUMENT,             \
         "(out f32[4], in f32[2,3], axes (1,1), keepdim)")

#define ERROR_CALL(name, arguments, status, where) CALL(name, arguments, status, where)

#define CALLS                                                                          \
    CALL(bl_reduce_new,                                                                \
         (NULL, (bl_reduction)99, &matrix, 1, axes, true, NULL, &tensor), ARGUMENT,    \
         "(op 99, in f32[2,3], axes (1), keepdim)")

#define CALL(name, arguments, status, where)                                           \
    static bl_status call_##name(void)                                                 \
    {                                                                                  \
        return name arguments;                                                         \
    }
#include "core/tables/ops.def"
#include "core/tables/reductions.def"
#include "errors.def"
CALLS
#undef CALL

static const struct row {
    const char *name;
    bl_status (*call)(void);
    bl_status status;
    const char *where; /* the arguments */
} rows[] = {
#define CALL(name, arguments, status, where)                                           \
    {#name, call_##name, BL_ERR_##status, where},
#include "core/tables/ops.def"
#include "core/tables/reductions.def"
#include "errors.def"
    CALLS
#undef CALL
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/*
 * PaddlePaddle's functions are the operators' named forms with its rules, those of HDF5
 * and MPI are other libraries' (tests/hdf5, tests/mpi), and two return the status that
 * they are given.
 */
static bool is_exempt(const char *name)
{
    return strncmp(name, "bl_paddle_", 10) == 0 || strncmp(name, "bl_hdf5_", 8) == 0 ||
           strncmp(name, "bl_mpi_", 7) == 0 || strcmp(name, "bl_error_set") == 0 ||
           strcmp(name, "bl_error_set_extents") == 0 ||
           strcmp(name, "bl_call_site_leave") == 0;
}

static bool has_row(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return true;
    return is_exempt(name);
}

/* ---- what the headers declare ---- */

static char *read_all(const char *path)
{
    FILE *const file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);

    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0)
        text = NULL;
    if (file)
        (void)fclose(file);
    return text;
}

/*
 * Look for functions of one header that return a status and have no row; those that end
 * in _from are not exported.  Returns how many it declares.
 */
static int check_header(const char *path)
{
    char *const text = read_all(path);
    int found = 0;

    for (const char *at = text; at && (at = strstr(at, "bl_status")); at++) {
        char name[128] = "";
        const char *next = at + strlen("bl_status");

        if (sscanf(next, " %127[a-z0-9_](", name) != 1 ||
            strncmp(name, "bl_", 3) != 0 || !isspace((unsigned char)*next))
            continue;
        next = strstr(next, name) + strlen(name);
        if (*next != '(' ||
            (strlen(name) > 5 && strcmp(name + strlen(name) - 5, "_from") == 0))
            continue;
        found++;
        if (!has_row(name))
            tap_ok(false, "%s has a refused call in errors.def", name);
    }
    free(text);
    return found;
}

static void check_complete(void)
{
    const char *const source = getenv("srcdir");
    char pattern[4096];
    glob_t found;
    int functions = 0;

    snprintf(pattern, sizeof pattern, "%s/include/broadloom/*.h",
             source ? source : ".");
    if (glob(pattern, 0, NULL, &found) == 0)
        glob("include/broadloom/*.h", GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        functions += check_header(found.gl_pathv[i]);
    globfree(&found);
    tap_ok(functions >= (int)ROWS, "the headers declare %d functions, %d have a row",
           functions, (int)ROWS);
}

/* ---- the errors ---- */

static void check_row(const struct row *row)
{
    bl_error_info info = {.size = sizeof info};
    const bl_status status = row->call();
    const size_t length = strlen(row->name);
    const bool is_named = strncmp(bl_error_where(), row->name, length) == 0 &&
                          strcmp(bl_error_where() + length, row->where) == 0;
    char message[256];

    snprintf(message, sizeof message, "%s", bl_error_message());
    tap_ok(status == row->status && is_named, "%s%s, not %s (%s)", row->name,
           row->where, bl_error_where(), bl_status_string(status));
    if (strcmp(row->name, "bl_error_query") != 0)
        tap_ok(bl_error_query(&info) == BL_OK && info.status == status &&
                   message[0] != '\0' && strcmp(info.function, row->name) == 0,
               "%s: %s", row->name, message);
}

int main(void)
{
    tap_plan();
    tap_ok(bl_error_message()[0] == '\0' && bl_error_where()[0] == '\0',
           "no error before the first refusal");
    if (!tap_ok(open_operands(), "operands: %s", bl_error_message()))
        return tap_done();
    for (size_t i = 0; i < ROWS; i++)
        check_row(&rows[i]);
    check_complete();
    bl_tensor_release(given);
    bl_plan_destroy(plan);
    return tap_done();
}
