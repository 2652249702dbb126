/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lazy expressions are made of, and how they become a bl_expr: nothing here is for
 * programs to use.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_LAZY_GRAPH_HPP
#define BROADLOOM_CXX_LAZY_GRAPH_HPP

#include <broadloom/cxx/tensor.hpp>
#include <broadloom/expr.h>

#include <atomic>
#include <memory>
#include <new>

BROADLOOM_BEGIN

namespace lazy
{
namespace detail
{

/* ---- looks of arrays ---- */

inline bool has_byte_strides(const bl_array &a) noexcept
{
    return a.stride && (a.flags & BL_ARRAY_BYTE_STRIDES) != 0;
}

/* The stride of an axis, in `unit` times what the array's strides count. */
inline std::uint64_t stride_of(const bl_array &a, std::int32_t axis,
                               std::uint64_t unit) noexcept
{
    if (a.stride)
        return unit * static_cast<std::uint64_t>(a.stride[axis]);
    for (std::int32_t d = a.rank; --d > axis;)
        unit *= static_cast<std::uint64_t>(a.extent[d]);
    return unit;
}

/* Whether a plan for one array serves the other: dtype, shape and strides are equal. */
inline bool alike(const bl_array &a, const bl_array &b) noexcept
{
    const bool a_bytes = has_byte_strides(a), b_bytes = has_byte_strides(b);
    const std::uint64_t size = a_bytes == b_bytes ? 1 : bl_dtype_size(a.dtype);
    bool equal = a.dtype == b.dtype && a.rank == b.rank &&
                 ((a.flags ^ b.flags) & BL_ARRAY_SCALAR) == 0;

    for (std::int32_t d = 0; equal && d < a.rank; d++)
        equal = a.extent[d] == b.extent[d] &&
                (a.extent[d] <= 1 || stride_of(a, d, a_bytes ? 1 : size) ==
                                         stride_of(b, d, b_bytes ? 1 : size));
    return equal;
}

/* ---- an expression of the C interface, and the operands of its inputs ---- */

struct free_expr {
    void operator()(bl_expr *expr) const noexcept
    {
        bl_expr_destroy(expr);
    }
};
using owned_expr = std::unique_ptr<bl_expr, free_expr>;

/* Operands as tensors: views are tensors over memory that they do not own. */
struct operands {
    std::int32_t count = 0;
    tensor item[BL_MAX_SLOTS];
};

struct graph {
    owned_expr expr;
    operands inputs;

    bl_status run_new(bl_context *ctx, bl_tensor **out) const
    {
        const bl_array *in[BL_MAX_SLOTS];

        list(in);
        return (bl_expr_run_new)(ctx, expr.get(), in, nullptr, out);
    }
    bl_status run(bl_context *ctx, const bl_array *const *out) const
    {
        const bl_array *in[BL_MAX_SLOTS];

        list(in);
        return (bl_expr_run)(ctx, expr.get(), out, in, nullptr);
    }
    void list(const bl_array **in) const noexcept
    {
        for (std::int32_t k = 0; k < inputs.count; k++)
            in[k] = bl_tensor_array(inputs.item[k].get());
    }
};

/* ---- nodes ---- */

enum class kind : unsigned char { input, number, apply, reduce, cast };

/*
 * A node, immutable once it is made, which holds references to its operands.  `whole`
 * is the graph of the expression that ends here, made when it is first evaluated.
 */
struct node {
    enum { MOST = 4 }; /* operands of an operator */

    std::atomic<std::int32_t> references{1};
    enum kind kind = kind::input;
    bl_status status = BL_OK; /* of an input: whether it could be described */
    std::int32_t what = 0;    /* a bl_op, bl_reduction or bl_dtype */
    std::int32_t count = 0;
    node *argument[MOST] = {};
    node *next = nullptr; /* while it is freed */
    keepdim keep = keepdim::no;
    axes over;
    double correction = 1; /* of var and std */
    bl_scalar number = {BL_DTYPE_NONE, {{0, 0}}};
    tensor leaf;
    mutable std::atomic<graph *> whole{nullptr};

