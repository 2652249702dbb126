/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting rules as data: given the operands' shapes, rules say what shape the
 * result has and which element of each operand meets which of the result.  A program
 * may bring its own.
 */
#ifndef BROADLOOM_RULES_H
#define BROADLOOM_RULES_H

#include <broadloom/shape.h>

/* How the result is given. */
typedef enum bl_mode {
    BL_MODE_NEW = 0,     /* allocated to the shape that the rules give */
    BL_MODE_TO = 1,      /* exists, and must have exactly that shape */
    BL_MODE_IN_PLACE = 2 /* is operand 0, which keeps its shape */
} bl_mode;

/* What an operand is to the operation. */
typedef enum bl_role {
    BL_ROLE_PAIRED = 0, /* element meets element */
    BL_ROLE_MASK = 1,   /* paired, and says which elements take part */
    BL_ROLE_SOURCE = 2  /* read in its own order, not paired */
} bl_role;

/* How an operand meets the result. */
typedef enum bl_pairing_kind {
    BL_PAIRING_BROADCAST = 0, /* dim d meets result dim d + shift */
    BL_PAIRING_LINEAR =
        1,              /* k-th element meets k-th element, both in row-major order */
    BL_PAIRING_NONE = 2 /* not paired */
} bl_pairing_kind;

/*
 * With BL_PAIRING_BROADCAST, dimension d of the operand lies along dimension d + shift
 * of the result.  Dimensions that fall outside the result must have extent 1 and are
 * dropped.
 */
typedef struct bl_pairing {
    int32_t kind;
    int32_t shift;
} bl_pairing;

typedef struct bl_rules_operand {
    bl_shape shape;
    int32_t role;     /* a bl_role */
    const char *name; /* as in "self", "other"; NULL if it has none */
} bl_rules_operand;

/* The axis of a call that names none: align at the last dimension. */
#define BL_AXIS_LAST (-1)

/* Everything rules may look at.  `size` is sizeof(bl_rules_query) of the library. */
typedef struct bl_rules_query {
    size_t size;
    bl_op op;          /* BL_OP_NONE in a pure shape query */
    int32_t mode;      /* a bl_mode */
    int32_t axis;      /* PaddlePaddle's axis, or BL_AXIS_LAST */
    int32_t count;     /* operands, 1 to BL_MAX_INPUTS */
    uint32_t fixed;    /* bit k set: operand k must not be repeated */
    double max_growth; /* result's over largest operand's count; 0: no limit */
    const bl_rules_operand *operand;
    const bl_shape *result; /* with BL_MODE_TO: the existing result's; else NULL */
    const char *function;   /* where it is more than `op` says, as PyTorch names it:
                               "masked_fill"; else NULL */
    bool is_call;           /* of tensors that exist, not a question about shapes */
} bl_rules_query;

/* What differs from a legacy result. */
typedef enum bl_change {
    BL_CHANGE_NONE = 0,
    BL_CHANGE_VALUE = 1,    /* broadcasts now, was paired as 1-D before */
    BL_CHANGE_FALLBACK = 2, /* paired as 1-D, which is deprecated */
    BL_CHANGE_SHAPE = 3,    /* broadcasts now: the same values in another shape */
    BL_CHANGE_KEEPDIM = 4   /* drops the folded dimension now, kept it before */
} bl_change;

typedef struct bl_rules_event {
    int32_t change; /* a bl_change */
    int32_t first;  /* the two operands the text names, in its order */
    int32_t second;
} bl_rules_event;

/* The rules' answer; arrays are written up to `rank`, `count` and `events`. */
typedef struct bl_rules_answer {
    int32_t rank;
    int32_t events;
    int64_t extent[BL_MAX_RANK];
    bl_pairing pairing[BL_MAX_INPUTS];
    bl_rules_event event[2];
} bl_rules_answer;

typedef struct bl_rules bl_rules;

/*
 * Answer a query.  Called on the thread of the call, before anything is written; must
 * be a pure function, safe on any thread, and report refusals with bl_error_set().  The
 * library checks the answer (a result extent must equal the operand's or the operand's
 * must be 1) and the element count.
 */
typedef bl_status (*bl_rules_function)(const bl_rules *rules,
                                       const bl_rules_query *query,
                                       bl_rules_answer *answer);

struct bl_rules {
    size_t size; /* sizeof(bl_rules) */
    const char *name;
    bl_rules_function resolve;
    void *user;
    bool is_sequential; /* overlapping operands: BL_OVERLAP_SEQUENTIAL */
};

BL_BEGIN_DECLS

/* PyTorch's and NumPy's rules: the default. */
BL_API const bl_rules *bl_rules_modern(void);

/*
 * Modern, but shapes must agree in their number of dimensions (0-d operands excepted),
 * and the result must not be larger than the largest operand, unless max_growth allows
 * more.
 */
BL_API const bl_rules *bl_rules_strict(void);

/*
 * Built-in rules by name: "modern", "strict", and those of compat.h, "paddle",
 * "transitional" and "legacy".  NULL if there are none of that name.  Thread-safe.
 */
BL_API const bl_rules *bl_rules_find(const char *name);

/*
 * Ask rules what an operation would give, without data: fills `answer` on success only.
 * Applies what every call is subject to: the checks of bl_rules_function, `fixed`,
 * `max_growth`, and the existing result's shape for BL_MODE_TO and BL_MODE_IN_PLACE.
 * NULL rules are modern.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_rules_resolve(const bl_rules *rules,
                                                const bl_rules_query *query,
                                                bl_rules_answer *answer);

BL_END_DECLS

#endif
