/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context holds how calls are done: threads, instruction set, allocator, rules,
 * overlap policy, and who is told about it.
 *
 * Every operation takes one first; NULL is the process-wide default context, and
 * configuring that is how a process-wide setting is made.  Any number of threads may
 * use a context at once; configure it while no call uses it.
 *
 * Rounding, one rule for all dtypes, in every thread that works on a call:
 *
 * - Arithmetic (add to lerp and sqrt, but what the next item names), comparisons,
 *   conversions and reductions round in the direction that the calling thread has set,
 *   and flush subnormal numbers where it does.  f16 and bf16 are computed in f32 so,
 *   then rounded to nearest.
 * - Every other operator is computed to nearest, with subnormal numbers, whatever the
 *   calling thread has set, and so are the conversions of its operands and result: the
 *   same bits, within the stated accuracy.  These are divisions of integers, those with
 *   rest and trunc_divide, rounding to whole numbers, nextafter, rsqrt, and functions
 *   from pow, exp and sin to gelu; of complex numbers also abs, sign and sqrt.  So are
 *   distances, and normal random numbers in f64.
 *
 * When a call returns, direction, flushing, precision and traps are as they were, and
 * exceptions that had been raised still are.
 *
 * "The same bits" means, here and elsewhere: whatever the number of threads, the split,
 * the layout of the operands and the instruction set, every number of a result has the
 * same bits (of mathematics of f64 see bl_context_set_reproducible), and what is NaN
 * once is NaN always.  Of complex numbers that holds for each part.
 *
 * The sign and the payload of a NaN are the same too
 *
 *   - where elements are moved, or at most their sign is changed: copy, fill, where and
 *     masks; neg, copysign, conj, real, imag, and abs of real numbers;
 *   - where one floating-point dtype is converted to another: the sign stays, and the
 *     leading bits of the payload (a signalling NaN may become quiet, also in operators
 *     of f16 and bf16);
 *   - in reductions, as reduce.h has it.
 *
 * They are not promised of a NaN that another operator makes or passes on.  Of two
 * operands that are NaN the processor takes the first, and which that is the compiler
 * chooses, for vectors otherwise than for the rest of a row: another number of threads
 * may change it.  signbit, copysign and files show the difference.
 */
#ifndef BROADLOOM_CONTEXT_H
#define BROADLOOM_CONTEXT_H

#include <broadloom/rules.h>

typedef struct bl_context bl_context;

/*
 * Memory for results and workspaces.  `allocate` returns `bytes` (> 0) aligned to
 * `alignment` (a power of two), or NULL; `release` gets what it returned.  Both may be
 * called from any thread, at the same time.
 */
typedef struct bl_allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} bl_allocator;

/*
 * What happens where a result shares memory with an operand other than exactly.
 *
 * A sequential result is that of the loop over all elements, one after the other in
 * row-major order, which reads what it has written: x[1:] += x[:-1] adds up.  It may
 * also repeat elements, as an expanded tensor does.  It is computed by one thread.  So
 * are Torch's results, and those of PyTorch up to 0.3: the rules "legacy" and
 * "transitional" ask for it.  In masked copies and reductions all but REFUSE
 * mean COPY; parts of plans refuse what would need either.
 */
typedef enum bl_overlap {
    BL_OVERLAP_RULES = 0, /* what the rules of a call ask for, else COPY; the default */
    BL_OVERLAP_COPY = 1,  /* as if operands had been copied first */
    BL_OVERLAP_REFUSE = 2, /* BL_ERR_OVERLAP where it is proven, in PyTorch's words */
    BL_OVERLAP_SEQUENTIAL = 3
} bl_overlap;

/* On which nodes memory that the library allocates comes to lie. */
typedef enum bl_placement_kind {
    BL_PLACEMENT_FIRST_TOUCH = 0, /* with the thread whose range it is; the default */
    BL_PLACEMENT_INTERLEAVE = 1,  /* page by page over all nodes */
    BL_PLACEMENT_NODE = 2,        /* on one node */
    BL_PLACEMENT_BIND_RANGE =
        3 /* each node's range bound to it, whoever touches first */
} bl_placement_kind;

/*
 * A policy; it has an effect on memory of the library's own allocator, in blocks of
 * some megabytes and more.
 */
typedef struct bl_placement {
    int32_t kind; /* a bl_placement_kind */
    int32_t node; /* with BL_PLACEMENT_NODE: its number in <broadloom/topology.h> */
} bl_placement;

/*
 * The caller's own way to run `parts` calls body(argument, part), one for each part
 * from 0 on, in any order and on any threads; returns when all are done.
 */
typedef void (*bl_parallel_for)(void *user, int32_t parts,
                                void (*body)(void *argument, int32_t part),
                                void *argument);

typedef enum bl_event_kind {
    BL_EVENT_OVERLAP_COPIED = 1, /* an operand that overlaps the result was copied */
    BL_EVENT_CHANGE = 2          /* the rules say that a legacy result would differ */
} bl_event_kind;

/* Something an observer is told; all pointers are borrowed for the call. */
typedef struct bl_event {
    size_t size; /* sizeof(bl_event) of the library */
    int32_t kind;
    bl_op op;
    int32_t operand;  /* index of the operand that the event is about */
    int32_t change;   /* a bl_change */
    const char *text; /* one line for people */
} bl_event;

/*
 * Called on the thread of the call that caused the event, before anything is written.
 * A status other than BL_OK refuses the call with it.
 */
typedef bl_status (*bl_observer)(void *user, const bl_event *event);

/* What a tracer is told. */
typedef enum bl_trace_kind {
    BL_TRACE_REGION = 1, /* a call's parallel region, or its serial run */
    BL_TRACE_SLICE = 2   /* one thread's range in it */
} bl_trace_kind;