    ~node()
    {
        delete whole.load(std::memory_order_acquire);
    }
};

inline node *retain(node *n) noexcept
{
    if (n)
        n->references.fetch_add(1, std::memory_order_relaxed);
    return n;
}

/* Give a reference back; of however many nodes that frees, none is on the stack. */
BROADLOOM_OUTLINE void release(node *n) noexcept
{
    node *dead = nullptr;
    const auto drop = [&dead](node *one) {
        if (one && one->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            one->next = dead;
            dead = one;
        }
    };

    drop(n);
    while (dead) {
        node *const last = std::exchange(dead, dead->next);

        for (node *const argument : last->argument)
            drop(argument);
        delete last;
    }
}

/* ---- from nodes to a graph ---- */

/* BL_NODE_NONE, without its cast. */
inline constexpr bl_node no_node = -1;

class builder
{
public:
    /* Add what an output needs, operands first; nodes that are there stay. */
    bl_status output(graph &to, const node *root) noexcept
    {
        std::int32_t depth = 0;

        open_[depth++] = root;
        while (depth > 0) {
            const node *const top = open_[depth - 1], *missing = top;

            if (!top)
                return bl_error_set(BL_ERR_ARGUMENT, "an expression is empty");
            for (std::int32_t k = 0; k < top->count && missing == top; k++)
                if (find(top->argument[k]) < 0)
                    missing = top->argument[k];
            if (missing != top && depth < BL_MAX_NODES) {
                open_[depth++] = missing;
                continue;
            }
            if (missing != top || count_ == BL_MAX_NODES)
                return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d nodes",
                                    BL_MAX_NODES);
            if (top->status != BL_OK)
                return bl_error_set(top->status, "an operand cannot be described");
            if (find(top) < 0)
                add(to, *top);
            depth--;
        }
        bl_expr_output(to.expr.get(), made_[find(root)]);
        return BL_OK;
    }

private:
    std::int32_t find(const node *n) const noexcept
    {
        std::int32_t k = count_;

        while (--k >= 0 && seen_[k] != n) {
        }
        return k;
    }

    void add(graph &to, const node &n) noexcept
    {
        bl_expr *const expr = to.expr.get();
        bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
        bl_node from[node::MOST] = {}, made = no_node;

        for (std::int32_t k = 0; k < n.count; k++)
            from[k] = made_[find(n.argument[k])];
        switch (n.kind) {
        case kind::input:
            made = input(to, n.leaf);
            break;
        case kind::number:
            made = bl_expr_number(expr, &n.number);
            break;
        case kind::apply:
            made =
                bl_expr_apply(expr, static_cast<bl_op>(n.what), n.count, from, nullptr);
            break;
        case kind::reduce:
            options.correction = n.correction;
            made = bl_expr_reduce(expr, static_cast<bl_reduction>(n.what), from[0],
                                  n.over.count(), n.over.data(), n.keep == keepdim::yes,
                                  &options);
            break;
        case kind::cast:
            made = bl_expr_cast(expr, from[0], static_cast<bl_dtype>(n.what));
            break;
        }
        seen_[count_] = &n;
        made_[count_++] = made;
    }

    /* The input of an operand; elements that are one already are the same. */
    bl_node input(graph &to, const tensor &leaf) noexcept
    {
        operands &inputs = to.inputs;

        for (std::int32_t k = 0; leaf && k < inputs.count; k++)
            if (inputs.item[k] && inputs.item[k].array().data == leaf.array().data &&
                alike(inputs.item[k].array(), leaf.array()))
                return input_[k];

        const bl_node made = bl_expr_input(to.expr.get(), nullptr);

        if (made != no_node) {
            input_[inputs.count] = made;
            inputs.item[inputs.count++] = leaf;
        }
        return made;
    }

    std::int32_t count_ = 0;
    const node *seen_[BL_MAX_NODES], *open_[BL_MAX_NODES];
    bl_node made_[BL_MAX_NODES], input_[BL_MAX_SLOTS];
};

/* Make the graph of some outputs. */
BROADLOOM_OUTLINE bl_status build(bl_context *ctx, std::int32_t count,
                                  const node *const *outputs,
                                  std::unique_ptr<graph> &to) noexcept
{
    const std::unique_ptr<builder> with(new (std::nothrow) builder);
    std::unique_ptr<graph> made(new (std::nothrow) graph);
    bl_expr *expr = nullptr;
    bl_status status = with && made
                           ? bl_expr_create(ctx, &expr)
                           : bl_error_set(BL_ERR_MEMORY, "no memory for an expression");

    if (status != BL_OK)
        return status;
    made->expr.reset(expr);
    for (std::int32_t k = 0; status == BL_OK && k < count; k++)
        status = with->output(*made, outputs[k]);
    if (status == BL_OK)
        status = bl_expr_status(expr, nullptr);
    if (status == BL_OK)
        to = std::move(made);
    return status;
}

} // namespace detail
} // namespace lazy

BROADLOOM_END

#endif
