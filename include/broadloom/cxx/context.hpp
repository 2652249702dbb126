/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts, and how calls are given them.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_CONTEXT_HPP
#define BROADLOOM_CXX_CONTEXT_HPP

#include <broadloom/cxx/error.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

BROADLOOM_BEGIN

/*
 * The settings of calls: <broadloom/context.h> says what each is, and which values are
 * refused.  An object owns its bl_context and is moved, not copied; one that was moved
 * from stands for the process's default context.  Tensors may outlive it.  Any number
 * of threads may use a context at once; configure it while no call uses it.
 *
 * The allocator, callbacks and the program's own parallel loop are set through get():
 * bl_context_set_allocator(ctx.get(), &allocator).
 */
class context
{
public:
    /* Default settings, refined by the environment. */
    explicit context(on_error e = {})
    {
        e.check(bl_context_create(&ctx_));
    }
    /* The process's default context. */
    explicit context(std::nullptr_t) noexcept
    {
    }
    context(context &&other) noexcept : ctx_(std::exchange(other.ctx_, nullptr))
    {
    }
    context &operator=(context &&other) noexcept
    {
        bl_context_destroy(std::exchange(ctx_, std::exchange(other.ctx_, nullptr)));
        return *this;
    }
    ~context()
    {
        bl_context_destroy(ctx_);
    }

    /* The C interface's context, owned by this object; NULL: the default one. */
    bl_context *get() const noexcept
    {
        return ctx_;
    }

    void set_threads(std::int32_t threads, on_error e = {})
    {
        e.check(bl_context_set_threads(ctx_, threads));
    }
    std::int32_t threads() const noexcept
    {
        return bl_context_threads(ctx_);
    }
    void set_isa(const char *name, on_error e = {})
    {
        e.check(bl_context_set_isa(ctx_, name));
    }
    const char *isa() const noexcept
    {
        return bl_context_isa(ctx_);
    }
    void set_reproducible(bool reproducible) noexcept
    {
        bl_context_set_reproducible(ctx_, reproducible);
    }
    bool reproducible() const noexcept
    {
        return bl_context_reproducible(ctx_);
    }
    void set_rules(const bl_rules *rules, on_error e = {})
    {
        e.check(bl_context_set_rules(ctx_, rules));
    }
    const bl_rules *rules() const noexcept
    {
        return bl_context_rules(ctx_);
    }
    void set_max_growth(double factor, on_error e = {})
    {
        e.check(bl_context_set_max_growth(ctx_, factor));
    }
    double max_growth() const noexcept
    {
        return bl_context_max_growth(ctx_);
    }
    void set_overlap(bl_overlap policy, on_error e = {})
    {
        e.check(bl_context_set_overlap(ctx_, policy));
    }
    bl_overlap overlap() const noexcept
    {
        return bl_context_overlap(ctx_);
    }
    void set_placement(bl_placement placement, on_error e = {})
    {
        e.check(bl_context_set_placement(ctx_, placement));
    }
    bl_placement placement() const noexcept
    {
        return bl_context_placement(ctx_);
    }
    void set_thread_binding(bool bind) noexcept
    {
        bl_context_set_thread_binding(ctx_, bind);
    }
    bool thread_binding() const noexcept
    {
        return bl_context_thread_binding(ctx_);
    }
    void set_nested_parallelism(bool nested) noexcept
    {
        bl_context_set_nested_parallelism(ctx_, nested);
    }
    bool nested_parallelism() const noexcept
    {
        return bl_context_nested_parallelism(ctx_);
    }
    void set_region_ns(std::int32_t ns, on_error e = {})
    {
        e.check(bl_context_set_region_ns(ctx_, ns));
    }
    std::int32_t region_ns() const noexcept
    {
        return bl_context_region_ns(ctx_);
    }
    void set_pool_limit(std::int64_t bytes, on_error e = {})
    {
        e.check(bl_context_set_pool_limit(ctx_, bytes));
    }
    std::int64_t pool_limit() const noexcept
    {
        return bl_context_pool_limit(ctx_);
    }
    std::int64_t trim() noexcept
    {
        return bl_context_trim(ctx_);
    }

private:
    bl_context *ctx_ = nullptr;
};

/*
 * How a call is made, its last argument: a context, a std::error_code, or both, as
 * add(a, b, ctx), add(a, b, ec) and add(a, b, {ctx, ec}).  A context is a
 * broadloom::context or a bl_context *, borrowed for the call; without one it is the
 * default context, and without a std::error_code a refused call throws (on_error).
 */
class with : public on_error
{
public:
    template <class Any = void> with() noexcept
    {
    }
    with(std::error_code &ec) noexcept : on_error(ec)
    {
    }
    template <class Any = void>
    with(const context &ctx) noexcept : on_error(), ctx_(ctx.get())
    {
    }
    with(const context &ctx, std::error_code &ec) noexcept
        : on_error(ec), ctx_(ctx.get())
    {
    }
    /* A template: 0 is no context. */
    template <class Context,
              std::enable_if_t<std::is_same_v<Context, bl_context>, int> = 0>
    with(Context *ctx) noexcept : ctx_(ctx)
    {
    }
    with(bl_context *ctx, std::error_code &ec) noexcept : on_error(ec), ctx_(ctx)
    {
    }

    /* The context of the call; NULL: the default one. */
    bl_context *ctx() const noexcept
    {
        return ctx_;
    }

private:
    bl_context *ctx_ = nullptr;
};

namespace detail
{

/*
 * A `with` that is given, for the overloads of calls that leave out what comes before
 * it: sum(x, ctx) beside sum(x, axes, keep, with how = {}).  {} does not make one.
 */
class given : public with
{
public:
    template <class... How, std::enable_if_t<sizeof...(How) != 0 &&
                                                 std::is_constructible_v<with, How...>,
                                             int> = 0>
    given(How &&...how) noexcept : with(std::forward<How>(how)...)
    {
    }
};

} // namespace detail

BROADLOOM_END

#endif
