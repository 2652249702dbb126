/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fusion has been decided to be.  An operand is in memory: a result, then the
 * inputs, which may be numbers.  A place is where operations find values while a box is
 * computed: those of the operands, then the intermediate ones.
 */
#ifndef BLI_FUSION_PLAN_H
#define BLI_FUSION_PLAN_H

#include "expr/frame.h"
#include "expr/fusion.h"
#include "kernels/reduce/reduce.h"
#include "kernels/registers/program.h"

enum {
    BLI_FUSION_PLACES = 96,
    BLI_FUSION_STEPS = 48,     /* most steps, and most operations */
    BLI_FUSION_SMALL = 128,    /* elements up to which nothing but computing pays */
    BLI_FUSION_FOLDS = 8,      /* most reductions */
    BLI_FUSION_TURNED = 64,    /* most bytes of a row that is reduced as columns */
    BLI_FUSION_ADDED = 64,     /* fewest f64 of a row that programs add to lanes */
    BLI_FUSION_ADDED_FAR = 128 /* fewest of a row from memory */
};

/*
 * Operands of fewer bytes in total are in the caches.  f64(a) * 2 + 1 of u8, Zen 5, a
 * last-level cache of 32 MiB, 2 threads: larger boxes take .83 of the time with 2 and
 * 18 MB of operands, 1.02 with 144 MB; a * b + c of f64 and u8 1.04 with 50 MB.
 */
#define BLI_FUSION_CACHE (32 << 20)

/* How a fusion with reductions goes through its elements. */
enum bli_fusion_order {
    BLI_ORDER_BOXES,  /* without reductions: fusion_boxes.c */
    BLI_ORDER_ROWS,   /* several rows, whole, for each of which there is a result */
    BLI_ORDER_BLOCKS, /* several blocks of such a row */
    BLI_ORDER_COLUMNS /* parts of several rows, for each of whose columns there is one
                       */
};

/* An operand in memory. */
struct bli_fusion_operand {
    int32_t value;      /* of the expression */
    int32_t shift;      /* of its axes */
    const void *number; /* alpha: not a value; else NULL */
    bool is_kept;       /* a number, in `kept` as operations take it */
    union {
        float f32;
        double f64;
    } kept;
    bl_dtype dtype;
    bl_dtype computed;   /* dtype that operations take */
    bli_kernel *convert; /* between memory and buffer: copies or converts */
    int64_t (*stride)[BLI_MAX_OPERANDS]; /* of that, by the loops of a box */
    uint32_t read_after, read_within;    /* of a result: see fusion_in_place.h */
    int32_t *table; /* offsets of pieces that its buffer is gathered of, or NULL */
    int32_t pieces, piece; /* how many, 0 without a table, and bytes of each */
    bool spreads;          /* each of 16 bytes, from one element of `piece` bytes */
};

/* Where an operand of a small fusion is. */
struct bli_fusion_source {
    int32_t slot;       /* of the expression's inputs; -1: a number of the fusion */
    uint32_t below;     /* bits of the address that are 0 */
    int64_t begin, end; /* bytes that it spans, relative to its address */
};

/* Where an operation finds a value. */
struct bli_fusion_place {
    bl_dtype dtype;
    int32_t step;   /* bytes from element to element: those of one, or 0 */
    int32_t buffer; /* offset in a thread's staging memory; -1: in memory */
};

/* A kernel, or a program of a register machine, that computes a box. */
struct bli_fusion_operation {
    bli_kernel *kernel; /* NULL: a program */
    bool wants_nearest;
    bool can_be_nt; /* its result by non-temporal stores */
    int32_t count;  /* of places: the result first, of a kernel */
    uint8_t place[BLI_PROGRAM_OPERANDS];
    int64_t (*stride)[BLI_MAX_OPERANDS];    /* of a kernel */
    struct bli_program *program, *in_place; /* see fusion_in_place.h */
    struct bli_fusion_fold *fold; /* a reduction: the result, what is reduced */
    uint32_t ahead; /* operands of the next box that are prefetched meanwhile */
    bool is_row;    /* of a kernel: it computes one element for each row */
    bool is_dense;  /* rows of a box are one after the other at all its places */
    bool is_only;   /* its operands are all places, in their order */
};

/* Elements reduced once: converted, centred, reduced, finalized. */
struct bli_fusion_pass {
    const struct bli_reducer *reducer;
    bli_kernel *stage; /* to what the reducer or `centre` takes; NULL: they are that */
    bli_kernel *turn;  /* transposes short rows; NULL: they are reduced as rows */
    int64_t staged_size; /* bytes of an element that it makes */
    void (*centre)(double *tile, const double *mean, int64_t count, bool each);
    void (*finalize)(double *partial, int64_t count, double number, bool is_root);
    double number;
    bool is_root;
    bool is_sum;   /* what the reducer does is to add */
    int32_t parts; /* components of a partial result */
};

