/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contexts that every problem is run with: each thread count on each instruction
 * set.  An instruction set that the machine lacks is capped to what it has, so that the
 * list is the same everywhere.
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "reference/ref.h"
#include "tap.h"

enum { THREADS = 3 };

void settings_open(struct setting *settings)
{
    static const int32_t threads[THREADS] = {1, 2, 8};
    static const char *const isa[] = {"base", "avx2", "avx512"};

    omp_set_num_threads(8); /* may exceed the machine's */
    for (int32_t i = 0; i < SETTINGS; i++) {
        struct setting *setting = &settings[i];
        const int32_t count = threads[i % THREADS];
        const char *name = isa[i / THREADS];

        snprintf(setting->name, sizeof setting->name, "%s, threads %" PRId32, name,
                 count);
        if (bl_context_create(&setting->ctx) != BL_OK ||
            bl_context_set_threads(setting->ctx, count) != BL_OK) {
            tap_note("no context: %s", bl_error_message());
            abort();
        }
        if (bl_context_set_isa(setting->ctx, name) != BL_OK)
            tap_note("%s, so the best there is", bl_error_message());
    }
    tap_note("best instruction set here: %s",
             bl_context_isa(settings[SETTINGS - 1].ctx));
}

void settings_close(struct setting *settings)
{
    for (int32_t i = 0; i < SETTINGS; i++)
        bl_context_destroy(settings[i].ctx);
}

int32_t settings_distinct(const struct setting *settings)
{
    int32_t count = THREADS;

    while (count < SETTINGS && strcmp(bl_context_isa(settings[count].ctx),
                                      bl_context_isa(settings[count - 1].ctx)) != 0)
        count += THREADS;
    return count;
}

/*
 * The first setting is compared with the reference, the others with the first.  Where
 * instruction sets may differ, those above base are compared with the first of them.
 */
bool settings_run(const struct setting *settings, struct problem *problem, bool every)
{
    const size_t bytes = (size_t)problem->out.room * ref_size(problem->out.array.dtype);
    const bool may_differ = ref_may_differ(problem->op, problem->dtype);
    const int32_t count = every ? settings_distinct(settings) : SETTINGS;
    unsigned char *first = malloc(bytes + 1);
    bool pass = first != NULL;

    for (int32_t i = 0; pass && i < count; i += every ? 1 : 4) {
        const struct setting *setting = &settings[i];
        const bool is_first = i == 0 || (may_differ && i == (every ? THREADS : 4));

        pass = problem_call(problem, setting->ctx, setting->name);
        if (pass && is_first) {
            pass = problem_is_right(problem, setting->name);
            memcpy(first, problem->out.memory, bytes);
        } else if (pass && memcmp(first, problem->out.memory, bytes) != 0) {
            tap_note("%s", problem->text);
            tap_note("%s: other bits than with settings before it", setting->name);
            problem_is_right(problem, setting->name);
            pass = false;
        }
    }
    free(first);
    return pass && problem_inputs_are_unchanged(problem, "some setting");
}

bool settings_reproduce(const struct setting *settings, struct problem *problem)
{
    const size_t bytes = (size_t)problem->out.room * ref_size(problem->out.array.dtype);
    unsigned char *first = malloc(bytes + 1);
    bool pass = first != NULL;

    for (int32_t i = 0; pass && i < settings_distinct(settings); i += THREADS) {
        bl_context_set_reproducible(settings[i].ctx, true);
        pass = problem_call(problem, settings[i].ctx, settings[i].name);
        bl_context_set_reproducible(settings[i].ctx, false);
        if (i == 0)
            memcpy(first, problem->out.memory, bytes);
        else
            pass = pass && memcmp(first, problem->out.memory, bytes) == 0;
    }
    free(first);
    return pass && problem_is_right(problem, "reproducibly");
}
