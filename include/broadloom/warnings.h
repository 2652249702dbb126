/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of calls whose result is not what Torch gave before it broadcast, for people
 * who migrate old programs: predicates, handlers, filters, counts and reports.
 *
 * Flags, handler, filters and counts belong to the process, and may be changed while
 * other threads call.  Nothing is printed unless a handler prints, or the environment
 * asks for it.
 */
#ifndef BROADLOOM_WARNINGS_H
#define BROADLOOM_WARNINGS_H

#include <broadloom/compat.h>
#include <broadloom/context.h>
#include <broadloom/tensor.h>

/* Which calls raise the broadcast warning. */
typedef enum bl_predicate {
    /* PyTorch's: shapes differ, broadcast, and have the same number of elements. */
    BL_PREDICATE_EXACT = 0,
    /*
     * Calls whose result differs from the pointwise 1-D one: in values and number of
     * elements (BL_CHANGE_VALUE), or in shape alone (BL_CHANGE_SHAPE).
     */
    BL_PREDICATE_PRECISE = 1
} bl_predicate;

/* What happens with a warning: Python's filter actions. */
typedef enum bl_warning_action {
    BL_WARNING_DEFAULT = 0, /* emitted once for each site */
    BL_WARNING_ALWAYS = 1,
    BL_WARNING_ONCE = 2,  /* emitted once for each bl_change and operator */
    BL_WARNING_ERROR = 3, /* the call is refused with BL_ERR_RULES */
    BL_WARNING_IGNORE = 4
} bl_warning_action;

/*
 * A warning, as a handler gets it; its pointers are valid during that call.  "Self" is
 * the first operand that is no mask.
 */
typedef struct bl_warning {
    size_t size;          /* the library's sizeof; see base.h */
    int32_t change;       /* a bl_change; KEEPDIM for the reductions' warning */
    int32_t effect;       /* what differs, whatever the predicate: a bl_change;
                             BL_CHANGE_NONE where nothing differs */
    const char *id;       /* as "W_CHANGED" */
    const char *text;     /* PyTorch's, letter for letter, where it has one */
    const char *function; /* "add", "masked_fill" */
    int32_t mode;         /* a bl_mode */
    int32_t count;        /* operands; 0 of the reductions' warning */
    const bl_rules_operand *operand;
    int32_t first; /* the two operands that the text names, in its order */
    int32_t second;
    bl_shape result;
    uint64_t expanded_dims; /* bit d set: axis d of the result is longer than self's */
    double growth;          /* numel of the result over that of self */
    const char *file;       /* of the call; NULL where it was not compiled with
                               BROADLOOM_CALL_SITES */
    int32_t line;           /* 0 without a file */
    const void *address;    /* to which the call returns; NULL if unknown */
} bl_warning;

/*
 * Called on the thread of the call, before anything is written.  Calls of the library
 * from within it raise no warnings.  It must return.
 */
typedef void (*bl_warning_handler)(void *user, const bl_warning *warning);

/*
 * A warning site: a place in the program, and what was found there.  Pointers are valid
 * during the call that gets it.
 */
typedef struct bl_warning_site {
    size_t size; /* the library's sizeof; see base.h */
    int32_t change;
    int32_t effect;       /* the most severe: values before shape before nothing */
    int64_t count;        /* calls that raised warnings, emitted or not */
    const char *function; /* of the most severe call, of those the one that grew most */
    const char *shapes;   /* "(4,1) (4) -> (4,4)", cut to 127 bytes */
    double growth;        /* of that call, too */
    const char *file;     /* as in bl_warning */
    int32_t line;
    const void *address;
    uint64_t expanded_dims; /* of that call, as in bl_warning */
    /* Of a site without a file: where the address was when it was first seen. */
    const char *module;   /* path of the program or library; the program's if unknown */
    const char *build_id; /* in hexadecimal; "" if it has none */
    uint64_t offset;      /* as addr2line takes it; 0 if unknown */
    /* Shapes of the kinds of calls there, at most eight: "(4,1) (4) -> (4,4); ...". */
    const char *kinds;
    /*
     * What a shadow run found (<broadloom/shadow.h>); 0 without one.  Differences are
     * of finite elements, the relative ones over the larger of two magnitudes.
     */
    int64_t compared;   /* calls that were computed both ways */
    int64_t unequal;    /* of these, calls with elements that differ */
    int64_t elements;   /* compared */
    int64_t differ;     /* of these */
    int64_t not_finite; /* of these: one or both are infinite or NaN */
    double max_abs;
    double max_rel;
    int64_t max_ulp;   /* units in the last place of the result's dtype */
    int64_t spread;    /* results that the library computed from differing ones */
    int64_t forgotten; /* differing results whose marks were forgotten */
    /*
     * Where elements of these left the library, at most 16 places and "...": "data
     * train.c:80 12; item libmodel.so@build-id+0x1f30 1"; NULL without any.
     */
    const char *reads;
} bl_warning_site;

