/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the nodes of lazy expressions become a bl_expr: nothing here is for programs to
 * use.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_LAZY_BUILD_HPP
#define BROADLOOM_CXX_LAZY_BUILD_HPP

#include <broadloom/cxx/lazy_graph.hpp>

BROADLOOM_BEGIN

namespace lazy
{
namespace detail
{

/* BL_NODE_NONE, without its cast. */
inline constexpr bl_node no_node = -1;

class builder
{
public:
    /* For errors of a call. */
    explicit builder(const char *call) noexcept : call_(call)
    {
    }

    /* Add what output `k` needs, operands first; nodes that are there stay. */
    bl_status output(graph &to, std::int32_t k, const node *root) noexcept
    {
        std::int32_t depth = 0;

        open_[depth++] = root;
        while (depth > 0) {
            const node *const top = open_[depth - 1], *missing = top;

            if (!top)
                return bl_error_set(BL_ERR_ARGUMENT, "%s(): expression %d %s", call_,
                                    static_cast<int>(k),
                                    depth == 1 ? "is empty"
                                               : "is made of one that is empty");
            for (std::int32_t i = 0; i < top->count && missing == top; i++)
                if (find(top->argument[i]) < 0)
                    missing = top->argument[i];
            if (missing != top && depth < BL_MAX_NODES) {
                open_[depth++] = missing;
                continue;
            }
            if (missing != top || count_ == BL_MAX_NODES)
                return bl_error_set(BL_ERR_UNSUPPORTED,
                                    "%s(): expression %d has more than %d nodes", call_,
                                    static_cast<int>(k), BL_MAX_NODES);
            if (top->status != BL_OK)
                return bl_error_set(
                    top->status, "%s(): an operand of expression %d is refused: %s",
                    call_, static_cast<int>(k),
                    top->refusal ? top->refusal.get() : bl_status_string(top->status));
            if (!top->over.fit())
                return top->over.explain(BL_ERR_ARGUMENT, call_);
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

    const char *call_;
    std::int32_t count_ = 0;
    const node *seen_[BL_MAX_NODES], *open_[BL_MAX_NODES];
    bl_node made_[BL_MAX_NODES], input_[BL_MAX_SLOTS];
};

/* Make the graph of some outputs, which `call` is given. */
BROADLOOM_OUTLINE bl_status build(bl_context *ctx, const char *call, std::int32_t count,
                                  const node *const *outputs,
                                  std::unique_ptr<graph> &to) noexcept
{
    const std::unique_ptr<builder> with(new (std::nothrow) builder(call));
    std::unique_ptr<graph> made(new (std::nothrow) graph);
    bl_expr *expr = nullptr;
    bl_status status = with && made
                           ? bl_expr_create(ctx, &expr)
                           : bl_error_set(BL_ERR_MEMORY, "%s(): no memory", call);

    if (status != BL_OK)
        return status;
    made->expr.reset(expr);
    for (std::int32_t k = 0; status == BL_OK && k < count; k++)
        status = with->output(*made, k, outputs[k]);
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
