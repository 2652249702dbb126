/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the command-line tool share: commands, their options as tables,
 * messages and exit statuses.  Functions that can fail return the library's status
 * codes and leave their text in bl_error_message(), as the library does.
 */
#ifndef TOOL_H
#define TOOL_H

#include <broadloom.h>

#include <stddef.h>

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

/* An option of a command, and where its value goes. */
struct flag {
    char letter;       /* of the short option; 0: there is none */
    const char *name;  /* without the dashes */
    const char *value; /* what its value is called in the help; NULL: it takes none */
    const char *text;  /* one line for the help */
    bl_status (*read)(const char *text, void *place); /* NULL: --help */
    size_t place;                                     /* in the command's request */
};

/* The place of a member of `struct request`, which each command has its own of. */
#define AT(member) offsetof(struct request, member)

/* The row that every command's table ends with: --help, then nothing. */
#define FLAGS_END                                                                      \
    {0, "help", NULL, "print this help and exit", NULL, 0},                            \
    {                                                                                  \
        0, NULL, NULL, NULL, NULL, 0                                                   \
    }

struct command {
    const char *name;
    const char *arguments;    /* after the options, for the help */
    const char *text;         /* one line */
    const char *notes;        /* a paragraph for the command's own help */
    const char *missing;      /* said where no other words are; NULL: none need be */
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
extern const struct command command_migrate;

/* ---- flags.c ---- */

/*
 * Read the options of a command line into the command's request.  `*help` says whether
 * --help is one of them; `optind` is then the first of the other words, which may stand
 * between options.
 */
bl_status flags_parse(const struct command *command, int argc, char **argv,
                      void *request, bool *help);

/*
 * The same for the tool's own command line: -1 to go on, else the exit status, after
 * the help or what is wrong was printed.
 */
int flags_read(const struct command *command, int argc, char **argv, void *request);

/* What the tables name: each reads `text` into the object at `place`. */
bl_status read_true(const char *text, void *place);    /* bool */
bl_status read_text(const char *text, void *place);    /* const char *, not copied */
bl_status read_dtype(const char *text, void *place);   /* bl_dtype */
bl_status read_rules(const char *text, void *place);   /* const bl_rules * */
bl_status read_axis(const char *text, void *place);    /* int64_t */
bl_status read_threads(const char *text, void *place); /* int64_t */

/*
 * The decimal integer, low to high, that is all of `text`.  BL_ERR_ARGUMENT names the
 * option or argument `what`.
 */
bl_status parse_integer(const char *what, const char *text, int64_t low, int64_t high,
                        int64_t *value);

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