/* A reduction.  The first of two passes is for the means of var and std. */
struct bli_fusion_fold {
    int32_t passes;
    struct bli_fusion_pass pass[2];
    bli_kernel *store;     /* partial results to results */
    int64_t size;          /* bytes of an element */
    int32_t operand;       /* of the fusion, its result; -1: it is nowhere */
    int64_t lanes;         /* of columns, or of blocks, in a thread's staging memory */
    int32_t program_place; /* of which rows are added to lanes by the program that
                              computes them, of blocks whole ones; -1: none */
    int64_t partials;      /* of all blocks, in the memory that they share */
};

struct bli_fusion {
    size_t bytes; /* of it and all that it points to in its block */
    const struct bli_isa *isa;
    int32_t results, operands, places, operations;
    struct bli_fusion_operand operand[BLI_FUSION_OPERANDS];
    struct bli_fusion_place place[BLI_FUSION_PLACES];
    struct bli_fusion_operation *operation;
    struct bli_program *program;
    int32_t programs;
    /* The loops, innermost first. */
    int32_t loops;
    int64_t count, offset[BLI_FUSION_OPERANDS];
    int64_t *extent, *stride; /* of operand k in loop i: stride[i * operands + k] */
    /* A box has all iterations of the loops inside `level`, and `length` of that. */
    int32_t level;
    int64_t length;
    bool takes_rows;  /* boxes are `length` rows, which kernels take where they are */
    uint32_t staged;  /* operands that have a buffer, filled or emptied for each box */
    uint32_t streams; /* results that are written by non-temporal stores */
    uint32_t streamed_buffers; /* those of them that are copied from their buffers */
    int64_t staging;           /* bytes that a thread needs */
    bool is_small;             /* one box of at most BLI_FUSION_SMALL elements */
    struct bli_fusion_source *source; /* of each operand of a small one: they are an
                                         output, inputs and numbers; else NULL */
    int32_t threads;                  /* the most that pay */
    int64_t line; /* iterations that threads' shares are multiples of */
    /* With reductions. */
    enum bli_fusion_order order;
    int32_t folds;
    struct bli_fusion_fold *fold;
    int32_t joined;  /* loops that are reduced together, as one; 0: none */
    uint32_t pieced; /* operands without one stride there, whose buffers they fill */
    int64_t *joined_extent, *joined_stride;
    int64_t *row;         /* bytes from row to row of a box, of each place */
    int64_t rows;         /* of a box, of `length` elements each */
    int64_t reduced;      /* elements into each result */
    int64_t blocks;       /* of them, where these are computed apart */
    int64_t items;        /* that threads share */
    int64_t item_bytes;   /* that an item reads and writes, for node ranges */
    int64_t outputs;      /* results of each reduction */
    int64_t partials;     /* bytes of the partial results of blocks */
    int64_t scratch;      /* in a thread's staging memory: converted elements */
    struct bl_plan *lead; /* a copy with the first result's loops, for the partition;
                             NULL for one thread */
};

/* How steps are put together, before the block is allocated. */
struct bli_fusion_draft {
    const struct bli_expr_making *making;
    const bl_expr_plan *plan;
    const struct bli_expr_phase *phase;
    int32_t number; /* of the phase */
    bool is_direct;
    int32_t most;   /* steps of a program, for operations and operands; 0: none yet */
    bool has_rows;  /* boxes are parts of rows, not several of them */
    bool takes_all; /* the box is all rows, of which a program takes each where it is */
    /* With reductions, which all reduce the same axes of arrays of one shape. */
    const struct bli_expr_value *domain; /* has that shape; NULL: there are none */
    uint64_t axes;
    bool is_resident;              /* results of reductions are used in the fusion */
    bool is_row[BLI_FUSION_STEPS]; /* of each step: it has one element for each row */
    bool is_folded[BLI_FUSION_STEPS];                 /* its program adds it to lanes */
    int64_t spread[BLI_FUSION_FOLDS][2][BL_MAX_RANK]; /* extents and strides of results
                                                         that lack reduced axes */
    struct bli_fusion_fold fold[BLI_FUSION_FOLDS];
    int32_t fold_of[BLI_FUSION_STEPS];
    int64_t row[BLI_FUSION_PLACES];
    /* Of each step, by its place in the phase. */
    int32_t class[BLI_FUSION_STEPS];     /* dtype of a register machine; -1: a kernel */
    int32_t operation[BLI_FUSION_STEPS]; /* that it is of */
    uint8_t result[BLI_FUSION_STEPS];    /* place of its value; none in registers */
    uint8_t input[BLI_FUSION_STEPS][BL_MAX_INPUTS]; /* places of its operands */
    int32_t first[BLI_FUSION_STEPS], count[BLI_FUSION_STEPS]; /* of each operation */
    int32_t member[BLI_FUSION_STEPS]; /* steps of operations, one after the other */
    struct bli_frame frame, apart;    /* apart: extents and strides of joined loops */
    double traffic;             /* bytes of all operands, each element counted once */
    struct bli_segment segment; /* of one program at a time */
    struct bli_segment first_segment; /* that the first program was made of */
    struct bli_fusion made;
    struct bli_fusion_operation operations[BLI_FUSION_STEPS];
    struct bli_program program[BLI_FUSION_STEPS];
    int64_t kernel_stride[BLI_FUSION_STEPS][2][BLI_MAX_OPERANDS];
    int64_t stage_stride[BLI_FUSION_OPERANDS][BLI_TILE_LOOPS][BLI_MAX_OPERANDS];
    int32_t table[BLI_FUSION_OPERANDS][BLI_FUSION_SMALL];
    struct bli_fusion_source source[BLI_FUSION_OPERANDS];
};

