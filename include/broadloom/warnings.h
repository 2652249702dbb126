/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings where a result is not what Torch gave before it broadcast, for people who
 * bring old programs over: what is found, who is told, what is left out.
 *
 * Flags, handler, filters and counts are the process's, and may be changed while other
 * threads call.  Nothing is printed unless a handler does, or the environment asks.
 */
#ifndef BROADLOOM_WARNINGS_H
#define BROADLOOM_WARNINGS_H

#include <broadloom/compat.h>
#include <broadloom/context.h>
#include <broadloom/tensor.h>

/* Which calls the broadcast warning is about. */
typedef enum bl_predicate {
    /* As PyTorch: shapes differ, broadcast, and have the same number of elements. */
    BL_PREDICATE_EXACT = 0,
    /*
     * Those whose result differs from pairing as 1-D: in values and number of elements
     * (BL_CHANGE_VALUE), or in shape alone (BL_CHANGE_SHAPE).
     */
    BL_PREDICATE_PRECISE = 1
} bl_predicate;

/* What happens with a warning: Python's filter actions. */
typedef enum bl_warning_action {
    BL_WARNING_DEFAULT = 0, /* told once for each place in the program */
    BL_WARNING_ALWAYS = 1,
    BL_WARNING_ONCE = 2,  /* told once for each difference and operator */
    BL_WARNING_ERROR = 3, /* the call is refused with BL_ERR_RULES */
    BL_WARNING_IGNORE = 4
} bl_warning_action;

/*
 * One warning; all pointers are borrowed for the call of the handler.  Self is the
 * first operand that is no mask.
 */
typedef struct bl_warning {
    size_t size;          /* sizeof(bl_warning) of the library */
    int32_t change;       /* a bl_change; KEEPDIM for the reductions' warning */
    int32_t effect;       /* what differs, whatever the predicate: a bl_change,
                             BL_CHANGE_NONE where nothing does */
    const char *id;       /* as "W_CHANGED" */
    const char *text;     /* PyTorch's, letter for letter, where it has one */
    const char *function; /* "add", "masked_fill" */
    int32_t mode;         /* a bl_mode */
    int32_t count;        /* operands; 0 of the reductions' warning */
    const bl_rules_operand *operand;
    int32_t first; /* the two that the text names, in its order */
    int32_t second;
    bl_shape result;
    uint64_t expanded_dims; /* bit d set: result dim d is longer than self's */
    double growth;          /* elements of the result over those of self */
    const char *file;       /* of the call; NULL where it was not compiled with
                               BROADLOOM_CALL_SITES */
    int32_t line;           /* 0 without a file */
    const void *address;    /* to which the call returns; NULL if unknown */
} bl_warning;

/*
 * Called on the thread of the call, before anything is written.  Its own calls of the
 * library raise no warnings.  It must return.
 */
typedef void (*bl_warning_handler)(void *user, const bl_warning *warning);

/* A place in the program, and what was found there; pointers borrowed for the call. */
typedef struct bl_warning_site {
    size_t size; /* sizeof(bl_warning_site) of the library */
    int32_t change;
    int32_t effect; /* the worst: values before shape before nothing */
    int64_t count;  /* calls that raised warnings, told or not */
    const char
        *function;      /* of the worst, as the next two: of those the largest growth */
    const char *shapes; /* "(4,1) (4) -> (4,4)", cut to 127 bytes */
    double growth;
    const char *file; /* as in bl_warning */
    int32_t line;
    const void *address;
    uint64_t expanded_dims; /* of the worst, as in bl_warning */
    /* Where the address lay when it was first seen, of a site without a file. */
    const char *module;   /* path of the program or library; the program's if unknown */
    const char *build_id; /* in hexadecimal; "" if it has none */
    uint64_t offset;      /* as addr2line takes it; 0 if unknown */
    /* Shapes of all kinds of calls there, eight of them: "(4,1) (4) -> (4,4); ...". */
    const char *kinds;
} bl_warning_site;

