/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom topo: shows the machine, and what determines the size of a team.
 */
#include "output.h"
#include "topo.h"

#include <getopt.h>

struct request {
    const char *picture;
    bool json;
};

static const struct flag flags[] = {
    {0, "json", NULL, "print one line of JSON", read_true, AT(json)},
    {0, "svg", "FILE", "draw a picture instead", read_text, AT(picture)},
    FLAGS_END,
};

static bl_status draw(const struct topo *topo, const char *path)
{
    struct output output;

    TRY(output_open(path, &output));
    topo_svg(topo, output.file);
    return output_close(&output, BL_OK);
}

static bl_status show(const struct request *request)
{
    bl_status status;
    bl_context *ctx;
    struct topo topo;

    TRY(context_open(0, &ctx));
    status = topo_read(ctx, &topo);
    if (status == BL_OK && request->picture)
        status = draw(&topo, request->picture);
    else if (status == BL_OK && request->json)
        topo_json(&topo);
    else if (status == BL_OK)
        topo_words(&topo);
    topo_free(&topo);
    bl_context_destroy(ctx);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {NULL, false};
    const int result = flags_read(command, argc, argv, &request);

    if (result >= 0)
        return result;
    if (optind < argc) {
        (void)bl_error_set(BL_ERR_ARGUMENT, "topo takes no arguments, got '%s'",
                           argv[optind]);
        return fail_usage(command);
    }
    if (request.picture && request.json) {
        (void)bl_error_set(BL_ERR_ARGUMENT, "--json and --svg exclude each other");
        return fail_usage(command);
    }
    return show(&request) == BL_OK ? 0 : fail_status(NULL);
}

const struct command command_topo = {
    .name = "topo",
    .arguments = "",
    .text = "Print the machine's nodes, and why a team has its size",
    .notes = "The machine is the one that Broadloom works with: memory-only nodes "
             "included, processors as\nfar as this process may use them.  "
             "HWLOC_SYNTHETIC and HWLOC_XMLFILE describe another one.",
    .flags = flags,
    .run = run,
};