/* Called for each warning site; returns false to stop. */
typedef bool (*bl_warning_visitor)(void *user, const bl_warning_site *site);

BL_BEGIN_DECLS

/* ---- the flags ---- */

/*
 * torch.utils.backcompat.broadcast_warning.enabled: off at the start, unless the
 * environment's BROADLOOM_BROADCAST_WARNING turns it on.  Neither results nor the
 * warning of the fallback under transitional rules depend on it.  Thread-safe.
 */
BL_API void bl_backcompat_broadcast_warning_set_enabled(bool enabled);
BL_API bool bl_backcompat_broadcast_warning_enabled(void);

/*
 * The predicate of the broadcast warning, BL_PREDICATE_EXACT at the start.
 * BL_ERR_ARGUMENT for an unknown one.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status
bl_backcompat_broadcast_warning_set_predicate(bl_predicate predicate);
BL_API bl_predicate bl_backcompat_broadcast_warning_predicate(void);

/*
 * torch.utils.backcompat.keepdim_warning.enabled: off at the start, unless the
 * environment's BROADLOOM_KEEPDIM_WARNING turns it on.  The library's reductions always
 * take keepdim: the warning is for bindings whose functions have a default for it.
 * Thread-safe.
 */
BL_API void bl_backcompat_keepdim_warning_set_enabled(bool enabled);
BL_API bool bl_backcompat_keepdim_warning_enabled(void);

/*
 * Where the keepdim flag is on, warn that a call of the reduction `function`, as "sum",
 * over one dimension left keepdim out.  `address` is the return address of that call;
 * NULL means that of this one.  BL_ERR_RULES where a filter makes an error of it.
 */
BL_API BL_MUST_CHECK bl_status bl_backcompat_keepdim_default(const char *function,
                                                             const void *address);

/* ---- handlers, filters and counts ---- */

/* Call `handler` for each warning that is emitted from now on; NULL means none. */
BL_API void bl_warnings_set_handler(bl_warning_handler handler, void *user);

/*
 * A handler that prints one line on standard error.  The line is "file:line:
 * UserWarning: text [add (4,1) (4) -> (4,4)]".  BROADLOOM_BROADCAST_WARNING and
 * BROADLOOM_KEEPDIM_WARNING install it.  `user` is not used.
 */
BL_API void bl_warning_print(void *user, const bl_warning *warning);

/*
 * Add a filter: apply `action` to warnings of a bl_change (BL_CHANGE_NONE means all)
 * from calls in a file (the end of its path, "train.c" or "src/train.c", or one line,
 * "train.c:12"; NULL means all).  The filter added last is tried first; a warning that
 * no filter matches is emitted once for each site.  BL_ERR_ARGUMENT, BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_filter(bl_warning_action action,
                                                  bl_change change, const char *file);

/*
 * Add filters given as text, "ACTION[:CHANGE[:FILE[:LINE]]]" with commas between
 * them: "error,ignore:value:train.c:12".  Actions are default, always, once, error and
 * ignore; changes are value, shape, fallback and keepdim, or nothing for all.
 * Where a filter is malformed, none is added, and the message of BL_ERR_ARGUMENT names
 * it.  BROADLOOM_WARNINGS is read in this way, without a message.  BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_filter_text(const char *text);

/* Drop all filters, warning sites and counts. */
BL_API void bl_warnings_reset(void);

/*
 * Between these two calls, which may be nested, the calling thread raises and counts no
 * warnings: for calls that are known to broadcast.
 */
BL_API void bl_warnings_suppress_begin(void);
BL_API void bl_warnings_suppress_end(void);

/*
 * The number of calls that raised warnings of a bl_change (BL_CHANGE_NONE means any),
 * emitted or not; and the number of warnings that were emitted or made an error, of
 * which ternary operators such as addcmul have up to two a call.  Exact once the calls
 * have returned.  0 for an unknown bl_change.  A forked child counts from 0.
 */
