/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of lazy expressions.  Part of <broadloom/broadloom.hpp>.
 *
 *     const bl::lazy::plan step(u + 0.1 * v);    // planned once
 *     step.execute_out({u});                     // any number of times
 */
#ifndef BROADLOOM_CXX_LAZY_PLAN_HPP
#define BROADLOOM_CXX_LAZY_PLAN_HPP

#include <broadloom/cxx/lazy_eval.hpp>

BROADLOOM_BEGIN

namespace lazy
{

namespace detail
{

inline bl_status check_most(std::size_t results) noexcept
{
    return results <= BL_MAX_SLOTS
               ? BL_OK
               : bl_error_set(BL_ERR_UNSUPPORTED,
                              "plan::plan(): %zu results, at most %d", results,
                              BL_MAX_SLOTS);
}

/* Refuse what a plan is executed with: it is another array than that planned for. */
BROADLOOM_OUTLINE bl_status refuse(const char *call, const char *what, std::int32_t k,
                                   const bl_array *given,
                                   const bl_array &planned) noexcept
{
    if (given && alike(*given, planned))
        return bl_error_set(BL_ERR_ARGUMENT, "%s(): %s %d, %s, is read-only", call,
                            what, static_cast<int>(k),
                            broadloom::detail::notation(given).c_str());
    return bl_error_set(BL_ERR_ARGUMENT,
                        "%s(): %s %d is %s, and the one planned for is %s", call, what,
                        static_cast<int>(k), broadloom::detail::notation(given).c_str(),
                        broadloom::detail::notation(&planned).c_str());
}

struct free_plan {
    void operator()(bl_expr_plan *plan) const noexcept
    {
        bl_expr_plan_destroy(plan);
    }
};

} // namespace detail

/*
 * A plan, made once for operands and results of certain dtypes, shapes and strides, and
 * executed any number of times, by any number of threads at once.  A plan of
 * expressions holds their operands as they do; one of a formula is made for operands
 * like those given, which it does not keep.  It is moved, not copied; one that was
 * moved from is refused.
 */
class plan
{
public:
    /* For results that are compact, of the dtypes of the expressions. */
    explicit plan(const expr &output, with how = {}) : plan({output}, how)
    {
    }
    plan(std::initializer_list<expr> outputs, with how = {}) : plan({}, outputs, how)
    {
    }
    plan(const formula &from, std::initializer_list<operand> inputs, with how = {})
        : plan({}, from, inputs, how)
    {
    }
    /* For results like these, which it does not keep. */
    plan(std::initializer_list<result> like, std::initializer_list<expr> outputs,
         with how = {})
        : holds_(true)
    {
        const detail::node *nodes[BL_MAX_SLOTS];
        const bl_array *in[BL_MAX_SLOTS];
        std::unique_ptr<detail::graph> graph;
        bl_status status = detail::check_most(outputs.size());

        for (std::size_t k = 0; status == BL_OK && k < outputs.size(); k++)
            nodes[k] = outputs.begin()[k].get();
        if (status == BL_OK)
            status =
                detail::build(how.ctx(), "plan::plan",
                              static_cast<std::int32_t>(outputs.size()), nodes, graph);
        if (status == BL_OK) {
            graph->list(in);
            inputs_ = graph->inputs;
            status = make(how.ctx(), graph->expr.get(), like, outputs.size(), in);
        }
        how.check(status);
    }
    plan(std::initializer_list<result> like, const formula &from,
         std::initializer_list<operand> inputs, with how = {})
    {
        const bl_array *in[BL_MAX_SLOTS];
        bl_expr_info info = {};

        info.size = sizeof info;
        bl_status status = from.get()
                               ? bl_expr_query(from.get(), &info)
                               : detail::refuse_empty("plan::plan", "expression");
        if (status == BL_OK)
            status = detail::check_count("plan::plan", "operand",
                                         detail::list(inputs, in), info.inputs);
        for (std::int32_t k = 0; status == BL_OK && k < info.inputs; k++) {
            bl_tensor *view = nullptr;

            status = bl_tensor_wrap(how.ctx(), in[k], nullptr, nullptr, &view);
            inputs_.item[inputs_.count++] = tensor::adopt(view);
        }
        if (status == BL_OK)
            status = make(how.ctx(), from.get(), like,
                          static_cast<std::size_t>(info.outputs), in);
        how.check(status);
    }

