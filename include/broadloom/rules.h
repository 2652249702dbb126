/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting rules: given the shapes of operands, rules determine the shape of the
 * result and which element of each operand is paired with which element of the result.
 * A program may define rules.
 */
#ifndef BROADLOOM_RULES_H
#define BROADLOOM_RULES_H

#include <broadloom/shape.h>

/* How the result is given. */
typedef enum bl_mode {
    BL_MODE_NEW = 0,     /* allocated with the shape that the rules give */
    BL_MODE_OUT = 1,     /* exists, and must have exactly that shape */
    BL_MODE_IN_PLACE = 2 /* is operand 0, which keeps its shape */
} bl_mode;

/* The role of an operand. */
typedef enum bl_role {
    BL_ROLE_PAIRED = 0, /* paired with the result element by element */
    BL_ROLE_MASK = 1,   /* paired, and selects the elements that take part */
    BL_ROLE_SOURCE = 2  /* read in its logical order, not paired */
} bl_role;

/* How an operand is paired with the result. */
typedef enum bl_pairing_kind {
    BL_PAIRING_BROADCAST = 0, /* along axes: axis d with axis d + shift of the result */
    BL_PAIRING_LINEAR = 1, /* k-th element with k-th element, both in row-major order */
    BL_PAIRING_NONE = 2    /* not paired */
} bl_pairing_kind;

/*
 * The pairing of one operand.  With BL_PAIRING_BROADCAST, axis d of the operand lies
 * along axis d + shift of the result; axes that fall outside the result must have
 * extent 1 and are dropped.
 */
typedef struct bl_pairing {
    int32_t kind;
    int32_t shift;
} bl_pairing;

/* An operand, as rules see it. */
typedef struct bl_rules_operand {
    bl_shape shape;
    int32_t role;     /* a bl_role */
    const char *name; /* as in "self", "other"; NULL if it has none */
} bl_rules_operand;

/* The axis of a call that names none: align shapes at the last dimension. */
#define BL_AXIS_LAST (-1)

/*
 * Everything that rules may look at.  Rules get it with the library's `size`; a program
 * that asks bl_rules_resolve() sets `size` to sizeof(bl_rules_query).
 */
typedef struct bl_rules_query {
    size_t size;
    bl_op op;          /* BL_OP_NONE in a pure shape query */
    int32_t mode;      /* a bl_mode */
    int32_t axis;      /* PaddlePaddle's axis, or BL_AXIS_LAST */
    int32_t count;     /* operands, 1 to BL_MAX_INPUTS */
    uint32_t fixed;    /* bit k set: operand k must not be repeated */
    bool is_call;      /* a call with tensors, not a query of shapes alone */
    double max_growth; /* numel of the result over the largest operand's; 0: no limit */
    const bl_rules_operand *operand;
    const bl_shape *result; /* with BL_MODE_OUT: the existing result's; else NULL */
    const char *function;   /* PyTorch's name where it says more than `op`, as
                               "masked_fill"; else NULL */
} bl_rules_query;

/* How a result differs from a legacy result. */
typedef enum bl_change {
    BL_CHANGE_NONE = 0,
    BL_CHANGE_VALUE = 1,    /* broadcasts now; was pointwise as 1-D before */
    BL_CHANGE_FALLBACK = 2, /* is pointwise as 1-D, which is deprecated */
    BL_CHANGE_SHAPE = 3,    /* broadcasts now: the same values in another shape */
    BL_CHANGE_KEEPDIM = 4   /* drops the reduced dimension now; kept it before */
} bl_change;

/* A difference from a legacy result, to be reported. */
typedef struct bl_rules_event {
    int32_t change; /* a bl_change */
    int32_t first;  /* the two operands that the text names, in its order */
    int32_t second;
} bl_rules_event;

/*
 * The answer of rules.  Arrays are written up to `rank`, the query's `count`, and
 * `events`.
 */
typedef struct bl_rules_answer {
    int32_t rank;
    int32_t events;
    int64_t extent[BL_MAX_RANK];
    bl_pairing pairing[BL_INPUTS_LIMIT];
    bl_rules_event event[2];
} bl_rules_answer;

typedef struct bl_rules bl_rules;

/*
 * Answers a query.  Called on the thread of the call, before anything is written.  It
 * must be a pure function, safe on any thread, and report refusals with bl_error_set().
 * The library checks the answer (an operand's extent must be 1 or equal the result's)
 * and the number of elements.
 */
typedef bl_status (*bl_rules_function)(const bl_rules *rules,
                                       const bl_rules_query *query,
                                       bl_rules_answer *answer);

/* BL_OVERLAP_RULES means BL_OVERLAP_SEQUENTIAL under these rules. */
#define BL_RULES_SEQUENTIAL UINT64_C(1)

/*
 * Rules: a function and what it is called with.  A program that defines some sets all
 * members, and keeps them unchanged as long as contexts and calls use them.
 */
struct bl_rules {
    size_t size; /* set to sizeof(bl_rules); see base.h */
    const char *name;
    bl_rules_function resolve;
    void *user;
    uint64_t flags; /* BL_RULES_SEQUENTIAL, or 0 */
};

BL_BEGIN_DECLS

/* The rules of PyTorch and NumPy, the default. */
BL_API const bl_rules *bl_rules_modern(void);

/*
 * The modern rules with two more conditions: shapes must have the same number of
 * dimensions (0-d operands excepted), and the result must not be larger than the
 * largest operand, unless max_growth allows more.
 */
BL_API const bl_rules *bl_rules_strict(void);

/*
 * Built-in rules by name: "modern", "strict", and those of compat.h, "paddle",
 * "transitional" and "legacy".  NULL for an unknown name.  Thread-safe.
 */
BL_API const bl_rules *bl_rules_find(const char *name);

/*
 * Ask rules for the result of an operation, without data; `answer` is written on
 * success only.  The checks of every call are applied: those of bl_rules_function,
 * `fixed`, `max_growth`, and the shape of an existing result for BL_MODE_OUT and
 * BL_MODE_IN_PLACE.  NULL rules are modern.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_rules_resolve(const bl_rules *rules,
                                                const bl_rules_query *query,
                                                bl_rules_answer *answer);

BL_END_DECLS

#endif
