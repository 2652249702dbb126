/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_TENSOR_HPP
#define BROADLOOM_CXX_TENSOR_HPP

#include <broadloom/cxx/context.hpp>
#include <broadloom/cxx/operand.hpp>

BROADLOOM_BEGIN

/*
 * A shared handle on a bl_tensor.  Copies share its elements, as views do; the last of
 * them frees the memory.  A tensor that was moved from, or not initialised, is empty:
 * it has no dtype, rank 0 and no elements, converts to false, may be assigned to, and
 * is refused by calls with errc::argument.  To copy elements, call copy(x).  What is
 * assigned is the handle: copy_out(x.select(0, 1), y) writes elements, and
 * x.select(0, 1) = y, which would not, does not compile.
 *
 * A const tensor is a handle that is not changed; its elements may be.  Threads may use
 * different handles on one tensor at once, as of std::shared_ptr.
 * Functions without a comment are those of <broadloom/tensor.h> of that name.
 */
class tensor
{
public:
    tensor() noexcept = default;
    tensor(const tensor &other) noexcept : tensor_(bl_tensor_retain(other.tensor_))
    {
    }
    tensor(tensor &&other) noexcept : tensor_(other.release())
    {
    }
    tensor &operator=(tensor other) &noexcept
    {
        std::swap(tensor_, other.tensor_);
        return *this;
    }
    ~tensor()
    {
        bl_tensor_release(tensor_);
    }

    /* Take over one reference, which a function of the C interface returned. */
    static tensor adopt(bl_tensor *reference) noexcept
    {
        return tensor(reference);
    }
    /* Give up the reference, for bl_tensor_release(); this tensor is empty then. */
    bl_tensor *release() noexcept
    {
        return std::exchange(tensor_, nullptr);
    }
    /* What this tensor refers to, without a new reference. */
    bl_tensor *get() const noexcept
    {
        return tensor_;
    }
    /* Whether the tensor is not empty, whatever its elements are; see item<bool>(). */
    explicit operator bool() const noexcept
    {
        return tensor_ != nullptr;
    }

    /*
     * ---- create ----
     *
     * New tensors, compact row-major, of a C++ type, as tensor::zeros<double>({2, n}),
     * or of a dtype, as tensor::zeros(BL_DTYPE_BF16, {2, n}).
     */

#define BROADLOOM_CREATE(name)                                                         \
    static tensor name(bl_dtype dtype, const extents &shape, with how = {})            \
    {                                                                                  \
        return shaped(how, shape, bl_tensor_##name, how.ctx(), dtype, shape.count(),   \
                      shape.data());                                                   \
    }                                                                                  \
    template <class T> static tensor name(const extents &shape, with how = {})         \
    {                                                                                  \
        return name(detail::known_dtype<T>, shape, how);                               \
    }
    BROADLOOM_CREATE(empty)
    BROADLOOM_CREATE(zeros)
    BROADLOOM_CREATE(ones)
#undef BROADLOOM_CREATE
#define BROADLOOM_CREATE(name)                                                         \
    static tensor name(bl_dtype dtype, const extents &shape, std::uint64_t seed,       \
                       with how = {})                                                  \
    {                                                                                  \
        return shaped(how, shape, bl_tensor_##name, how.ctx(), dtype, shape.count(),   \
                      shape.data(), seed);                                             \
    }                                                                                  \
    template <class T>                                                                 \
    static tensor name(const extents &shape, std::uint64_t seed, with how = {})        \
    {                                                                                  \
        return name(detail::known_dtype<T>, shape, seed, how);                         \
    }
    BROADLOOM_CREATE(rand)
    BROADLOOM_CREATE(randn)
#undef BROADLOOM_CREATE
    template <class T>
    static tensor full(const extents &shape, const T &value, with how = {})
    {
        return shaped(how, shape, bl_tensor_full, how.ctx(), detail::known_dtype<T>,
                      shape.count(), shape.data(), &value);
    }
    template <class T>
    static tensor arange(double start, double stop, double step = 1, with how = {})
    {
        return made(how, bl_tensor_arange, how.ctx(), detail::known_dtype<T>, start,
                    stop, step);
    }
    template <class T>
    static tensor arange(double start, double stop, detail::given how);

    /*
     * A tensor over memory that `elements` describes, which is not copied: of a
     * bl_array, an mdspan or a span.  Once nothing refers to it, `deleter` is called
     * without arguments and destroyed, on any thread; it must not throw.  On failure it
     * is destroyed and not called: the caller keeps the memory.
     */
    template <class D>
    static tensor wrap(const result &elements, D deleter, with how = {});

    /*
     * A tensor of the elements of a container that owns them, as a std::vector, which
     * is moved, not copied.  `shape` has as many elements, and one extent may be -1. On
     * failure the container is as it was.
     */
    template <class C, std::enable_if_t<detail::owns_elements<C>, int> = 0>
    static tensor take(C &&container, const extents &shape = -1, with how = {});
    template <class C, std::enable_if_t<detail::owns_elements<C>, int> = 0>
    static tensor take(C &&container, detail::given how);

    /* ---- inspect ---- */