/* Returns false to see no more. */
typedef bool (*bl_warning_visitor)(void *user, const bl_warning_site *site);

BL_BEGIN_DECLS

/* ---- the flags ---- */

/*
 * torch.utils.backcompat.broadcast_warning.enabled: off at the start, or as the
 * environment's BROADLOOM_BROADCAST_WARNING has it.  Results do not depend on it.  The
 * fallback's warning under transitional rules does not either.  Thread-safe.
 */
BL_API void bl_backcompat_broadcast_warning_set_enabled(bool enabled);
BL_API bool bl_backcompat_broadcast_warning_enabled(void);

/* What it warns of; exact at the start.  BL_ERR_ARGUMENT if unknown.  Thread-safe. */
BL_API BL_MUST_CHECK bl_status
bl_backcompat_broadcast_warning_set_predicate(bl_predicate predicate);
BL_API bl_predicate bl_backcompat_broadcast_warning_predicate(void);

/*
 * torch.utils.backcompat.keepdim_warning.enabled, BROADLOOM_KEEPDIM_WARNING.  The
 * library's own reductions are always told keepdim: it is for functions that have a
 * default.  Thread-safe.
 */
BL_API void bl_backcompat_keepdim_warning_set_enabled(bool enabled);
BL_API bool bl_backcompat_keepdim_warning_enabled(void);

/*
 * Warn, where the flag is on, that a call of the reduction `function`, "sum", over one
 * dimension left keepdim out.  `address` is to where that call returns; NULL: to where
 * this one does.  BL_ERR_RULES where a filter makes an error of it.
 */
BL_API BL_MUST_CHECK bl_status bl_backcompat_keepdim_default(const char *function,
                                                             const void *address);

/* ---- who is told of what ---- */

/* Tell `handler` of warnings from now on; NULL for nobody. */
BL_API void bl_warnings_set_handler(bl_warning_handler handler, void *user);

/*
 * A handler that writes one line on standard error, "file:line: UserWarning: text
 * [add (4,1) (4) -> (4,4)]": what BROADLOOM_BROADCAST_WARNING and
 * BROADLOOM_KEEPDIM_WARNING set up.  `user` is not used.
 */
BL_API void bl_warning_print(void *user, const bl_warning *warning);

/*
 * Do `action` with warnings of a bl_change (BL_CHANGE_NONE: all) from calls in
 * a file (its path's end, "train.c" or "src/train.c", of one line, "train.c:12"; NULL:
 * all).  The filter added last is asked first; what none is about is told once for each
 * place.  BL_ERR_ARGUMENT, BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_filter(bl_warning_action action,
                                                  bl_change change, const char *file);

/*
 * The same as text, "ACTION[:DIFFERENCE[:FILE[:LINE]]]" with commas between filters:
 * "error,ignore:changed:train.c:12".  Actions are default, always, once, error and
 * ignore; differences are changed, shape, fallback and keepdim, or nothing for all.
 * BROADLOOM_WARNINGS does it, in silence.  BL_ERR_ARGUMENT names the first filter that
 * is none: then none is added.  BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_filter_text(const char *text);

/* Drop all filters, forget what was told, and count from 0. */
BL_API void bl_warnings_reset(void);

/*
 * The calling thread raises no warnings, and counts none, until as many ends as
 * beginnings: for calls that are known to broadcast.
 */
BL_API void bl_warnings_suppress_begin(void);
BL_API void bl_warnings_suppress_end(void);

/*
 * Calls that raised warnings of a bl_change (BL_CHANGE_NONE: of all), whether
 * told or not; how many warnings were told or made an error, of which addcmul and its
 * kind have up to two a call.  Exact when the calls have returned.  0 for an unknown
 * difference.  A forked child counts from 0.
 */
BL_API int64_t bl_warnings_count(bl_change change);
BL_API int64_t bl_warnings_emitted(bl_change change);

/* Show `visit` every place that warnings were raised from, since the last reset. */
BL_API void bl_warnings_visit(bl_warning_visitor visit, void *user);

