/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binds the names in expressions to variables.
 */
#include "expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool expr_is_name(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}

/* Whether the step's text is `name`. */
static bool is_called(const struct expr *expr, const struct expr_step *step,
                      const char *name)
{
    return strlen(name) == step->length &&
           memcmp(expr->text + step->at, name, step->length) == 0;
}

static bl_status bind_step(const struct expr *expr, struct expr_step *step, int count,
                           const char *const *name)
{
    for (int k = 0; k < count; k++) {
        if (is_called(expr, step, name[k])) {
            step->integer = k;
            return BL_OK;
        }
    }
    if (!is_called(expr, step, "inf") && !is_called(expr, step, "nan"))
        return bl_error_set(BL_ERR_ARGUMENT, "no file is given for '%.*s'",
                            (int)(step->length < 60 ? step->length : 60),
                            expr->text + step->at);
    step->kind = EXPR_REAL;
    step->real = is_called(expr, step, "inf") ? (double)INFINITY : (double)NAN;
    return BL_OK;
}

bl_status expr_bind(struct expr *expr, int count, const char *const *name, size_t *at)
{
    for (int32_t k = 0; k < expr->count; k++) {
        *at = expr->step[k].at;
        if (expr->step[k].kind == EXPR_VARIABLE)
            TRY(bind_step(expr, &expr->step[k], count, name));
    }
    return BL_OK;
}

void expr_free(struct expr *expr)
{
    free(expr->step);
    expr->step = NULL;
    expr->count = expr->room = 0;
}