BL_API int64_t bl_warnings_count(bl_change change);
BL_API int64_t bl_warnings_emitted(bl_change change);

/* Call `visit` for every site of warnings since the last bl_warnings_reset(). */
BL_API void bl_warnings_visit(bl_warning_visitor visit, void *user);

/*
 * Write a report: every warning site as a line with a JSON object, for `broadloom
 * migrate report`.  In `path`, %p is the process's number, %r its MPI rank (0 unless
 * OMPI_COMM_WORLD_RANK, PMI_RANK or SLURM_PROCID has one) and %% a '%'.  A file is
 * complete or as it was, also with several writers; links are followed, and devices and
 * pipes, for whose reader the call waits, are written to as they are.  BL_ERR_ARGUMENT
 * for a path that is too long or has another '%', BL_ERR_IO.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_write(const char *path);

/*
 * Write a report, as bl_warnings_write() does, when the process ends by exit() or
 * returns from main(); `path` is copied, NULL means no report.  BROADLOOM_COMPAT_REPORT
 * asks for it, and turns the precise broadcast warning on, which this call does not.
 * Forked children write there, too, what they found themselves, if anything: %p keeps
 * their files apart.  BL_ERR_ARGUMENT as bl_warnings_write(), BL_ERR_MEMORY.  A report
 * that cannot be written at that time is lost silently.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_write_at_exit(const char *path);

/* ---- call sites ---- */

/*
 * Between these two calls, which may be nested, calls of this thread are from `line` of
 * `file`.  bl_call_site_leave() restores the site before and returns `status`; it must
 * be called on every path.  `file` must stay valid.  Where BROADLOOM_CALL_SITES is
 * defined before <broadloom.h> is included, functions that may raise warnings, or count
 * elements that leave the library, call both (sites.h).
 */
BL_API void bl_call_site_enter(const char *file, int32_t line);
BL_API BL_MUST_CHECK bl_status bl_call_site_leave(bl_status status);

/* ---- for rules and bindings ---- */

/*
 * What broadcasting, which gave `answer`, changes in comparison with pointwise 1-D: up
 * to two events.  Returns their number.  Pure.
 */
BL_API int32_t bl_change_find(const bl_rules_query *query,
                              const bl_rules_answer *answer, bl_predicate predicate,
                              bl_rules_event event[2]);

/*
 * PyTorch's name of the function that a query is of, as "add"; where there is none that
 * of the operator, or "broadcast" for a query of shapes alone.  Valid as long as the
 * query's; otherwise static.  Pure.
 */
BL_API const char *bl_change_function(const bl_rules_query *query);

/*
 * The id of the warning that an event raises: "W_CHANGED", "W_CHANGED_SHAPE",
 * "W_FALLBACK_OUT2", ...  A static string.
 */
BL_API const char *bl_change_id(const bl_rules_query *query,
                                const bl_rules_event *event);

/*
 * Write the text of an event, which is PyTorch's, to `buffer`, cut to `size` bytes;
 * returns its whole length.
 */
BL_API size_t bl_change_text(const bl_rules_query *query, const bl_rules_event *event,
                             char *buffer, size_t size);

/*
 * Raise the warning of an event.  `address` is the return address of the call, or NULL.
 * BL_ERR_RULES, with the warning's text, where a filter makes an error of it.
 *
 * Each thread caches calls whose warnings need no report, by their site, shapes and the
 * pointer `function`, which must stay valid: such calls are only counted.
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_raise(const bl_rules_query *query,
                                                 const bl_rules_answer *answer,
                                                 const bl_rules_event *event,
                                                 const void *address);

/*
 * For bindings whose calls are pointwise 1-D: where the broadcast flag is on, raise the
 * warnings of PyTorch's releases with the fallback, that such a call falls back or what
 * broadcasting would change.  The site is a line of a file as for bl_call_site_enter(),
 * or without a file an address.  Operands that cannot be paired raise nothing.  Calls
 * are cached, and errors returned, as by bl_warnings_raise().
 */
BL_API BL_MUST_CHECK bl_status bl_warnings_raise_pointwise(const bl_rules_query *query,
                                                           const char *file,
                                                           int32_t line,
                                                           const void *address);

BL_END_DECLS

#endif
