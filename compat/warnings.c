/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raises warnings: counts them, and tells the handler what the filters let through.
 */
#include "warnings.h"

#include "torch.h"

#include <broadloom/ops.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { DIFFERENCES = BL_DIFFERENCE_KEEPDIM + 1, TEXT_SIZE = 512 };

static _Atomic int64_t raised_count[DIFFERENCES];
static _Atomic int64_t told_count[DIFFERENCES];

/* The handler and its argument change together. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bl_warning_handler handler;
static void *handler_user;
static _Atomic bool has_handler; /* written under the lock */

static _Thread_local struct {
    int32_t suppressed; /* how deep */
    int32_t line;
    const char *file; /* NULL: unknown */
} thread;

void bl_warnings_set_handler(bl_warning_handler function, void *user)
{
    pthread_mutex_lock(&lock);
    handler = function;
    handler_user = user;
    atomic_store_explicit(&has_handler, function != NULL, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}

void bl_warnings_suppress_begin(void)
{
    thread.suppressed++;
}

void bl_warnings_suppress_end(void)
{
    if (thread.suppressed > 0)
        thread.suppressed--;
}

void bl_call_site_enter(const char *file, int32_t line)
{
    thread.file = file;
    thread.line = line;
}

bl_status bl_call_site_leave(bl_status status)
{
    thread.file = NULL;
    return status;
}

void bli_call_site(bl_warning *warning, const void *address)
{
    warning->file = thread.file;
    warning->line = thread.file ? thread.line : 0;
    warning->address = address;
}

/* ---- counts ---- */

static void count(_Atomic int64_t counter[DIFFERENCES], int32_t difference)
{
    atomic_fetch_add_explicit(&counter[difference], 1, memory_order_relaxed);
}

static int64_t read_count(_Atomic int64_t counter[DIFFERENCES],
                          bl_difference difference)
{
    int64_t total = 0;

    for (int32_t k = 0; k < DIFFERENCES; k++)
        if (difference == BL_DIFFERENCE_NONE || (int32_t)difference == k)
            total += atomic_load_explicit(&counter[k], memory_order_relaxed);
    return total;
}

int64_t bl_warnings_count(bl_difference difference)
{
    return read_count(raised_count, difference);
}

int64_t bl_warnings_told(bl_difference difference)
{
    return read_count(told_count, difference);
}

void bl_warnings_reset(void)
{
    bli_filter_reset();
    for (int32_t k = 0; k < DIFFERENCES; k++) {
        atomic_store_explicit(&raised_count[k], 0, memory_order_relaxed);
        atomic_store_explicit(&told_count[k], 0, memory_order_relaxed);
    }
}

/* ---- raising ---- */

static bool is_heard(void)
{
    return atomic_load_explicit(&has_handler, memory_order_relaxed) ||
           bli_filter_exists();
}

static bl_status tell(const bl_warning *warning)
{
    const bl_warning_action action = bli_filter_decide(warning);
    bl_warning_handler function;
    void *user;

    if (action == BL_WARNING_IGNORE)
        return BL_OK;
    pthread_mutex_lock(&lock);
    function = handler;
    user = handler_user;
    pthread_mutex_unlock(&lock);
    if (action == BL_WARNING_ERROR || function)
        count(told_count, warning->difference);
    if (action == BL_WARNING_ERROR)
        return bl_error_set(BL_ERR_RULES, "%s", warning->text);
    if (function) {
        thread.suppressed++;
        function(user, warning);
        thread.suppressed--;
    }
    return BL_OK;
}

/* How the result differs from the shape of self. */
static void measure(bl_warning *warning, const bl_rules_query *query,
                    const bl_rules_answer *answer)
{
    struct bli_torch torch;
    double elements = 1.0;

    warning->result = (bl_shape){answer->rank, answer->extent};
    if (bli_torch_read(&torch, NULL, query) != BL_OK)
        return;

    const bl_shape *const self = &query->operand[torch.self].shape;
    const int32_t shift = answer->rank - self->rank;

    for (int32_t d = 0; d < answer->rank; d++) {
        const int64_t own = d >= shift ? self->extent[d - shift] : 1;

        elements *= (double)answer->extent[d];
        if (answer->extent[d] > own)
            warning->grown |= UINT64_C(1) << d;
    }
    warning->growth = elements / (double)torch.count[torch.self];
}

bl_status bl_warnings_raise(const bl_rules_query *query, const bl_rules_answer *answer,
                            const bl_rules_event *event, const void *address)
{
    bl_op_info info = {.size = sizeof info};
    char text[TEXT_SIZE];
    bl_warning warning = {.size = sizeof warning,
                          .difference = event->difference,
                          .id = bl_difference_id(query, event),
                          .text = text,
                          .function = query->function,
                          .mode = query->mode,
                          .count = query->count,
                          .operand = query->operand,
                          .first = event->first,
                          .second = event->second};

    if (event->difference <= BL_DIFFERENCE_NONE || event->difference >= DIFFERENCES ||
        thread.suppressed > 0)
        return BL_OK;
    count(raised_count, event->difference);
    if (!is_heard())
        return BL_OK;
    if (!warning.function)
        warning.function = bli_function_of(query)->name;
    if (!warning.function)
        warning.function =
            bl_op_query(query->op, &info) == BL_OK ? info.name : "broadcast";
    bli_call_site(&warning, address);
    warning.effect = bli_effect_of_event(query, answer, event);
    measure(&warning, query, answer);
    bl_difference_text(query, event, text, sizeof text);
    return tell(&warning);
}

bl_status bl_backcompat_keepdim_default(const char *function)
{
    char text[TEXT_SIZE];
    bl_warning warning = {.size = sizeof warning,
                          .difference = BL_DIFFERENCE_KEEPDIM,
                          .effect = BL_DIFFERENCE_SHAPE,
                          .id = "W_KEEPDIM",
                          .text = text,
                          .function = function};

    if (!bl_backcompat_keepdim_warning_enabled() || thread.suppressed > 0)
        return BL_OK;
    count(raised_count, BL_DIFFERENCE_KEEPDIM);
    if (!is_heard())
        return BL_OK;
    bli_call_site(&warning, BLI_RETURN_ADDRESS);
    snprintf(text, sizeof text,
             "backwards compatibility: call to \"%s\" uses default value for keepdim "
             "which has changed default to False.  Consider passing as kwarg.",
             function);
    return tell(&warning);
}
