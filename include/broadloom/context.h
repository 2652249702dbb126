/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context holds the settings of calls: threads, instruction set, allocator, rules,
 * overlap policy, observer and tracer.
 *
 * Every operation takes a context first; NULL is the process-wide default context, and
 * configuring that one configures the process.  Any number of threads may use a context
 * at once; configure it while no call uses it.
 *
 * Rounding follows one rule for all dtypes, in every thread that works on a call:
 *
 * - Arithmetic (add to lerp and sqrt, except what the next item names), comparisons,
 *   maximum, minimum, fmax, fmin, clamp, relu, logical_and to logical_not, copysign of
 *   integers, conversions and reductions round in the direction that the calling thread
 *   has set, and flush subnormal numbers where it does.  Operations in f16 and bf16 are
 *   computed in f32 in this way, then rounded to nearest.
 * - Every other operator is computed to nearest, with subnormal numbers, whatever the
 *   calling thread has set, and so are the conversions of its operands and result: the
 *   same bits, within the stated accuracy.  These are divisions of integers,
 *   trunc_divide and divisions with a remainder, rounding to whole numbers, nextafter,
 *   rsqrt, and functions from pow, exp and sin to gelu; of complex numbers also abs,
 *   sign and sqrt.  Distances and random numbers are computed so, too.
 *
 * When a call returns, rounding direction, flushing, precision and traps are as they
 * were, and exception flags that had been raised still are.
 *
 * "The same bits" means: whatever the number of threads, the split, the layout of the
 * operands and the instruction set, every number in a result has the same bits (for f64
 * see bl_context_set_reproducible), and an element, or part of a complex one, that is
 * NaN once is NaN always.  Where subnormal numbers are flushed, not of maximum to fmin
 * of bf16, nor, compiled by Clang, of any of these, clamp, lerp, addcmul and prod.
 *
 * The sign and the payload of a NaN are the same, too,
 *
 *   - where elements are moved, or at most their sign is changed: copy, fill, where and
 *     masks; neg, copysign, conj, real, imag, and abs of real numbers;
 *   - where one floating-point dtype is converted to another: the sign stays, and the
 *     leading bits of the payload (a signalling NaN may become quiet, also in operators
 *     of f16 and bf16);
 *   - in reductions, as reduce.h says.
 *
 * They are not promised of a NaN that another operator makes or passes on: of two NaN
 * the processor takes the first, which one that is the compiler decides, for the rest
 * of a row perhaps otherwise, so that it may follow the number of threads.
 */
#ifndef BROADLOOM_CONTEXT_H
#define BROADLOOM_CONTEXT_H

#include <broadloom/rules.h>

typedef struct bl_context bl_context;

/*
 * Memory for tensors, plans and workspaces.  `allocate` returns `bytes` (> 0) aligned
 * to `alignment` (a power of two), or NULL; `release` frees what `allocate` returned
 * for these `bytes` and this `alignment`.  Both may be called from any thread, at the
 * same time.  The struct is copied; what `user` points to must outlive everything that
 * was allocated.
 */
typedef struct bl_allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes, size_t alignment);
    void *user;
} bl_allocator;

/*
 * What happens where a result shares memory with an operand and is not exactly the same
 * elements in the same places.
 * A sequential result is that of a loop over all elements in row-major order, which
 * reads what it has written: x[1:] += x[:-1] accumulates; addcmul and addcdiv copy an a
 * of its dtype to it first.  It may also overlap itself, as an expanded tensor does,
 * and is computed by one thread.  Results of Torch and PyTorch up to 0.3 are so: rules
 * "legacy" and "transitional" ask for it.  In masked copies and reductions all policies
 * except REFUSE mean COPY; bl_plan_execute_part() refuses what needs a copy or an
 * order.
 */
typedef enum bl_overlap {
    BL_OVERLAP_RULES = 0, /* what the rules of a call ask for, else COPY; the default */
    BL_OVERLAP_COPY = 1,  /* as if operands had been copied first */
    BL_OVERLAP_REFUSE = 2, /* BL_ERR_OVERLAP where it is proven, in PyTorch's words */
    BL_OVERLAP_SEQUENTIAL = 3 /* the result of a loop over all elements, in order */
} bl_overlap;

/* On which NUMA nodes memory that the library allocates is placed. */
typedef enum bl_placement_kind {
    BL_PLACEMENT_FIRST_TOUCH = 0, /* by the thread that works on it; the default */
    BL_PLACEMENT_INTERLEAVE = 1,  /* page by page over all nodes */
    BL_PLACEMENT_NODE = 2,        /* on one node */
    BL_PLACEMENT_BIND_RANGE =
        3 /* each node's range bound to it, whichever thread touches it first */
} bl_placement_kind;

