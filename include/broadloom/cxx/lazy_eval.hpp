/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several results of one evaluation, and expressions from text.  Part of
 * <broadloom/broadloom.hpp>.
 *
 *     const auto [y, z] = bl::lazy::eval({d, bl::lazy::abs(d)});
 *
 *     const auto f = bl::lazy::parse("(x - m) / s", {"x", "m", "s"});
 *     const bl::tensor y = f.eval({x, mean, 2.0});
 */
#ifndef BROADLOOM_CXX_LAZY_EVAL_HPP
#define BROADLOOM_CXX_LAZY_EVAL_HPP

#include <broadloom/cxx/lazy.hpp>

#include <tuple>

BROADLOOM_BEGIN

namespace lazy
{

/* ---- several results of one evaluation ---- */

namespace detail
{

template <std::size_t... K>
auto tuple_of(bl_tensor *const *out, std::index_sequence<K...>) noexcept
{
    return std::make_tuple(tensor::adopt(out[K])...);
}

template <std::size_t N>
bl_status build_all(bl_context *ctx, const char *call, const expr (&outputs)[N],
                    std::unique_ptr<graph> &made) noexcept
{
    const node *nodes[N];

    for (std::size_t k = 0; k < N; k++)
        nodes[k] = outputs[k].get();
    return build(ctx, call, N, nodes, made);
}

/* One result is a tensor, several are a std::tuple of them. */
template <std::size_t N> auto results_of(bl_tensor *const *out) noexcept
{
    if constexpr (N == 1)
        return tensor::adopt(out[0]);
    else
        return tuple_of(out, std::make_index_sequence<N>());
}

/* Pointers to what a list refers to; more of them than any call takes are left out. */
template <class T>
std::size_t list(std::initializer_list<T> from, const bl_array **to) noexcept
{
    for (const T &one : from)
        if (&one - from.begin() < BL_MAX_SLOTS)
            *to++ = one.get();
    return from.size();
}

/* Whether `call` is given as many as it takes: `what` is "operand" or "result". */
inline bl_status check_count(const char *call, const char *what, std::size_t given,
                             std::int32_t wanted) noexcept
{
    return given == static_cast<std::size_t>(wanted)
               ? BL_OK
               : bl_error_set(BL_ERR_ARGUMENT, "%s(): %d %s%s for %d", call,
                              static_cast<int>(given), what, given == 1 ? "" : "s",
                              static_cast<int>(wanted));
}

inline bl_status refuse_empty(const char *call, const char *what) noexcept
{
    return bl_error_set(BL_ERR_ARGUMENT, "%s(): the %s is empty", call, what);
}

} // namespace detail

/*
 * Evaluate expressions together, what they share once, into new tensors, a std::tuple
 * of them: `const auto [y, z] = lazy::eval({a, b})`; or into results that exist, one
 * for each: `lazy::eval_out({y, z}, {a, b})`.
 */
template <std::size_t N>
[[nodiscard]] BROADLOOM_INLINE auto eval(const expr (&outputs)[N], with how = {})
{
    bl_tensor *out[N] = {};
    std::unique_ptr<detail::graph> graph;
    bl_status status = detail::build_all(how.ctx(), "lazy::eval", outputs, graph);

    if (status == BL_OK)
        status = graph->run_new(how.ctx(), out);
    how.check(status);
    return detail::tuple_of(out, std::make_index_sequence<N>());
}
template <std::size_t N>
BROADLOOM_INLINE void eval_out(const result (&outs)[N], const expr (&outputs)[N],
                               with how = {})
{
    const bl_array *out[N];
    std::unique_ptr<detail::graph> graph;
    bl_status status = detail::build_all(how.ctx(), "lazy::eval_out", outputs, graph);

    for (std::size_t k = 0; k < N; k++)
        out[k] = outs[k].get();
    if (status == BL_OK)
        status = graph->run(how.ctx(), out);
    how.check(status);
}

/* ---- text ---- */

/*
 * An expression of named operands, which parse() makes of text.  Threads may use one at
 * once.  It is moved, not copied; one that was moved from is refused.
 */
class formula
{
public:
    formula() noexcept = default;

    /*
     * Evaluate with these operands, in the order of their names, into N new tensors: a
     * tensor, or a std::tuple of several.  A number is an operand, too.
     */
    template <std::size_t N = 1>
    [[nodiscard]] BROADLOOM_INLINE auto eval(std::initializer_list<operand> inputs,
                                             with how = {}) const
    {
        const bl_array *in[BL_MAX_SLOTS];
        bl_tensor *out[N] = {};
        bl_status status = check("formula::eval", detail::list(inputs, in), N);

        if (status == BL_OK)
            status = (bl_expr_run_new)(how.ctx(), expr_.get(), in, nullptr, out);
        how.check(status);
        return detail::results_of<N>(out);
    }
    /* Evaluate into results that exist. */
    BROADLOOM_INLINE void eval_out(std::initializer_list<result> outs,
                                   std::initializer_list<operand> inputs,
                                   with how = {}) const
    {
        const bl_array *in[BL_MAX_SLOTS], *out[BL_MAX_SLOTS];
        bl_status status = check("formula::eval_out", detail::list(inputs, in),
                                 detail::list(outs, out));

        if (status == BL_OK)
            status = (bl_expr_run)(how.ctx(), expr_.get(), out, in, nullptr);
        how.check(status);
    }
    /* The C interface's expression, owned by this object. */
    bl_expr *get() const noexcept
    {
        return expr_.get();
    }

private:
    friend formula parse(const char *, std::initializer_list<const char *>, with);

    bl_status check(const char *call, std::size_t inputs,
                    std::size_t outputs) const noexcept
    {
        bl_expr_info info = {};

        info.size = sizeof info;
        bl_status status = expr_ ? bl_expr_query(expr_.get(), &info)
                                 : detail::refuse_empty(call, "expression");
        if (status == BL_OK)
            status = detail::check_count(call, "operand", inputs, info.inputs);
        return status == BL_OK
                   ? detail::check_count(call, "result", outputs, info.outputs)
                   : status;
    }

    detail::owned_expr expr_;
};

/* Parse `text` as bl_expr_parse(); without names, in the order of appearance. */
[[nodiscard]] inline formula
parse(const char *text, std::initializer_list<const char *> names = {}, with how = {})
{
    formula made;
    bl_expr *expr = nullptr;

    how.check(bl_expr_parse(how.ctx(), text, static_cast<std::int32_t>(names.size()),
                            names.size() > 0 ? names.begin() : nullptr, &expr));
    made.expr_.reset(expr);
    return made;
}
[[nodiscard]] inline formula parse(const char *text, broadloom::detail::given how)
{
    return parse(text, {}, how);
}

} // namespace lazy

BROADLOOM_END

#endif
