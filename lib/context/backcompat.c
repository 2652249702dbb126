/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process-wide flags of broadcast and keepdim warnings, and their initial values
 * from environment variables.
 */
#include "config.h"

#include "context/context.h"
#include "core/lock.h"

#include <stdlib.h>
#include <string.h>

_Atomic uint32_t bli_backcompat_word;

static void set_bits(uint32_t bits, bool value)
{
    if (value)
        atomic_fetch_or_explicit(&bli_backcompat_word, bits, memory_order_relaxed);
    else
        atomic_fetch_and_explicit(&bli_backcompat_word, ~bits, memory_order_relaxed);
}

static void set_broadcast(const char *text)
{
    const bool precise = strcmp(text, "precise") == 0;

    if (!precise && strcmp(text, "exact") != 0 && strcmp(text, "1") != 0)
        return;
    set_bits(BLI_BACKCOMPAT_BROADCAST, true);
    set_bits(BLI_BACKCOMPAT_PRECISE, precise);
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
        set_bits(BLI_BACKCOMPAT_BROADCAST | BLI_BACKCOMPAT_PRECISE, true);
}

static void set_keepdim(const char *text)
{
    if (strcmp(text, "1") != 0)
        return;
    set_bits(BLI_BACKCOMPAT_KEEPDIM, true);
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

void bli_backcompat_start(void)
{
    bli_once(BLI_ONCE_WARNINGS, start);
}

static bool has_bit(uint32_t bit)
{
    bli_backcompat_start();
    return (bli_backcompat() & bit) != 0;
}

void bl_backcompat_broadcast_warning_set_enabled(bool enabled)
{
    bli_backcompat_start();
    set_bits(BLI_BACKCOMPAT_BROADCAST, enabled);
}

bool bl_backcompat_broadcast_warning_enabled(void)
{
    return has_bit(BLI_BACKCOMPAT_BROADCAST);
}

bl_status bl_backcompat_broadcast_warning_set_predicate(bl_predicate predicate)
{
    if (predicate != BL_PREDICATE_EXACT && predicate != BL_PREDICATE_PRECISE)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown predicate: %d", (int)predicate);
    bli_backcompat_start();
    set_bits(BLI_BACKCOMPAT_PRECISE, predicate == BL_PREDICATE_PRECISE);
    return BL_OK;
}

bl_predicate bl_backcompat_broadcast_warning_predicate(void)
{
    return has_bit(BLI_BACKCOMPAT_PRECISE) ? BL_PREDICATE_PRECISE : BL_PREDICATE_EXACT;
}

void bl_backcompat_keepdim_warning_set_enabled(bool enabled)
{
    bli_backcompat_start();
    set_bits(BLI_BACKCOMPAT_KEEPDIM, enabled);
}

bool bl_backcompat_keepdim_warning_enabled(void)
{
    return has_bit(BLI_BACKCOMPAT_KEEPDIM);
}
