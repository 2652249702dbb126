/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of a tensor between its elements and a program's memory; tensor.hpp
 * says what each does.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_MEMORY_HPP
#define BROADLOOM_CXX_MEMORY_HPP

#include <broadloom/cxx/tensor.hpp>

#include <array>
#include <cstring>
#include <memory>
#include <new>

BROADLOOM_BEGIN

BROADLOOM_INLINE operand::operand(const tensor &from) noexcept
    : array_(bl_tensor_array(from.get()))
{
}

BROADLOOM_INLINE result::result(const tensor &from) noexcept
    : array_(bl_tensor_array(from.get()))
{
}

namespace detail
{

/* The notation of a tensor, as "f32[2,3]", for messages; a long one is cut. */
class notation
{
public:
    explicit notation(const bl_tensor *tensor) noexcept
        : notation(bl_tensor_array(tensor))
    {
    }
    explicit notation(const bl_array *array) noexcept
    {
        if (!array || bl_array_describe(array, append, this) != BL_OK)
            length_ = 0;
        if (!array)
            append(this, "an empty tensor", 15);
        else if ((array->flags & BL_ARRAY_SCALAR) != 0)
            append(this, " (a number)", 11);
        text_[length_] = '\0';
    }
    const char *c_str() const noexcept
    {
        return text_;
    }

private:
    static bool append(void *user, const char *text, std::size_t length) noexcept
    {
        notation *const self = static_cast<notation *>(user);
        const std::size_t room = sizeof self->text_ - 1 - self->length_;
        const std::size_t taken = length < room ? length : room;

        std::memcpy(self->text_ + self->length_, text, taken);
        self->length_ += taken;
        return true;
    }

    char text_[256];
    std::size_t length_ = 0;
};

} // namespace detail

/* All extents, a range, as reshape() and broadcast_to() of another tensor take them. */
inline extents tensor::shape() const noexcept
{
    return tensor_ ? extents(array().extent, rank()) : extents();
}

/* The tensor that a function creates of a shape, among others; errors explain it. */
template <class F, class... A>
tensor tensor::shaped(const on_error &e, const extents &shape, F function,
                      A... arguments)
{
    bl_tensor *out = nullptr;

    e.check(shape.explain(function(arguments..., &out)));
    return tensor(out);
}

inline bool tensor::has_axes(const axes &named, const char *call,
                             const on_error &e) const
{
    bl_status status = BL_OK;

    if (!named.fit())
        status = named.explain(BL_ERR_ARGUMENT, call);
    else if (named.count() != rank())
        status = bl_error_set(BL_ERR_ARGUMENT, "%s(): %d axes for %s", call,
                              static_cast<int>(named.count()),
                              detail::notation(tensor_).c_str());
    return e.check(status);
}

template <class D> tensor tensor::wrap(const result &elements, D deleter, with how)
{
    std::unique_ptr<D> held(new (std::nothrow) D(std::move(deleter)));
    bl_tensor *out = nullptr;
    const auto call = [](void *user, void *) noexcept {
        const std::unique_ptr<D> last(static_cast<D *>(user));

        (*last)();
    };

    if (how.check(
            held ? bl_tensor_wrap(how.ctx(), elements.get(), call, held.get(), &out)
                 : BL_ERR_MEMORY))
        (void)held.release();
    return tensor(out);
}

template <class C, std::enable_if_t<detail::owns_elements<C>, int>>
tensor tensor::take(C &&container, const extents &shape, with how)
{
    const std::int64_t numel = static_cast<std::int64_t>(std::size(container));
    std::unique_ptr<C> held;
    bl_layout layout;
    bl_tensor *out = nullptr;
    bl_status status = bl_layout_compact(1, &numel, &layout);

    if (status == BL_OK)
        status =
            shape.explain(bl_layout_view(&layout, shape.count(), shape.data(), &layout),
                          "tensor::take");
    if (status == BL_OK) {
        held.reset(new (std::nothrow) C(std::move(container)));
        status = held ? BL_OK : BL_ERR_MEMORY;
    }
    if (status == BL_OK) {
        const bl_array array =
            bl_layout_array(&layout, dtype_v<detail::element_t<C>>, std::data(*held));

        status = bl_tensor_wrap(
            how.ctx(), &array,
            [](void *user, void *) noexcept { delete static_cast<C *>(user); },
            held.get(), &out);
        if (status == BL_OK)
            (void)held.release();
        else
            container = std::move(*held);
    }
    how.check(status);
    return tensor(out);
}

