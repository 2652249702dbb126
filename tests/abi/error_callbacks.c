/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of calls that call the program, which may call the library: the error is that
 * of the outermost call, and nothing of an earlier error is shown with a later one.
 */
#include <broadloom.h>
#include <broadloom/describe.h>

#include "harness/tap.h"

#include <string.h>

static float a[12], b[12];
static bl_tensor *made;

static bl_error_info last(void)
{
    bl_error_info info = {.size = sizeof info};

    BL_IGNORE(bl_error_query(&info));
    return info;
}

enum { SILENT, SAYS_ANOTHER, SAYS_MORE, CALLS_INSIDE };

static bl_status refuse(const bl_rules *rules, const bl_rules_query *query,
                        bl_rules_answer *answer)
{
    (void)answer;
    switch (*(const int *)rules->user) {
    case SAYS_ANOTHER:
        return (void)bl_error_set_extents(
                   bl_error_set(BL_ERR_ARGUMENT, "no sums today"), 0,
                   query->operand[1].name, 7, query->operand[0].name, 8),
               BL_ERR_RULES;
    case SAYS_MORE: /* about what another's rules said */
        BL_IGNORE(bl_rules_resolve(bl_rules_modern(), query, answer));
        return bl_error_set(BL_ERR_RULES, "%s: %s", rules->name, bl_error_message());
    case CALLS_INSIDE:
        return bl_layout_flip(NULL, 0, NULL);
    default:
        return BL_ERR_RULES;
    }
}

static bl_status observe(void *user, const bl_event *event)
{
    (void)user, (void)event;
    return BL_ERR_UNSUPPORTED;
}

static void inside(void *user, int64_t count, void *out, const void *const *in)
{
    (void)out, (void)in, (void)count;
    *(bl_status *)user = bl_layout_flip(NULL, 0, NULL);
}

static void check_callbacks(bl_context *ctx)
{
    int what = SILENT;
    const bl_rules rules = {
        .size = sizeof rules, .name = "mine", .resolve = refuse, .user = &what};
    const bl_array *in[] = {BL_VIEW(a, 3), BL_VIEW(b, 3)};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_status inner = BL_OK;

    options.rules = &rules;
    tap_ok(bl_context_set_threads(ctx, -1) == BL_ERR_ARGUMENT &&
               bl_apply_new(ctx, BL_OP_ADD, 2, in, &options, &made) == BL_ERR_RULES &&
               strstr(bl_error_message(), "threads") == NULL &&
               strstr(bl_error_message(), "mine") != NULL &&
               strcmp(bl_error_where(), "bl_add(a f32[3], b f32[3], rules mine)") == 0,
           "rules that say nothing do not repeat an earlier error: %s",
           bl_error_message());
    what = SAYS_ANOTHER;
    tap_ok(bl_apply_new(ctx, BL_OP_ADD, 2, in, &options, &made) == BL_ERR_RULES &&
               last().status == BL_ERR_RULES && last().operand == 1 &&
               last().other == 0 && last().axis == 0 && last().extent == 7 &&
               last().other_extent == 8 &&
               strcmp(bl_error_message(), "no sums today") == 0,
           "what rules say is kept, with the status that they return");
    what = SAYS_MORE;
    in[1] = BL_VIEW(b, 2);
    tap_ok(
        bl_apply_new(ctx, BL_OP_ADD, 2, in, &options, &made) == BL_ERR_RULES &&
            strstr(bl_error_message(), "mine: The size of tensor a (3) must match") ==
                bl_error_message(),
        "rules may add to the last message: %s", bl_error_message());
    in[1] = BL_VIEW(b, 3);
    what = CALLS_INSIDE;
    tap_ok(bl_apply_new(ctx, BL_OP_ADD, 2, in, &options, &made) == BL_ERR_ARGUMENT &&
               strcmp(last().function, "bl_add") == 0 && last().count == 2,
           "a call that is refused within another leaves that one's name");
    bl_context_set_observer(ctx, observe, NULL);
    BL_IGNORE(bl_context_set_overlap(ctx, BL_OVERLAP_COPY));
    tap_ok(bl_add_out(ctx, BL_VIEW(a, 3), BL_VIEW(a + 1, 3), BL_VIEW(b, 3)) ==
                   BL_ERR_UNSUPPORTED &&
               strcmp(last().function, "bl_add_out") == 0 &&
               strstr(bl_error_message(), "sums") == NULL,
           "nor does an observer that says nothing: %s", bl_error_message());
    bl_context_set_observer(ctx, NULL, NULL);
    BL_IGNORE(bl_context_set_threads(ctx, 1));
    tap_ok(bl_map(ctx, inside, &inner, BL_VIEW(a, 3), 2, in, NULL) == BL_OK &&
               inner == BL_ERR_ARGUMENT &&
               strcmp(last().function, "bl_layout_flip") == 0,
           "a call that succeeds leaves the error of one in its function");
}

int main(void)
{
    bl_context *ctx = NULL;

    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    check_callbacks(ctx);
    bl_context_destroy(ctx);
    return tap_done();
}