    /* The tensor as in C; not of an empty tensor. */
    const bl_array &array() const noexcept
    {
        return *bl_tensor_array(tensor_);
    }
    bl_dtype dtype() const noexcept
    {
        return bl_tensor_dtype(tensor_);
    }
    std::int32_t rank() const noexcept
    {
        return bl_tensor_rank(tensor_);
    }
    std::int64_t numel() const noexcept
    {
        return bl_tensor_numel(tensor_);
    }
    extents shape() const noexcept;
    std::int64_t extent(std::int32_t axis) const noexcept
    {
        return bl_tensor_extent(tensor_, axis);
    }
    std::int64_t stride(std::int32_t axis) const noexcept
    {
        return bl_tensor_stride(tensor_, axis);
    }
    bool shares_storage(const tensor &other) const noexcept
    {
        return bl_tensor_shares_storage(tensor_, other.tensor_);
    }

    /*
     * The address of element (0, ..., 0), valid as long as the elements.  errc::dtype
     * where T is not the type of the elements; errc::argument for a read-only tensor
     * where T is not const.
     */
    template <class T> T *data(on_error e = {}) const;

    /* The only element of a tensor that has one, converted to T as by cast(). */
    template <class T> T item(on_error e = {}) const;

    /*
     * An mdspan over the elements, valid as long as they are: of the program's mdspan
     * library, with a layout whose mapping is made of extents and strides, as
     * x.as<std::mdspan<double, std::dextents<int, 2>, std::layout_stride>>().
     * errc::shape for another rank or extent; errc::unsupported for strides that are
     * not positive or count bytes; errors of data().
     */
    template <class Mdspan> Mdspan as(on_error e = {}) const;

    /*
     * ---- views ----
     *
     * Tensors over the same elements, which share their memory.  errc::argument for
     * another number of axes than the tensor has dimensions.
     */

    tensor expand(const extents &shape, on_error e = {}) const
    {
        return shaped(e, shape, bl_tensor_expand, tensor_, shape.count(), shape.data());
    }
    tensor broadcast_to(const extents &shape, on_error e = {}) const
    {
        return shaped(e, shape, bl_tensor_broadcast_to, tensor_, shape.count(),
                      shape.data());
    }
    tensor unsqueeze(std::int32_t axis, on_error e = {}) const
    {
        return made(e, bl_tensor_unsqueeze, tensor_, axis);
    }
    tensor squeeze(std::int32_t axis, on_error e = {}) const
    {
        return made(e, bl_tensor_squeeze, tensor_, axis);
    }
    tensor squeeze_all(on_error e = {}) const
    {
        return made(e, bl_tensor_squeeze_all, tensor_);
    }
    tensor permute(const axes &order, on_error e = {}) const
    {
        return has_axes(order, "tensor::permute", e)
                   ? made(e, bl_tensor_permute, tensor_, order.data())
                   : tensor();
    }
    tensor transpose(std::int32_t first, std::int32_t second, on_error e = {}) const
    {
        return made(e, bl_tensor_transpose, tensor_, first, second);
    }
    tensor select(std::int32_t axis, std::int64_t index, on_error e = {}) const
    {
        return made(e, bl_tensor_select, tensor_, axis, index);
    }
    tensor narrow(std::int32_t axis, std::int64_t start, std::int64_t length,
                  on_error e = {}) const
    {
        return made(e, bl_tensor_narrow, tensor_, axis, start, length);
    }
    tensor slice(std::int32_t axis, std::int64_t start,
                 std::int64_t stop = BL_SLICE_END, std::int64_t step = 1,
                 on_error e = {}) const
    {
        return made(e, bl_tensor_slice, tensor_, axis, start, stop, step);
    }
    tensor slice(std::int32_t axis, std::int64_t start, std::error_code &ec) const;
    tensor slice(std::int32_t axis, std::int64_t start, std::int64_t stop,
                 std::error_code &ec) const;
    tensor flip(std::int32_t axis, on_error e = {}) const
    {
        return made(e, bl_tensor_flip, tensor_, axis);
    }
    tensor view(const extents &shape, on_error e = {}) const
    {
        return shaped(e, shape, bl_tensor_view, tensor_, shape.count(), shape.data());
    }
    tensor place_dims(std::int32_t out_rank, const axes &to, on_error e = {}) const
    {
        return has_axes(to, "tensor::place_dims", e)
                   ? made(e, bl_tensor_place_dims, tensor_, out_rank, to.data())
                   : tensor();
    }
    tensor reshape(const extents &shape, with how = {}) const
    {
        return shaped(how, shape, bl_tensor_reshape, how.ctx(), tensor_, shape.count(),
                      shape.data());
    }
    tensor contiguous(with how = {}) const
    {
        return made(how, bl_tensor_contiguous, how.ctx(), tensor_);
    }

private:
    explicit tensor(bl_tensor *reference) noexcept : tensor_(reference)
    {
    }

    /* The tensor that a function of the C interface creates. */
    template <class F, class... A>
    static tensor made(const on_error &e, F function, A... arguments)
    {
        bl_tensor *out = nullptr;

        e.check(function(arguments..., &out));
        return tensor(out);
    }
    template <class F, class... A>
    static tensor shaped(const on_error &e, const extents &shape, F function,
                         A... arguments);
    bool has_axes(const axes &named, const char *call, const on_error &e) const;
    template <class T> bl_status holds() const noexcept;
    template <class Mdspan> bl_status fits() const noexcept;

    bl_tensor *tensor_ = nullptr;
};

BROADLOOM_END

#include <broadloom/cxx/memory.hpp>

#endif