/* Whether the elements are those that a T * points to. */
template <class T> bl_status tensor::holds() const noexcept
{
    if (!tensor_ || dtype() != detail::known_dtype<T>)
        return bl_error_set(tensor_ ? BL_ERR_DTYPE : BL_ERR_ARGUMENT,
                            "tensor::data(): elements of %s are not %s",
                            detail::notation(tensor_).c_str(),
                            bl_dtype_name(dtype_v<T>));
    if (!std::is_const_v<T> && (array().flags & BL_ARRAY_READ_ONLY))
        return bl_error_set(BL_ERR_ARGUMENT, "tensor::data(): %s is read-only",
                            detail::notation(tensor_).c_str());
    return BL_OK;
}

template <class T> T *tensor::data(on_error e) const
{
    return e.check(holds<T>()) ? static_cast<T *>(array().data) : nullptr;
}

template <class T> T tensor::item(on_error e) const
{
    T value{};
    const bl_array out = {&value, detail::known_dtype<T>, 0, nullptr, nullptr, 0};

    if (const tensor only = view(extents(), e))
        e.check((bl_copy_out)(nullptr, &out, bl_tensor_array(only.get())));
    return value;
}

/* ---- forms that leave out what has a default ---- */

template <class T> tensor tensor::arange(double start, double stop, detail::given how)
{
    return arange<T>(start, stop, 1, how);
}
template <class C, std::enable_if_t<detail::owns_elements<C>, int>>
tensor tensor::take(C &&container, detail::given how)
{
    return take(std::forward<C>(container), -1, how);
}
inline tensor tensor::slice(std::int32_t axis, std::int64_t start,
                            std::error_code &ec) const
{
    return slice(axis, start, BL_SLICE_END, 1, ec);
}
inline tensor tensor::slice(std::int32_t axis, std::int64_t start, std::int64_t stop,
                            std::error_code &ec) const
{
    return slice(axis, start, stop, 1, ec);
}

/* ---- as an mdspan ---- */

/* Whether an mdspan of that type can stand for the tensor. */
template <class Mdspan> bl_status tensor::fits() const noexcept
{
    using shape = typename Mdspan::extents_type;
    using index = typename shape::index_type;
    const detail::notation text(tensor_);

    if (rank() != static_cast<std::int32_t>(Mdspan::rank()))
        return bl_error_set(BL_ERR_SHAPE, "tensor::as(): an mdspan of rank %d for %s",
                            static_cast<int>(Mdspan::rank()), text.c_str());
    if (tensor_ && (array().flags & BL_ARRAY_BYTE_STRIDES))
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "tensor::as(): strides of %s count bytes", text.c_str());
    for (std::int32_t axis = 0; axis < rank(); axis++) {
        const std::size_t fixed = shape::static_extent(static_cast<std::size_t>(axis));

        if ((fixed != static_cast<std::size_t>(-1) &&
             fixed != static_cast<std::size_t>(extent(axis))) ||
            static_cast<std::int64_t>(static_cast<index>(extent(axis))) != extent(axis))
            return bl_error_set(
                BL_ERR_SHAPE, "tensor::as(): another extent than %s has", text.c_str());
        if ((extent(axis) > 1 && stride(axis) <= 0) ||
            static_cast<std::int64_t>(static_cast<index>(stride(axis))) != stride(axis))
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "tensor::as(): no mdspan has the strides of %s",
                                text.c_str());
    }
    return BL_OK;
}

namespace detail
{

template <class Mdspan, class T, std::size_t... Axis>
Mdspan make_mdspan(const tensor &from, T *data, std::index_sequence<Axis...>)
{
    using index = typename Mdspan::extents_type::index_type;
    const auto positive = [&](std::int32_t axis) {
        return static_cast<index>(from.stride(axis) > 0 ? from.stride(axis) : 1);
    };
    const std::array<index, sizeof...(Axis)> extent = {
        {static_cast<index>(from.extent(static_cast<std::int32_t>(Axis)))...}};
    const std::array<index, sizeof...(Axis)> stride = {
        {positive(static_cast<std::int32_t>(Axis))...}};

    (void)positive;
    return Mdspan(data, typename Mdspan::mapping_type(
                            typename Mdspan::extents_type(extent), stride));
}

} // namespace detail

template <class Mdspan> Mdspan tensor::as(on_error e) const
{
    using element = typename Mdspan::element_type;
    const bl_status status = holds<element>();

    if (!e.check(status == BL_OK ? fits<Mdspan>() : status))
        return Mdspan();
    return detail::make_mdspan<Mdspan>(*this, static_cast<element *>(array().data),
                                       std::make_index_sequence<Mdspan::rank()>());
}

BROADLOOM_END

#endif