/*
 * A placement policy.  It applies to memory of the library's own allocator, in blocks
 * of some megabytes and more.
 */
typedef struct bl_placement {
    int32_t kind; /* a bl_placement_kind */
    int32_t node; /* for BL_PLACEMENT_NODE: a node's number (<broadloom/topology.h>) */
} bl_placement;

/*
 * The program's own parallel loop: makes the `parts` calls body(argument, part), for
 * part from 0 to parts - 1, in any order and on any threads, and returns when all are
 * done.
 */
typedef void (*bl_parallel_for)(void *user, int32_t parts,
                                void (*body)(void *argument, int32_t part),
                                void *argument);

/* What an observer is called for. */
typedef enum bl_event_kind {
    BL_EVENT_OVERLAP_COPIED = 1, /* an operand that overlaps the result was copied */
    BL_EVENT_CHANGE = 2          /* the rules say that a legacy result would differ */
} bl_event_kind;

/* An event that an observer is called with; its pointers are valid during that call. */
typedef struct bl_event {
    size_t size; /* the library's sizeof: members beyond it are not there */
    int32_t kind;
    bl_op op;
    int32_t operand;  /* index of the operand that the event is about */
    int32_t change;   /* a bl_change */
    const char *text; /* one readable line */
} bl_event;

/*
 * Called on the thread of the call that caused the event, before anything is written.
 * A status other than BL_OK refuses the call with that status.
 */
typedef bl_status (*bl_observer)(void *user, const bl_event *event);

/* What a tracer is called for. */
typedef enum bl_trace_kind {
    BL_TRACE_REGION = 1, /* a call's parallel region, or its serial run */
    BL_TRACE_SLICE = 2   /* one thread's range in the region */
} bl_trace_kind;

/* A region or a slice that has ended, as a tracer gets it. */
typedef struct bl_trace {
    size_t size; /* the library's sizeof: members beyond it are not there */
    int32_t kind;
    bl_op op;
    int64_t call;      /* number of the region in this process, from 1 */
    int32_t thread;    /* in the team; of a region, the number of threads */
    int32_t node;      /* that the thread runs on; -1: unknown, or a region */
    int32_t processor; /* the system's number; -1: unknown */
    int64_t begin_ns;  /* of a monotonic clock, CLOCK_MONOTONIC on Linux */
    int64_t end_ns;
    int64_t range_begin; /* iterations of the plan's nest */
    int64_t range_end;
} bl_trace;

/*
 * Called when a slice or a region has ended: for slices on their threads, concurrently,
 * for the region on the calling thread after them.  Must not call the library.
 */
typedef void (*bl_tracer)(void *user, const bl_trace *trace);

BL_BEGIN_DECLS

/*
 * Create a context with default settings, refined by the environment
 * (broadloom-environment(7)).  Free it with bl_context_destroy() once no call uses it.
 * It need not outlive the tensors and plans that were created with it: each has a copy
 * of the allocator, and pooled blocks hold a reference to the pool.  BL_ERR_MEMORY;
 * `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_context_create(bl_context **out);

/* Free a context that no call uses.  NULL does nothing: the default context stays. */
BL_API void bl_context_destroy(bl_context *ctx);

/*
 * ---- settings ----
 *
 * bl_context_set_X() changes setting X, for calls from now on; bl_context_X(), which
 * callbacks and the allocator do not have, returns it.  A NULL context is the default
 * one.
 */

/*
 * The most threads that a call may use, within OpenMP's settings.  0, the default,
 * means what those, the affinity mask and the control group's quota leave to the
 * calling thread; an explicit number overrides mask and quota.  Smaller results use
 * fewer.  BL_ERR_ARGUMENT for a negative number.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_threads(bl_context *ctx, int32_t threads);
BL_API int32_t bl_context_threads(const bl_context *ctx);

/*
 * The most capable instruction set that a call may use: "base", "avx2" or "avx512";
 * NULL, the default, means the machine's best.  Results have the same bits on each,
 * except mathematics of f64, where "base" differs in the last place.  BL_ERR_ARGUMENT
 * for an unknown name; in place of one that the machine lacks the best that it has is
 * used.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_isa(bl_context *ctx, const char *name);

/* The name of the instruction set that calls use.  A static string. */
BL_API const char *bl_context_isa(const bl_context *ctx);

