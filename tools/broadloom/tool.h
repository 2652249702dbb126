/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the commands of the tool share: their descriptions, options as tables, messages
 * and exit statuses.  Functions that can fail return the library's status codes and
 * leave the text in bl_error_message(), as the library does.
 */
#ifndef TOOL_H
#define TOOL_H

#include <broadloom.h>

#include <stddef.h>

/* Exit statuses; success is 0. */
enum { TOOL_FAILED = 1, TOOL_USAGE = 2 };

/* Largest value of --threads. */
enum { MOST_THREADS = 4096 };

/* Return a failure to the caller. */
#define TRY(call)                                                                      \
    do {                                                                               \
        const bl_status try_ = (call);                                                 \
        if (try_ != BL_OK)                                                             \
            return try_;                                                               \
    } while (0)

/* An option of a command, and the destination of its value. */
struct flag {
    char letter;       /* of the short option; 0: none */
    const char *name;  /* without the dashes */
    const char *value; /* placeholder of its value in the help, "[=N]" of one that may
                          be left out; NULL: no value */
    const char *text;  /* one line for the help */
    bl_status (*read)(const char *text, void *place); /* NULL: --help */
    size_t place; /* offset in the command's request */
};

/* Offset of a member of `struct request`, which each command defines for itself. */
#define AT(member) offsetof(struct request, member)

/* The last rows of every command's table: --help, then the terminator. */
#define FLAGS_END                                                                      \
    {0, "help", NULL, "print this help and exit", NULL, 0},                            \
    {                                                                                  \
        0, NULL, NULL, NULL, NULL, 0                                                   \
    }

struct command {
    const char *name;
    const char *arguments; /* placeholder of the other arguments in the help */
    const char *text;      /* one line */
    const char *notes;     /* a paragraph for the command's help */
    const char *missing; /* message where other arguments are missing; NULL: optional */
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
 * Parse the options of a command line into the command's request.  `*help` is set where
 * --help is one of them; `optind` is then the first of the other arguments, which may
 * be mixed with options.
 */
bl_status flags_parse(const struct command *command, int argc, char **argv,
                      void *request, bool *help);

/*
 * Parse a command line and print the help or the error where that is due.  Returns -1
 * to continue, else the exit status.
 */
int flags_read(const struct command *command, int argc, char **argv, void *request);

/*
 * Parse a command line whose first word is an expression, print what is due, and return
 * the exit status, which is that of `words` where it is called with the words.  An
 * expression may start with a minus.
 */
int flags_read_expression(const struct command *command, int argc, char **argv,
                          void *request,
                          int (*words)(const struct command *command,
                                       const void *request, int count, char **word));

/* Value parsers for the tables: each parses `text` into the object at `place`. */
bl_status read_true(const char *text, void *place);     /* bool */
bl_status read_text(const char *text, void *place);     /* const char *, not copied */
bl_status read_operator(const char *text, void *place); /* const char *, a known one */
bl_status read_dtype(const char *text, void *place);    /* bl_dtype */
bl_status read_rules(const char *text, void *place);    /* const bl_rules * */
bl_status read_axis(const char *text, void *place);     /* int64_t */
bl_status read_threads(const char *text, void *place);  /* int64_t */
bl_status read_bytes(const char *text, void *place);    /* int64_t, as 512M or 2G */

/*
 * Parse all of `text` as a decimal integer from `low` to `high`.  The message of
 * BL_ERR_ARGUMENT names the option or argument `what`.
 */
bl_status parse_integer(const char *what, const char *text, int64_t low, int64_t high,
                        int64_t *value);

/*
 * Choose the rules of a call: `named` if given, else paddle if there is an axis, else
 * the default context's.  BL_ERR_ARGUMENT where the named rules take no axis.
 */
bl_status choose_rules(const bl_rules *named, int64_t axis, const bl_rules **rules);

/* Parse a dtype's name. */
bl_status parse_dtype(const char *text, bl_dtype *dtype);

/* ---- complete.c ---- */

/*
 * Print the words that may stand in place of the last of `count` words of a command
 * line, one a line; nothing where files may stand there.  Returns 0.
 */
int complete_words(const struct command *const *commands, int commands_count, int count,
                   char *const *words);

/* ---- command_setup.c ---- */

/*
 * Create a context from the environment's settings, with at most `threads` threads
 * where that is not 0.  Free it with bl_context_destroy().
 */
bl_status context_open(int64_t threads, bl_context **ctx);

/* Number of threads that a large call gets with this context. */
int32_t context_team(bl_context *ctx);

/*
 * Bytes of memory, of the machine or what the control group allows: the library keeps
 * an eighth of it, where BROADLOOM_POOL, which is set aside here, does not say
 * otherwise. No other thread may read the environment meanwhile.
 */
bl_status memory_find(int64_t *bytes);

/* Seconds of a monotonic clock. */
double seconds_now(void);

/* ---- messages.c: each prints one line on standard error ---- */

/* "broadloom" at first; and whether this process prints no messages, as most ranks. */
extern const char *tool_name;
extern bool tool_is_quiet;

/* Print "broadloom: ...", control characters as "?"; returns TOOL_FAILED. */
int fail(const char *format, ...) BL_PRINTF(1, 2);

/* Print the library's last message, after `what` if not NULL; returns TOOL_FAILED. */
int fail_status(const char *what);

/* Print the last message and where to find help; returns TOOL_USAGE. */
int fail_usage(const struct command *command);

/* A bl_write_function to the FILE that `user` points to. */
bool write_file(void *user, const char *text, size_t length);

#endif
