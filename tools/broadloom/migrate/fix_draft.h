/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fix while it is made: what takes the place of arguments, and lines before and after
 * the statement of the call.
 */
#ifndef FIX_DRAFT_H
#define FIX_DRAFT_H

#include "fix.h"

enum { FIX_OPERANDS = 3, FIX_NAME = 64 };

struct draft {
    struct fix_file *file;
    const struct source *source;
    enum fix_choice choice;

    struct c_call call;
    struct statement statement;
    char unplaced[REASON_SIZE]; /* why it has no statement; "" */
    char *names;                /* that were given in it; NULL: none */
    int operands;               /* that are paired */
    int argument[FIX_OPERANDS]; /* of each: the argument of the call */
    int self;                   /* the operand whose shape legacy results have */
    bool differs[FIX_OPERANDS]; /* from self, in some call that was reported */
    char *reason;               /* REASON_SIZE bytes */

    char *replaced[CALL_ARGUMENTS]; /* NULL: as it is */
    char *before, *after;           /* lines; NULL: none */
    char value_type[FIX_NAME];      /* of the call; "": it has none, or one unknown */
    char status[FIX_NAME];          /* a variable of `before` that has the status; "" */
    bool is_lost;                   /* no memory */
};

/* Refuse the fix; returns false. */
BL_PRINTF(2, 3) bool draft_refuse(struct draft *draft, const char *format, ...);

/* Append to a text from malloc(), or NULL. */
BL_PRINTF(3, 4)
void draft_add(struct draft *draft, char **text, const char *format, ...);

/* Append a line to the text before or after the statement. */
BL_PRINTF(2, 3) void draft_before(struct draft *draft, const char *format, ...);
BL_PRINTF(2, 3) void draft_after(struct draft *draft, const char *format, ...);

/* Set what takes the place of an argument. */
BL_PRINTF(3, 4)
void draft_replace(struct draft *draft, int argument, const char *format, ...);

/* A name that the file does not have, of an operand's last name and of what it is for.
 */
void draft_name(struct draft *draft, int argument, const char *suffix,
                char name[FIX_NAME]);

/* An argument's text, as it is replaced; free() it. NULL without memory. */
char *draft_text(struct draft *draft, int argument);

/* Whether evaluating an argument, as it is replaced, has no effect. */
bool draft_is_pure(const struct draft *draft, int argument);

/* Whether an argument is a call of `name`, and nothing else. */
bool draft_is_call_of(const struct draft *draft, int argument, const char *name,
                      struct c_call *call);

/*
 * Keep the value of an argument in a variable of this type, so that it can be named
 * more than once, where it has side effects, or calls something.
 */
void draft_keep(struct draft *draft, int argument, const char *type);

/*
 * Read the call whose name begins at token `first`, with `open` as its bracket, and
 * take these arguments as its operands.  False: it has another number of arguments.
 */
bool draft_read_call(struct draft *draft, int32_t first, int32_t open, int arguments,
                     int operands, const int *operand);

/*
 * ---- forms of calls: fix_th.c, fix_bl.c, fix_cxx.c ----
 *
 * Each finds the calls of a reported function that cover the line, counts them, and
 * reads the last; then writes the fix.  False: the reason says why not.
 */
struct fix_form {
    int (*find)(struct draft *draft, const struct finding *finding);
    bool (*write)(struct draft *draft);
};

extern const struct fix_form fix_form_th, fix_form_bl, fix_form_cxx, fix_form_operator;

/* Make the edits of a draft. False: the reason says why not. */
bool draft_edit(struct draft *draft, struct fix *fix);

/* Calls of more lines than this are not found. */
enum { CALL_LINES = 100 };

/* Whether the tokens from `first` to `last` cover a line. */
bool draft_covers(const struct draft *draft, int32_t first, int32_t last, int64_t line);

/* Find the library's operator that a report names; false: none with 2 or 3 inputs. */
bool draft_operator(const char *function, const char **name, int32_t *inputs);

#endif