/*
 * Compute mathematics of f64 (exp, sin, pow, ...) with the same bits on every machine,
 * by the instructions that all machines have: up to six times slower.  Off by default:
 * then machines with FMA agree with each other, and machines without it do, both within
 * the stated accuracy.  All other results have the same bits anyway.
 */
BL_API void bl_context_set_reproducible(bl_context *ctx, bool reproducible);
BL_API bool bl_context_reproducible(const bl_context *ctx);

/*
 * The rules of calls whose options name none; NULL means modern.  The rules are
 * borrowed: they must outlive their use by the context, and not change.
 * BL_ERR_ARGUMENT for rules without a function or with unknown flags.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_rules(bl_context *ctx,
                                                    const bl_rules *rules);
BL_API const bl_rules *bl_context_rules(const bl_context *ctx);

/*
 * Limit on the number of elements of a result, as a multiple of the largest operand's,
 * for calls whose options name none; 0, the default, means no limit.  BL_ERR_ARGUMENT
 * for a negative number or NaN.  A call that would exceed it fails with BL_ERR_RULES
 * before anything is allocated.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_max_growth(bl_context *ctx,
                                                         double factor);
BL_API double bl_context_max_growth(const bl_context *ctx);

/* What happens to operands that overlap the result.  BL_ERR_ARGUMENT if unknown. */
BL_API BL_MUST_CHECK bl_status bl_context_set_overlap(bl_context *ctx,
                                                      bl_overlap policy);
BL_API bl_overlap bl_context_overlap(const bl_context *ctx);

/*
 * The allocator of what is created from now on; copied.  NULL means the library's own.
 * BL_ERR_ARGUMENT where one of its functions is missing.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_allocator(bl_context *ctx,
                                                        const bl_allocator *allocator);

/*
 * Run slices through `run` instead of an OpenMP region, in at most bl_context_threads()
 * parts; NULL means OpenMP.
 */
BL_API void bl_context_set_parallel_for(bl_context *ctx, bl_parallel_for run,
                                        void *user);

/* Call `observer` for each event; NULL means none. */
BL_API void bl_context_set_observer(bl_context *ctx, bl_observer observer, void *user);

/* The placement of large results and workspaces.  BL_ERR_ARGUMENT if unknown. */
BL_API BL_MUST_CHECK bl_status bl_context_set_placement(bl_context *ctx,
                                                        bl_placement placement);
BL_API bl_placement bl_context_placement(const bl_context *ctx);

/*
 * Bind each thread of a team to the processors of its node for the duration of a call;
 * its previous binding is restored.  Off by default: threads stay where they are.
 */
BL_API void bl_context_set_thread_binding(bl_context *ctx, bool bind);
BL_API bool bl_context_thread_binding(const bl_context *ctx);

/*
 * Let a call from inside an active parallel region open a team where OpenMP's nesting
 * allows one.  Off by default: such a call runs on the calling thread.
 */
BL_API void bl_context_set_nested_parallelism(bl_context *ctx, bool nested);
BL_API bool bl_context_nested_parallelism(const bl_context *ctx);

/*
 * Nanoseconds that a parallel region counts as taking, above 20000 as 20000: calls
 * whose other threads would save less run on the calling thread alone.  0, the default:
 * measured, once in the process for a number of threads.  BL_ERR_ARGUMENT if negative.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_region_ns(bl_context *ctx, int32_t ns);
BL_API int32_t bl_context_region_ns(const bl_context *ctx);

/*
 * Limit of the pool, in bytes: freed memory of results and workspaces, from 64 KiB on
 * where the allocator is the library's own, is kept for the next one of the same size
 * and placement, up to this limit and 256 blocks; 0 keeps none.  The default is an
 * eighth of the memory, the machine's or what the control group allows.  Idle blocks
 * of 4 MiB and more are offered to the system while others are mapped, and it takes
 * their pages when memory is short.  BL_ERR_ARGUMENT for a negative number.
 */
BL_API BL_MUST_CHECK bl_status bl_context_set_pool_limit(bl_context *ctx,
                                                         int64_t bytes);
BL_API int64_t bl_context_pool_limit(const bl_context *ctx);

/* Return all blocks of the pool to the system; returns their bytes.  Thread-safe. */
BL_API int64_t bl_context_trim(bl_context *ctx);

/* Call `tracer` for each region and slice; NULL means none. */
BL_API void bl_context_set_tracer(bl_context *ctx, bl_tracer tracer, void *user);

BL_END_DECLS

#endif