/*
 * Write them to a file, one JSON object a line, for `broadloom migrate report`.  In
 * `path`, %p is the process's number, %r its MPI rank (0 unless OMPI_COMM_WORLD_RANK,
 * PMI_RANK or SLURM_PROCID has one) and %% a '%'.  A file is complete or as it was,
 * whoever else writes it; links are followed, and devices and pipes, for whose reader
 * the call waits, written to as they are.  BL_ERR_ARGUMENT for a path too long or with
 * another '%', BL_ERR_IO.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_write(const char *path);

/*
 * The same when the process ends by exit() or from main(); `path` is copied, NULL is
 * for nothing.  BROADLOOM_COMPAT_REPORT does it.  Forked children write there too what
 * they found themselves, if anything: %p keeps them apart.  BL_ERR_ARGUMENT as above,
 * BL_ERR_MEMORY.  What cannot be written then is lost without a word.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_write_at_exit(const char *path);

/* ---- the calling place ---- */

/*
 * Calls of this thread are from this line of that file until bl_call_site_leave(),
 * which returns `status`; then from where they were before.  `file` must stay, and be
 * left on every way out.  With BROADLOOM_CALL_SITES defined before <broadloom.h> is
 * included, every named form does it.
 */
BL_API void bl_call_site_enter(const char *file, int32_t line);
BL_API BL_MUST_CHECK bl_status bl_call_site_leave(bl_status status);

/* ---- for rules and bindings ---- */

/*
 * What broadcasting, whose answer this is, changes of what pairing as 1-D gave: up to
 * two events.  Returns their number.  Pure.
 */
BL_API int32_t bl_change_find(const bl_rules_query *query,
                              const bl_rules_answer *answer, bl_predicate predicate,
                              bl_rules_event event[2]);

/* Its id: "W_CHANGED", "W_CHANGED_SHAPE", "W_FALLBACK_OUT2", ...  A static string. */
BL_API const char *bl_change_id(const bl_rules_query *query,
                                const bl_rules_event *event);

/* Its text, PyTorch's, into `buffer`, cut to `size` bytes; returns its whole length. */
BL_API size_t bl_change_text(const bl_rules_query *query, const bl_rules_event *event,
                             char *buffer, size_t size);

/*
 * Raise the warning that an event is.  `address` is to where the call returns, or NULL.
 * BL_ERR_RULES, with the warning's text, where a filter makes an error of it.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_raise(const bl_rules_query *query,
                                                 const bl_rules_answer *answer,
                                                 const bl_rules_event *event,
                                                 const void *address);

/*
 * What kind of call this thread's last warning was of: a number that follows from its
 * shapes; 0 if it was suppressed.
 */
BL_API uint64_t bl_warnings_kind(void);

/*
 * Count a call of a kind again that raised warnings from here before, if nothing is to
 * be told of them: false where they must be raised.  `op` and `function`, which must
 * stay, as in the query.
 */
BL_API bool bl_warnings_count_repeat(bl_change change, bl_op op, const char *function,
                                     uint64_t kind, const void *address);

/*
 * For bindings whose calls pair their operands as 1-D still, where the broadcast flag
 * is on: raise what PyTorch warned of while it fell back, that such a call falls back
 * or what broadcasting would change, from that line of a file as bl_call_site_enter()
 * takes them, or without a file from an address.  Operands that do not pair raise
 * nothing.  BL_ERR_RULES as above.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_raise_pointwise(const bl_rules_query *query,
                                                           const char *file,
                                                           int32_t line,
                                                           const void *address);

/*
 * Count this thread's last such call from there again, if it was one of these shapes
 * and nothing is to be told: false where it must be raised.  `function`, which must
 * stay, as in the query, whose `op` was BL_OP_NONE; of the operands, shapes are read.
 */
BL_API bool bl_warnings_count_repeat_pointwise(const char *function, bl_mode mode,
                                               int32_t count,
                                               const bl_array *const *operands,
                                               const char *file, int32_t line,
                                               const void *address);

BL_END_DECLS

#endif