    /* A new tensor that result k fits into. */
    [[nodiscard]] tensor empty_like(std::int32_t k, with how = {}) const
    {
        bl_array array = {};
        bl_tensor *out = nullptr;
        bl_status status = check_made("plan::empty_like");

        if (status == BL_OK)
            status = bl_expr_plan_output(plan_.get(), k, &array);

        if (status == BL_OK)
            status =
                bl_tensor_empty(how.ctx(), array.dtype, array.rank, array.extent, &out);
        how.check(status);
        return tensor::adopt(out);
    }

    /*
     * Execute with the operands that the expressions hold, or with others.  Dtypes,
     * shapes and strides are compared with those planned for; others are refused with
     * errc::argument, as results that are read-only are.
     */
    BROADLOOM_INLINE void execute_out(std::initializer_list<result> outs,
                                      with how = {}) const
    {
        const void *from[BL_MAX_SLOTS];
        bl_status status = check_made(call);

        for (std::int32_t k = 0; status == BL_OK && k < inputs_.count; k++)
            from[k] = inputs_.item[k] ? inputs_.item[k].array().data : nullptr;
        if (status == BL_OK && !holds_)
            status = detail::check_count(call, "operand", 0, inputs_.count);
        execute(outs, from, status, how);
    }
    BROADLOOM_INLINE void execute_out(std::initializer_list<result> outs,
                                      std::initializer_list<operand> inputs,
                                      with how = {}) const
    {
        const void *from[BL_MAX_SLOTS];
        bl_status status = check_made(call);

        if (status == BL_OK)
            status = detail::check_count(call, "operand", inputs.size(), inputs_.count);
        for (std::int32_t k = 0; status == BL_OK && k < inputs_.count; k++) {
            const bl_array *const given = inputs.begin()[k].get();

            if (given && detail::alike(*given, inputs_.item[k].array()))
                from[k] = given->data;
            else
                status =
                    detail::refuse(call, "operand", k, given, inputs_.item[k].array());
        }
        execute(outs, from, status, how);
    }

    /* The C interface's plan, owned by this object; NULL: it was refused. */
    const bl_expr_plan *get() const noexcept
    {
        return plan_.get();
    }

private:
    static constexpr const char *call = "plan::execute_out";

    bl_status check_made(const char *asked) const noexcept
    {
        return plan_ ? BL_OK : detail::refuse_empty(asked, "plan");
    }
    bl_status make(bl_context *ctx, bl_expr *expr, std::initializer_list<result> like,
                   std::size_t outputs, const bl_array *const *in)
    {
        const bl_array *out[BL_MAX_SLOTS];
        bl_expr_plan *made = nullptr;
        const std::size_t count = detail::list(like, out);
        bl_status status = BL_OK;

        if (count > 0)
            status = detail::check_count("plan::plan", "result", count,
                                         static_cast<std::int32_t>(outputs));
        if (status == BL_OK)
            status = bl_expr_plan_create(ctx, expr, count > 0 ? out : nullptr, in,
                                         nullptr, &made);
        plan_.reset(made);
        for (std::size_t k = 0; status == BL_OK && k < outputs; k++, outputs_++)
            status = bl_expr_plan_output(made, outputs_, &result_[k]);
        return status;
    }

    /* Execute, unless `status` says that the operands are refused. */
    BROADLOOM_INLINE void execute(std::initializer_list<result> outs,
                                  const void *const *from, bl_status status,
                                  const with &how) const
    {
        void *to[BL_MAX_SLOTS];

        if (status == BL_OK)
            status = list_results(outs, to);
        if (status == BL_OK)
            status = (bl_expr_plan_execute)(how.ctx(), plan_.get(), to, from);
        how.check(status);
    }
    bl_status list_results(std::initializer_list<result> outs, void **to) const noexcept
    {
        const bl_status status =
            detail::check_count(call, "result", outs.size(), outputs_);

        for (std::int32_t k = 0; status == BL_OK && k < outputs_; k++) {
            const bl_array *const out = outs.begin()[k].get();

            if (!out || (out->flags & BL_ARRAY_READ_ONLY) != 0 ||
                !detail::alike(*out, result_[k]))
                return detail::refuse(call, "result", k, out, result_[k]);
            to[k] = out->data;
        }
        return status;
    }

    std::unique_ptr<bl_expr_plan, detail::free_plan> plan_;
    std::int32_t outputs_ = 0;
    bl_array result_[BL_MAX_SLOTS]; /* of which the plan has extents and strides */
    bool holds_ = false;            /* the operands of expressions */
    detail::operands inputs_;       /* of a formula, those that it was planned for */
};

} // namespace lazy

BROADLOOM_END

#endif