enum { BLI_NO_PLACE = 255 };

/* Begin a draft: false where what it reduces has no common shape. */
bool bli_fusion_begin(struct bli_fusion_draft *draft,
                      const struct bli_expr_making *making,
                      const struct bli_expr_phase *phase, bool is_direct);

/*
 * Decide a fusion that was begun, in the fastest of the ways that make a difference.
 * False where calls are faster; `*ns` is the estimate.
 */
bool bli_fusion_choose(struct bli_fusion_draft *draft, double *ns);

/*
 * Parts of making one, in order; false where there is more than has room.  Operations:
 * which steps each has, in order.  Operands: places of all values.  Boxes: their size,
 * and which operands have buffers.  Programs: of the register machines.
 */
bool bli_fusion_operations(struct bli_fusion_draft *draft);
bool bli_fusion_operands(struct bli_fusion_draft *draft);
bool bli_fusion_boxes(struct bli_fusion_draft *draft);
bool bli_fusion_rows(struct bli_fusion_draft *draft);
bool bli_fusion_programs(struct bli_fusion_draft *draft);

/*
 * Of boxes of which results are to be written by non-temporal stores: find lengths that
 * end where cache lines do, or choose ordinary stores; of rows: whether they pay.
 */
void bli_fusion_end_on_lines(struct bli_fusion_draft *draft);
bool bli_fusion_row_pays(const struct bli_fusion_draft *draft, int32_t r);

/*
 * Decide whether boxes are one small one; tabulate what is gathered for it; find where
 * its operands are.
 */
void bli_fusion_find_small(struct bli_fusion_draft *draft);
void bli_fusion_tabulate(struct bli_fusion_draft *draft);
void bli_fusion_find_sources(struct bli_fusion_draft *draft);

/* Find what a fusion reduces, if anything: false where that has no common shape. */
bool bli_fusion_find_domain(struct bli_fusion_draft *draft);

/* Bytes from buffer to buffer beyond their length: not all begin in the same set. */
#define BLI_BUFFERS_APART 192

/* Reserve bytes in a thread's staging memory. */
static inline int64_t bli_fusion_reserve(struct bli_fusion *made, int64_t bytes)
{
    const int64_t at = made->staging;

    made->staging += bli_align_up(bytes) + BLI_BUFFERS_APART;
    return at;
}

/* Whether a result may be written by non-temporal stores as it is computed; the kernel
 * that copies operand `k` between memory and its buffer. */
bool bli_fusion_can_be_nt(const struct bli_fusion_draft *draft, int32_t r);
bli_kernel *bli_fusion_copying(const struct bli_fusion_draft *draft, int32_t k);

/* Elements of a box. */
int64_t bli_fusion_box(const struct bli_fusion_draft *draft);

/* Bytes of an element of operand `k` in memory. */
static inline int64_t bli_fusion_size(const struct bli_fusion *made, int32_t k)
{
    return bli_dtypes[made->operand[k].dtype].size;
}

/* The index in its phase of the step that computes a value; -1: of another phase. */
static inline int32_t bli_fusion_member(const struct bli_fusion_draft *draft, int32_t v)
{
    const struct bli_expr_value *const value = &draft->plan->value[v];

    return value->step >= 0 && value->phase == draft->number
               ? draft->plan->step[value->step].member
               : -1;
}

/* The step of a phase by its index. */
static inline const struct bli_expr_step *
bli_fusion_step(const struct bli_fusion_draft *draft, int32_t i)
{
    return &draft->plan->step[draft->phase->step[i]];
}

/* Whether a step is a power with the number 2 as its exponent, of f32 or f64. */
bool bli_fusion_is_square(const struct bli_fusion_draft *draft,
                          const struct bli_expr_step *step);

/* The number of operands of a step, alpha being one. */
static inline int32_t bli_fusion_inputs(const struct bli_expr_step *step)
{
    return step->count + step->has_alpha;
}

#endif