typedef struct bl_trace {
    size_t size; /* sizeof(bl_trace) of the library */
    int32_t kind;
    bl_op op;
    int64_t call;      /* number of the region in this process, from 1 */
    int32_t thread;    /* in the team; of a region, the number of threads */
    int32_t node;      /* that the thread runs on; -1: unknown, or a region */
    int32_t processor; /* the system's number; -1: unknown */
    int64_t begin_ns;  /* on a clock that only rises, CLOCK_MONOTONIC on Linux */
    int64_t end_ns;
    int64_t range_begin; /* iterations of the plan's nest */
    int64_t range_end;
} bl_trace;

/*
 * Called when a slice or a region has ended: slices on their own threads, at the same
 * time, the region on the calling thread after them.  Must not call the library.
 */
typedef void (*bl_tracer)(void *user, const bl_trace *trace);

BL_BEGIN_DECLS

/*
 * A new context with default settings, refined by the environment (see README.md).
 * Free it with bl_context_destroy() after everything that was created with it.
 * BL_ERR_MEMORY; `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_context_create(bl_context **out);

/* Free a context; NULL does nothing.  Never pass the default context. */
BL_API void bl_context_destroy(bl_context *ctx);

/*
 * Most threads a call may use, within OpenMP's settings; 0, the default, means what
 * those, the affinity mask and the control group's quota leave to the calling thread: a
 * number is taken at its word where a mask or a quota would allow fewer.  Smaller
 * results use fewer.  BL_ERR_ARGUMENT for a negative number.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_threads(bl_context *ctx, int32_t threads);
BL_API int32_t bl_context_threads(const bl_context *ctx);

/*
 * The most capable instruction set a call may use, as "base", "avx2", "avx512"; NULL,
 * the default, means the machine's best.  Results have the same bits on each, but for
 * mathematics of f64, where "base" differs in the last place.  BL_ERR_ARGUMENT for an
 * unknown name; one the machine lacks is capped to what it has.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_isa(bl_context *ctx, const char *name);

/* The instruction set in use: a static string. */
BL_API const char *bl_context_isa(const bl_context *ctx);

/*
 * Compute mathematics of f64 (exp, sin, pow, ...) with the same bits on every machine,
 * by the instructions that all have: up to six times slower.  Off by default: machines
 * with FMA agree with each other, those without with each other, within the stated
 * accuracy both.  All else has the same bits anyway.
 */
BL_API void bl_context_set_reproducible(bl_context *ctx, bool reproducible);
BL_API bool bl_context_reproducible(const bl_context *ctx);

/* Rules for calls that name none; NULL means modern.  Borrowed by the context. */
BL_API void bl_context_set_rules(bl_context *ctx, const bl_rules *rules);
BL_API const bl_rules *bl_context_rules(const bl_context *ctx);

/*
 * Limit on the result's element count over the largest operand's, for every call that
 * names none; 0, the default, means no limit.  BL_ERR_ARGUMENT for a negative number or
 * NaN.  A call past it fails with BL_ERR_RULES before anything is allocated.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_max_growth(bl_context *ctx,
                                                         double factor);
BL_API double bl_context_max_growth(const bl_context *ctx);

/* What to do with operands that overlap the result.  BL_ERR_ARGUMENT if unknown. */
BL_API BL_MUST_CHECK bl_status bl_context_set_overlap(bl_context *ctx,
                                                      bl_overlap policy);
BL_API bl_overlap bl_context_overlap(const bl_context *ctx);

/* Memory for what is allocated from now on; copied.  NULL means the library's own. */
BL_API void bl_context_set_allocator(bl_context *ctx, const bl_allocator *allocator);

/* Run slices through `run` instead of OpenMP, with at most bl_context_threads parts. */
BL_API void bl_context_set_parallel_for(bl_context *ctx, bl_parallel_for run,
                                        void *user);

/* Tell `observer` of events; NULL for nobody. */
BL_API void bl_context_set_observer(bl_context *ctx, bl_observer observer, void *user);

/*
 * Where large results and workspaces come to lie, for calls from now on.
 * BL_ERR_ARGUMENT for an unknown policy or node.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_placement(bl_context *ctx,
                                                        bl_placement placement);
BL_API bl_placement bl_context_placement(const bl_context *ctx);

/*
 * Run each thread of a team on the processors of its node for the length of a call;
 * what it was bound to before is restored.  Off by default: threads are worked with
 * where they are.
 */
BL_API void bl_context_set_thread_binding(bl_context *ctx, bool bind);
BL_API bool bl_context_thread_binding(const bl_context *ctx);

/*
 * Let calls from inside an active parallel region have a team of their own where
 * OpenMP's nesting allows one.  Off by default: they run on the calling thread.
 */
BL_API void bl_context_set_nested_parallelism(bl_context *ctx, bool nested);
BL_API bool bl_context_nested_parallelism(const bl_context *ctx);

/*
 * Freed large blocks are kept for the next result of the same size and placement,
 * `bytes` of them at most; 0 keeps none.  The default is an eighth of the memory,
 * the machine's or what the control group allows.  Pages that lie idle while other
 * blocks are mapped are offered to the system, which takes them when memory is short.
 * BL_ERR_ARGUMENT for a negative number.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_pool_limit(bl_context *ctx,
                                                         int64_t bytes);
BL_API int64_t bl_context_pool_limit(const bl_context *ctx);

/* Give all kept blocks back to the system; returns their bytes.  Thread-safe. */
BL_API int64_t bl_context_trim(bl_context *ctx);

/* Tell `tracer` of each region and slice; NULL for nobody. */
BL_API void bl_context_set_tracer(bl_context *ctx, bl_tracer tracer, void *user);

BL_END_DECLS

#endif
