/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lazy expressions are made of: nothing here is for programs to use.  Part of
 * <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_LAZY_GRAPH_HPP
#define BROADLOOM_CXX_LAZY_GRAPH_HPP

#include <broadloom/cxx/tensor.hpp>
#include <broadloom/expr.h>

#include <atomic>
#include <cstdio>
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

    /* Inlined: the library tells where these calls return to. */
    BROADLOOM_INLINE bl_status run_new(bl_context *ctx, bl_tensor **out) const
    {
        const bl_array *in[BL_MAX_SLOTS];

        list(in);
        return (bl_expr_run_new)(ctx, expr.get(), in, nullptr, out);
    }
    BROADLOOM_INLINE bl_status run(bl_context *ctx, const bl_array *const *out) const
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
    bl_status status = BL_OK;        /* of an input: whether it could be described */
    std::unique_ptr<char[]> refusal; /* why not; none where memory was short */
    std::int32_t what = 0;           /* a bl_op, bl_reduction or bl_dtype */
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

/* The calling thread's last error, as text that stays. */
BROADLOOM_OUTLINE std::unique_ptr<char[]> last_error() noexcept
{
    const char *const where = bl_error_where(), *const message = bl_error_message();
    const std::size_t size = std::strlen(where) + std::strlen(message) + 3;
    std::unique_ptr<char[]> text(new (std::nothrow) char[size]);

    if (text)
        std::snprintf(text.get(), size, "%s%s%s", where, *where ? ": " : "", message);
    return text;
}

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

} // namespace detail
} // namespace lazy

BROADLOOM_END

#endif
