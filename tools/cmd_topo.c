/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom topo: the machine, and why a team has its size.
 */
#include "topo.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

enum { FLAG_JSON = FLAG_FIRST, FLAG_SVG };

static const struct flag flags[] = {
    {FLAG_JSON, "json", NULL, "print one line of JSON"},
    {FLAG_SVG, "svg", "FILE", "draw a picture instead"},
    FLAGS_END,
};

struct request {
    const char *picture;
    bool json, help;
};

static bl_status read_flag(int key, struct request *request)
{
    switch (key) {
    case FLAG_JSON:
        request->json = true;
        return BL_OK;
    case FLAG_SVG:
        request->picture = optarg;
        return BL_OK;
    case FLAG_HELP:
        request->help = true;
        return BL_OK;
    default:
        return BL_ERR_ARGUMENT;
    }
}

static bl_status draw(const struct topo *topo, const char *path)
{
    FILE *const file = fopen(path, "w");

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    topo_svg(topo, file);

    const bool lost = ferror(file);

    if (fclose(file) != 0 || lost)
        return bl_error_set(BL_ERR_IO, "cannot write %s", path);
    return BL_OK;
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
    struct request request = {NULL, false, false};
    int key;

    optind = 0;
    while ((key = flag_next(command, argc, argv)) != -1)
        if (read_flag(key, &request) != BL_OK)
            return fail_usage(command);
    if (request.help) {
        command_help(command);
        return 0;
    }
    if (optind < argc) {
        (void)bl_error_set(BL_ERR_ARGUMENT, "topo takes no arguments, got '%s'",
                           argv[optind]);
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
