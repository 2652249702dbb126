/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls other than operators and reductions: conversion, masks, sums to a shape, NPY
 * files.  Each is the function of the C interface with bl_ before its name, whose
 * header says what it does.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_CALLS_HPP
#define BROADLOOM_CXX_CALLS_HPP

#include <broadloom/cxx/tensor.hpp>

#include <initializer_list>

BROADLOOM_BEGIN

/* ---- shapes: <broadloom/shape.h> ---- */

/* As broadcast_shapes({x.shape(), {n, 1}}). */
[[nodiscard]] inline extents broadcast_shapes(std::initializer_list<extents> shapes,
                                              on_error e = {})
{
    std::int64_t extent[BL_MAX_RANK];
    std::int32_t rank = 0;
    bl_status status = BL_OK;

    for (const extents &next : shapes) {
        const bl_shape both[2] = {{rank, extent}, {next.count(), next.data()}};

        if (status == BL_OK)
            status = next.explain(bl_broadcast_shapes(2, both, &rank, extent));
    }
    e.check(status);
    return status == BL_OK ? extents(extent, rank) : extents();
}

/* ---- conversion: <broadloom/ops.h> ---- */

[[nodiscard]] inline tensor cast(const operand &from, bl_dtype dtype, with how = {})
{
    bl_tensor *out = nullptr;

    how.check(bl_cast(how.ctx(), from.get(), dtype, &out));
    return tensor::adopt(out);
}
template <class T> [[nodiscard]] tensor cast(const operand &from, with how = {})
{
    return cast(from, detail::known_dtype<T>, how);
}

/* ---- masks: <broadloom/mask.h> ---- */

/* A number that elements are filled with. */
class number
{
public:
    template <class T, std::enable_if_t<detail::is_number<T>, int> = 0>
    number(const T &value) noexcept : scalar_(detail::scalar(value))
    {
    }
    const bl_scalar &get() const noexcept
    {
        return scalar_;
    }

private:
    bl_scalar scalar_;
};

inline void fill(const result &a, const number &value, with how = {})
{
    how.check((bl_fill)(how.ctx(), a.get(), value.get()));
}
[[nodiscard]] BROADLOOM_INLINE tensor masked_select(const operand &in,
                                                    const operand &mask, with how = {})
{
    bl_tensor *out = nullptr;

    how.check((bl_masked_select)(how.ctx(), in.get(), mask.get(), &out));
    return tensor::adopt(out);
}
[[nodiscard]] BROADLOOM_INLINE tensor masked_scatter(const operand &a,
                                                     const operand &mask,
                                                     const operand &source,
                                                     with how = {})
{
    bl_tensor *out = nullptr;

    how.check((bl_masked_scatter)(how.ctx(), a.get(), mask.get(), source.get(), &out));
    return tensor::adopt(out);
}
BROADLOOM_INLINE void masked_scatter_inplace(const result &a, const operand &mask,
                                             const operand &source, with how = {})
{
    how.check(
        (bl_masked_scatter_inplace)(how.ctx(), a.get(), mask.get(), source.get()));
}
[[nodiscard]] BROADLOOM_INLINE tensor masked_fill(const operand &a, const operand &mask,
                                                  const number &value, with how = {})
{
    bl_tensor *out = nullptr;

    how.check((bl_masked_fill)(how.ctx(), a.get(), mask.get(), value.get(), &out));
    return tensor::adopt(out);
}
BROADLOOM_INLINE void masked_fill_inplace(const result &a, const operand &mask,
                                          const number &value, with how = {})
{
    how.check((bl_masked_fill_inplace)(how.ctx(), a.get(), mask.get(), value.get()));
}

/* ---- sums to a shape, distance: <broadloom/reduce.h> ---- */

[[nodiscard]] inline tensor sum_to_shape(const operand &in, const extents &shape,
                                         with how = {})
{
    bl_tensor *out = nullptr;

    how.check(shape.explain(
        bl_sum_to_shape(how.ctx(), in.get(), shape.count(), shape.data(), &out)));
    return tensor::adopt(out);
}
inline void sum_to_shape_out(const result &out, const operand &in, with how = {})
{
    how.check(bl_sum_to_shape_out(how.ctx(), out.get(), in.get()));
}
[[nodiscard]] BROADLOOM_INLINE tensor dist(const operand &a, const operand &b,
                                           double p = 2, with how = {})
{
    bl_tensor *out = nullptr;

    how.check((bl_dist)(how.ctx(), a.get(), b.get(), p, &out));
    return tensor::adopt(out);
}
[[nodiscard]] BROADLOOM_INLINE tensor dist(const operand &a, const operand &b,
                                           detail::given how)
{
    return dist(a, b, 2, how);
}

/* ---- NPY files: <broadloom/npy.h> ---- */

/* The name of a file: a string of C, or anything with c_str(). */
class path
{
public:
    path(const char *name) noexcept : name_(name)
    {
    }
    template <class T, class = std::enable_if_t<std::is_same_v<
                           decltype(std::declval<const T &>().c_str()), const char *>>>
    path(const T &name) noexcept : name_(name.c_str())
    {
    }
    const char *get() const noexcept
    {
        return name_;
    }

private:
    const char *name_;
};

[[nodiscard]] inline tensor npy_load(const path &file, with how = {})
{
    bl_tensor *out = nullptr;

    how.check(bl_npy_load(how.ctx(), file.get(), &out));
    return tensor::adopt(out);
}
[[nodiscard]] inline tensor npy_map(const path &file, with how = {})
{
    bl_tensor *out = nullptr;

    how.check(bl_npy_map(how.ctx(), file.get(), &out));
    return tensor::adopt(out);
}
BROADLOOM_INLINE void npy_save(const path &file, const operand &from, with how = {})
{
    how.check((bl_npy_save)(how.ctx(), file.get(), from.get()));
}

BROADLOOM_END

#endif
