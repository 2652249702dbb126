/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process-wide flags of broadcast and keepdim warnings, and the environment
 * variables of warnings.
 */
#include "config.h"

#include "core/lock.h"
#include "diag/warnings.h"

#include <stdlib.h>
#include <string.h>

/* Clear and set flags; a new generation only where one changes. */
static void set_flags(uint64_t clear, uint64_t set)
{
    bli_warnings_enter();
    if ((bli_warnings_generation() & (clear | set)) != set)
        bli_warnings_change(clear, set);
    bli_warnings_leave();
}

static void set_broadcast(const char *text)
{
    const bool precise = strcmp(text, "precise") == 0;

    if (!precise && strcmp(text, "exact") != 0 && strcmp(text, "1") != 0)
        return;
    set_flags(BLI_WARN_PRECISE, BLI_WARN_BROADCAST | (precise ? BLI_WARN_PRECISE : 0));
    bl_warnings_set_handler(bl_warning_print, NULL);
}

/*
 * Enable precise warnings, unless BROADLOOM_BROADCAST_WARNING then says otherwise.
 * This sets no handler: nothing is printed while the program runs, the report is
 * written at exit.
 */
static void set_report(const char *text)
{
    if (bl_warnings_write_at_exit(text) == BL_OK)
        set_flags(0, BLI_WARN_BROADCAST | BLI_WARN_PRECISE);
}

static void set_keepdim(const char *text)
{
    if (strcmp(text, "1") != 0)
        return;
    set_flags(0, BLI_WARN_KEEPDIM);
    bl_warnings_set_handler(bl_warning_print, NULL);
}

static void set_filters(const char *text)
{
    (void)!bl_warnings_filter_text(text);
}

static void start(void)
{
    static const struct {
        const char *name;
        void (*set)(const char *text);
    } variables[] = {
        {"BROADLOOM_COMPAT_REPORT", set_report},
        {"BROADLOOM_COMPAT_SHADOW", bli_shadow_set_text},
        {"BROADLOOM_BROADCAST_WARNING", set_broadcast},
        {"BROADLOOM_KEEPDIM_WARNING", set_keepdim},
        {"BROADLOOM_WARNINGS", set_filters},
    };

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *const text = secure_getenv(variables[i].name);

        if (text)
            variables[i].set(text);
    }
}

void bli_warnings_start(void)
{
    bli_once(BLI_ONCE_WARNINGS, start);
}

static void set_flag(uint64_t flag, bool value)
{
    bli_warnings_start();
    set_flags(flag, value ? flag : 0);
}

static bool has_flag(uint64_t flag)
{
    bli_warnings_start();
    return (bli_warnings_generation() & flag) != 0;
}

bl_status bl_shadow_set_every(int64_t every)
{
    bli_warnings_start();
    BLI_RETURN_CALL(bli_shadow_set_every(every), "every %l", every);
}

int64_t bl_shadow_every(void)
{
    bli_warnings_start();
    return bli_shadow_every();
}

void bl_backcompat_broadcast_warning_set_enabled(bool enabled)
{
    set_flag(BLI_WARN_BROADCAST, enabled);
}

bool bl_backcompat_broadcast_warning_enabled(void)
{
    return has_flag(BLI_WARN_BROADCAST);
}

static bl_status set_predicate(bl_predicate predicate)
{
    if (predicate != BL_PREDICATE_EXACT && predicate != BL_PREDICATE_PRECISE)
        return bli_error_argument("predicate", "unknown predicate: %d", (int)predicate);
    set_flag(BLI_WARN_PRECISE, predicate == BL_PREDICATE_PRECISE);
    return BL_OK;
}

bl_status bl_backcompat_broadcast_warning_set_predicate(bl_predicate predicate)
{
    BLI_RETURN_CALL(set_predicate(predicate), "predicate %d", (int)predicate);
}

bl_predicate bl_backcompat_broadcast_warning_predicate(void)
{
    return has_flag(BLI_WARN_PRECISE) ? BL_PREDICATE_PRECISE : BL_PREDICATE_EXACT;
}

void bl_backcompat_keepdim_warning_set_enabled(bool enabled)
{
    set_flag(BLI_WARN_KEEPDIM, enabled);
}

bool bl_backcompat_keepdim_warning_enabled(void)
{
    return has_flag(BLI_WARN_KEEPDIM);
}
