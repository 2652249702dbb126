/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the command-line tool share: commands, their options as tables,
 * messages and exit statuses.  Functions that can fail return the library's status
 * codes and leave their text in bl_error_message(), as the library does.
 */
#ifndef TOOL_H
#define TOOL_H

#include <broadloom.h>

/* Exit statuses; success is 0. */
enum { TOOL_FAILED = 1, TOOL_USAGE = 2 };

/* Most that --threads takes. */
enum { MOST_THREADS = 4096 };

/* Pass a failure on to the caller. */
#define TRY(call)                                                                      \
    do {                                                                               \
        const bl_status try_ = (call);                                                 \
        if (try_ != BL_OK)                                                             \
            return try_;                                                               \
    } while (0)

/* An option of a command. */
struct flag {
    int key;           /* what flag_next returns; a letter is a short option, too */
    const char *name;  /* without the dashes */
    const char *value; /* what its value is called in the help; NULL: it takes none */
    const char *text;  /* one line for the help */
};

struct command {
    const char *name;
    const char *arguments;    /* after the options, for the help */
    const char *text;         /* one line */
    const char *notes;        /* a paragraph for the command's own help */
    const struct flag *flags; /* ends with a row without a name */
    int (*run)(const struct command *command, int argc, char **argv);
};

extern const struct command command_eval;
extern const struct command command_shape;
extern const struct command command_plan;
extern const struct command command_audit;
extern const struct command command_trace;
extern const struct command command_topo;
extern const struct command command_bench;

/* ---- flags.c ---- */

/* The row that every command's table ends with: --help, then nothing. */
enum { FLAG_HELP = 1, FLAG_FIRST };
#define FLAGS_END                                                                      \
    {FLAG_HELP, "help", NULL, "print this help and exit"},                             \
    {                                                                                  \
        0, NULL, NULL, NULL                                                            \
    }

/*
 * The next option of a command line: its key, its value in `optarg`; -1 after the last
 * one, when `optind` is the first of the other words; '?' for a mistake, with its text
 * set.  Set optind to 0 before a new line.  Other words may stand between options.
 */
int flag_next(const struct command *command, int argc, char **argv);

/* Print a command's help. */
void command_help(const struct command *command);

/*
 * The decimal integer, low to high, that is all of `text`.  BL_ERR_ARGUMENT names the
 * option or argument `what`.
 */
bl_status parse_integer(const char *what, const char *text, int64_t low, int64_t high,
                        int64_t *value);

/* The rules of that name; BL_ERR_ARGUMENT lists the names there are. */
bl_status parse_rules(const char *text, const bl_rules **rules);

/*
 * The rules of a call: those named, else paddle where there is an axis, else the
 * default context's.  BL_ERR_ARGUMENT where the rules named take no axis.
 */
bl_status choose_rules(const bl_rules *named, int64_t axis, const bl_rules **rules);

/* The dtype of that name. */
bl_status parse_dtype(const char *text, bl_dtype *dtype);

/* ---- setup.c ---- */

/*
 * A context as the environment has it, with at most `threads` threads where that is not
 * 0.  Free it with bl_context_destroy().
 */
bl_status context_open(int64_t threads, bl_context **ctx);

/* Threads that calls of much work get with this context. */
int32_t context_team(bl_context *ctx);

/* Seconds on a clock that never goes back. */
double seconds_now(void);

/* ---- messages.c: each prints one line on standard error ---- */

/* "broadloom: ..."; returns TOOL_FAILED. */
int fail(const char *format, ...) BL_PRINTF(1, 2);

/* The library's last message, after `what` where that is not NULL; TOOL_FAILED. */
int fail_status(const char *what);

/* The last message and where to find help; returns TOOL_USAGE. */
int fail_usage(const struct command *command);

/* A bl_write_function to the FILE that `user` points to. */
bool write_file(void *user, const char *text, size_t length);

#endif
