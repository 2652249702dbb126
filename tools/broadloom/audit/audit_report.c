/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints an audit as text and as JSON.
 */
#include "audit.h"

#include <inttypes.h>
#include <stdio.h>

#include "json.h"

static void print_row(const char *name, const char *node,
                      const struct locality_node *bytes)
{
    const int64_t all = bytes->local + bytes->remote;

    printf("%-26s %4s %12.2f %12.2f", name, node, (double)bytes->local / (1 << 20),
           (double)bytes->remote / (1 << 20));
    if (all)
        printf(" %8.2f %%", 100.0 * (double)bytes->local / (double)all);
    else
        printf(" %10s", "-");
}

static void print_array(const struct audit *audit, int32_t array)
{
    const struct locality *const found = &audit->found[array];
    const struct locality_node sum = locality_sum(found);
    const char *name = audit_name(audit, array);
    char node[16];

    for (int32_t n = 0; n < found->nodes && found->nodes > 1; n++) {
        snprintf(node, sizeof node, "%d", (int)n);
        print_row(name, node, &found->node[n]);
        putchar('\n');
        name = "";
    }
    print_row(name, "all", &sum);
    printf(" %9.2f %% %8.2f %%%s\n", locality_percent(&audit->wanted[array]),
           audit_percent(audit, array),
           audit_is_judged(audit, array) ? "" : "  (small)");
    if (found->unknown > 0)
        printf("%-31s %12.2f MiB more were being moved by the system\n", "",
               (double)found->unknown / (1 << 20));
}

void audit_words(const struct audit *audit)
{
    static const char *const touched[] = {
        [TOUCH_TEAM] = "by the team",
        [TOUCH_ONE] = "by one thread",
        [TOUCH_SPREAD] = "in blocks of 2 MiB by all processors in turn",
    };
    char text[1000];

    call_text(audit->call, text, sizeof text);
    printf("call     %s\n", text);
    printf("team     %d thread%s; %d node%s, %d processor%s\n", (int)audit->threads,
           audit->threads == 1 ? "" : "s", (int)audit->machine.nodes,
           audit->machine.nodes == 1 ? "" : "s", (int)audit->machine.processors,
           audit->machine.processors == 1 ? "" : "s");
    printf("memory   touched %s\n", touched[audit->touch]);
    printf("counted  calls 2 to %d\n\n", (int)audit->calls);
    printf("%-26s %4s %12s %12s %10s %11s %10s\n", "MiB touched by threads of", "node",
           "in its own", "in others'", "local", "achievable", "of that");
    for (int32_t array = 0; array < audit->arrays; array++)
        print_array(audit, array);
    putchar('\n');
    if (audit->machine.nodes == 1)
        puts("There is one node: all memory is local.");
    else
        printf("%.2f %% of what can be local is, of the result and operands of %d MiB "
               "and more.\n",
               audit_verdict(audit), LARGE_BYTES >> 20);
}

static void json_array(struct json *json, const struct audit *audit, int32_t array)
{
    const struct locality *const found = &audit->found[array];
    const struct locality_node sum = locality_sum(found);

    json_open(json, NULL, '{');
    json_string(json, "name", audit_name(audit, array));
    json_integer(json, "bytes", audit->bytes[array]);
    json_integer(json, "judged", audit_is_judged(audit, array));
    json_open(json, "nodes", '[');
    for (int32_t n = 0; n < found->nodes; n++) {
        json_open(json, NULL, '{');
        json_integer(json, "node", n);
        json_integer(json, "local", found->node[n].local);
        json_integer(json, "remote", found->node[n].remote);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_integer(json, "local", sum.local);
    json_integer(json, "remote", sum.remote);
    json_integer(json, "unknown", found->unknown);
    json_number(json, "local_percent", locality_percent(found));
    json_number(json, "achievable_percent", locality_percent(&audit->wanted[array]));
    json_number(json, "of_achievable_percent", audit_percent(audit, array));
    json_close(json, '}');
}

void audit_json(const struct audit *audit)
{
    struct json json = {stdout, false};

    json_open(&json, NULL, '{');
    json_string(&json, "op", audit->call->name);
    json_open(&json, "operands", '[');
    for (int32_t k = 0; k < audit->call->count; k++)
        json_string(&json, NULL, audit->call->text[k]);
    json_close(&json, ']');
    json_string(&json, "mode", audit->call->inplace ? "inplace" : "out");
    json_string(&json, "touch", touch_name(audit->touch));
    json_integer(&json, "threads", audit->threads);
    json_integer(&json, "nodes", audit->machine.nodes);
    json_integers(&json, "calls", 2, (const int64_t[]){2, audit->calls});
    json_open(&json, "arrays", '[');
    for (int32_t array = 0; array < audit->arrays; array++)
        json_array(&json, audit, array);
    json_close(&json, ']');
    json_number(&json, "of_achievable_percent", audit_verdict(audit));
    json_close(&json, '}');
    putchar('\n');
}
