/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses workloads and creates their data.
 */
#include "workload.h"

#include <ctype.h>
#include <string.h>

#include "tokenize.h"

static const char *const modes[] = {
    [WORKLOAD_OUT] = "out",   [WORKLOAD_INPLACE] = "inplace", [WORKLOAD_NEW] = "new",
    [WORKLOAD_PLAN] = "plan", [WORKLOAD_FIRST] = "first",     [WORKLOAD_RUN] = "run",
};

/* Terminate the field at *line at the next tab, and advance *line past it. */
static bl_status next_field(char **line, const char *what, const char **field)
{
    char *tab = strchr(*line, '\t');

    if (!tab || tab == *line)
        return bl_error_set(BL_ERR_FORMAT,
                            "no %s: a workload is name, operator, mode and "
                            "operands, with tabs between",
                            what);
    *tab = '\0';
    *field = *line;
    *line = tab + 1;
    return BL_OK;
}

static bl_status mode_parse(const char *text, enum workload_mode *mode)
{
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        if (strcmp(text, modes[k]) == 0) {
            *mode = (enum workload_mode)k;
            return BL_OK;
        }
    }
    return bl_error_set(BL_ERR_FORMAT, "unknown mode '%.40s'", text);
}

/* Whether text is a name: of an operator or a function, and no expression. */
static bool is_word(const char *text)
{
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}

bl_status workload_parse(char *line, struct workload *out)
{
    char *word[WORKLOAD_OPERANDS + 1];
    const char *mode = "";
    int count;

    TRY(next_field(&line, "name", &out->name));
    TRY(next_field(&line, "operator", &out->op));
    TRY(next_field(&line, "mode", &mode));
    TRY(mode_parse(mode, &out->mode));
    out->is_expression = !is_word(out->op);
    TRY(tokenize_line(line, WORKLOAD_OPERANDS + 1, word, &count));
    if (count == 0)
        return bl_error_set(BL_ERR_FORMAT, "no operands");
    out->count = count;
    for (int k = 0; k < count; k++)
        TRY(operand_parse(word[k], BL_DTYPE_NONE, &out->operand[k]));
    return BL_OK;
}

/*
 * Convert uniform f32 numbers in [0, 1) to the operand's values: r * 3 + 1, or r > 0.5.
 */
static bl_status spread(bl_context *ctx, const bl_tensor *numbers, bl_dtype dtype,
                        bl_tensor **out)
{
    const bl_array *in = bl_tensor_array(numbers);
    /* Scalars, which broadcast alike under any rules. */
    const bl_scalar half = bl_scalar_f64(0.5), one = bl_scalar_f64(1);
    const bl_scalar three = bl_scalar_f64(3);
    const bl_array halves = bl_scalar_array(&half), ones = bl_scalar_array(&one);
    const bl_array threes = bl_scalar_array(&three);

    if (dtype == BL_DTYPE_BOOL)
        return bl_gt(ctx, in, &halves, out);
    TRY(bl_mul_inplace(ctx, in, &threes));
    TRY(bl_add_inplace(ctx, in, &ones));
    return bl_cast(ctx, in, dtype, out);
}

bl_status workload_fill(bl_context *ctx, const struct operand *operand, uint64_t seed,
                        struct workload_data *data)
{
    const int64_t size = (int64_t)bl_dtype_size(operand->dtype);
    int64_t bytes, first, count;
    bl_tensor *numbers, *tensor;
    bl_status status;

    layout_memory(&operand->layout, size, &bytes, &first);
    count = (bytes + size - 1) / size;
    TRY(bl_tensor_rand(ctx, BL_DTYPE_F32, 1, &count, seed, &numbers));
    status = spread(ctx, numbers, operand->dtype, &tensor);
    bl_tensor_release(numbers);
    TRY(status);
    data->tensor = tensor;
    data->array = operand_array(operand, NULL);
    if (bytes > 0)
        data->array.data = (char *)bl_tensor_array(tensor)->data + first;
    return BL_OK;
}
