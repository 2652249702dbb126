/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors, contexts and errors as objects of C++: handles that share, owners whose
 * deleters run once, objects that were moved from, std::error_code and exceptions,
 * files and streams.
 */
#include "check.hpp"
#include "small_mdspan.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace
{

void try_handles()
{
    bl::tensor x = bl::tensor::full({2, 3}, 1.5F);
    const bl::tensor same_handle = x;
    bl::tensor moved = std::move(x);

    check(!x && x.dtype() == BL_DTYPE_NONE && x.rank() == 0 && x.numel() == 0,
          "a tensor that was moved from is empty");
    refused(bl::errc::argument, "bl_add(a", [&] { (void)bl::add(x, moved); });
    refused(bl::errc::argument, "tensor::data()", [&] { (void)x.data<float>(); });
    refused(bl::errc::argument, "bl_tensor_transpose(",
            [&] { (void)x.transpose(0, 1); });
    refused(bl::errc::argument, "bl_tensor_view(", [&] { (void)x.item<float>(); });
    x = moved.transpose(0, 1);
    check(x && x.shares_storage(same_handle) && x.extent(0) == 3,
          "and may be assigned to");
    bl::fill(same_handle, 4);
    check(has(x, {4, 4, 4, 4, 4, 4}), "copies and views share elements");
    x = x.contiguous();
    check(!x.shares_storage(same_handle), "a copy of the elements does not");
    x = *&x;
    check(x.numel() == 6, "assigned to itself");

    bl_tensor *const reference = x.release();

    check(!x && bl_tensor_numel(reference) == 6, "release() gives up the reference");
    x = bl::tensor::adopt(reference);
    check(x.get() == reference, "adopt() takes it over");
}

void try_creation()
{
    const std::int32_t seven = 7;

    check(has(bl::tensor::zeros<int>({2}), {0, 0}) &&
              has(bl::tensor::ones<bool>(2), {1, 1}) &&
              has(bl::tensor::full({}, seven), {7}) &&
              has(bl::tensor::arange<double>(0, 1, 0.25), {0, 0.25, 0.5, 0.75}),
          "zeros, ones, full, arange");
    check(bl::tensor::empty(BL_DTYPE_BF16, {2, 3}).dtype() == BL_DTYPE_BF16 &&
              bl::tensor::zeros(BL_DTYPE_F16, 2).dtype() == BL_DTYPE_F16 &&
              bl::tensor::ones(BL_DTYPE_F16, 2).dtype() == BL_DTYPE_F16 &&
              bl::tensor::rand(BL_DTYPE_F16, 2, 1).dtype() == BL_DTYPE_F16 &&
              bl::tensor::randn(BL_DTYPE_C64, 2, 1).dtype() == BL_DTYPE_C64 &&
              bl::tensor::empty<double>({2, 3}).stride(0) == 3,
          "of a dtype");
    check(same(bl::tensor::rand<float>(4, 3), bl::tensor::rand<float>(4, 3)) &&
              !same(bl::tensor::randn<float>(4, 3), bl::tensor::randn<float>(4, 4)),
          "random numbers follow from the seed");
    refused(bl::errc::dtype, "bl_tensor_rand(",
            [] { (void)bl::tensor::rand<int>(2, 1); });
}

/* Counts the calls and the destructions of the object that is not moved from. */
struct deleter {
    int *calls, *ends;

    deleter(int *c, int *e) : calls(c), ends(e)
    {
    }
    deleter(deleter &&other) noexcept
        : calls(std::exchange(other.calls, nullptr)),
          ends(std::exchange(other.ends, nullptr))
    {
    }
    ~deleter()
    {
        if (ends)
            ++*ends;
    }
    void operator()() const
    {
        ++*calls;
    }
};

void try_owners()
{
    int calls = 0, ends = 0;
    std::vector<double> memory = {1, 2, 3, 4};
    std::vector<float> taken = {1, 2, 3, 4, 5, 6};
    const float *const address = taken.data();
    {
        const bl::tensor x = bl::tensor::wrap(memory, deleter(&calls, &ends));
        const bl::tensor view = x.slice(0, 1);

        view.select(0, 0) *= 10;
        check(memory[1] == 20 && calls == 0 && ends == 0, "wrap() shares memory");
    }
    check(calls == 1 && ends == 1, "its deleter is called and destroyed once");
    bl_array bad = *bl::result(memory).get();

    bad.rank = -1;
    refused(bl::errc::argument, "bl_tensor_wrap(",
            [&] { (void)bl::tensor::wrap(bad, deleter(&calls, &ends)); });
    check(calls == 1 && ends == 2, "on failure it is destroyed and not called");

    bl::tensor x = bl::tensor::take(std::move(taken), {2, -1});

    check(taken.empty() && x.data<float>() == address && x.extent(1) == 3,
          "take() moves a vector");
    x = {};
    taken = {1, 2, 3};
    refused(bl::errc::shape, "bl_layout_view(", [&] {
        (void)bl::tensor::take(std::move(taken), {2, 2});
    });
    check(taken.size() == 3, "on failure the vector is as it was");
    bl::context full;
    const bl_allocator none = {
        [](void *, std::size_t, std::size_t) -> void * { return nullptr; },
        [](void *, void *, std::size_t, std::size_t) {}, nullptr};

    check(bl_context_set_allocator(full.get(), &none) == BL_OK &&
              thrown([&] { (void)bl::tensor::take(std::move(taken), -1, full); }) ==
                  "bad_alloc" &&
              taken.size() == 3,
          "where there is no memory, too");
    check(has(bl::tensor::take(std::move(taken)), {1, 2, 3}),
          "take() of one dimension");
    check(bl::tensor::take(std::vector<int>()).numel() == 0, "take() of no elements");

    calls = ends = 0;
    x = bl::tensor::wrap(memory, deleter(&calls, &ends));
    {
        const bl::tensor copy = x, view = copy.flip(0);

        x = {};
        check(calls == 0 && has(view, {4, 3, 20, 1}), "a copy keeps the memory");
    }
    check(calls == 1 && ends == 1, "the last copy frees it");

    const auto shared = std::make_shared<std::vector<int>>(3, 5);

    x = bl::tensor::wrap(*shared, [keep = shared] { check(!keep->empty(), "gone"); });
    check(shared.use_count() == 2, "a deleter keeps a shared_ptr");
    x = {};
    check(shared.use_count() == 1, "and gives it back");
}

void try_access()
{
    bl::tensor x = bl::tensor::arange<double>(0, 6).reshape({2, 3});
    const double constant[2] = {1, 2};
    const bl::tensor read_only = bl::tensor::wrap(*bl::operand(constant).get(), [] {});

    x.data<double>()[5] = 50;
    check(x.select(0, 1).select(0, 2).item<int>() == 50, "data() and item()");
    check(x.narrow(0, 0, 1).narrow(1, 2, 1).item<float>() == 2, "item() of rank 2");
    check(read_only.data<const double>() == constant, "data() of const");
    refused(bl::errc::argument, "tensor::data(): f64[2] is read-only",
            [&] { (void)read_only.data<double>(); });
    using seen = small::mdspan<double, small::extents<int, small::dynamic>,
                               small::layout_stride>;
    std::error_code ec;

    (void)read_only.slice(0, 2).as<seen>(ec);
    check(ec == bl::errc::argument, "as() of no elements that are read-only");
    refused(bl::errc::argument, "bl_neg_inplace(a f64[2])",
            [&] { bl::neg_inplace(read_only); });
    refused(bl::errc::dtype, "tensor::data(): elements of f64[2,3] are not f32",
            [&] { (void)x.data<float>(); });
    const bl::tensor all = bl::all(bl::eq(x, 1));

    check(all && !all.item<bool>(), "the value of all() is an element");
    refused(bl::errc::shape, "bl_tensor_view(tensor f64[2,3]",
            [&] { (void)x.item<double>(); });
}

void try_views()
{
    const bl::tensor x = bl::tensor::arange<int>(0, 6).reshape({2, 3});

    check(has(x.transpose(0, 1), {0, 3, 1, 4, 2, 5}) &&
              has(x.permute({-1, 0}), {0, 3, 1, 4, 2, 5}) &&
              has(x.flip(1), {2, 1, 0, 5, 4, 3}) &&
              has(x.slice(1, 0, 3, 2), {0, 2, 3, 5}) &&
              has(x.slice(1, 1), {1, 2, 4, 5}) && has(x.select(0, -1), {3, 4, 5}) &&
              has(x.narrow(1, 1, 1), {1, 4}) && has(x.view(-1), {0, 1, 2, 3, 4, 5}),
          "views of elements");
    const bl::tensor column = bl::tensor::zeros<float>({4, 1}), empty;

    check(column.shape().count() == 2 && column.shape().data()[0] == 4 &&
              bl::tensor::zeros<float>(4).reshape(column.shape()).rank() == 2 &&
              bl::tensor::zeros<float>({}).shape().count() == 0 &&
              empty.shape().count() == 0,
          "shapes are what views take");
    std::int64_t product = 1;

    for (const std::int64_t extent : x.shape())
        product *= extent;
    check(product == 6 && x.shape()[1] == 3 && x.shape().size() == 2, "ranges");
    check(x.shape() == bl::extents{2, 3} && x.shape() == std::vector<int>{2, 3} &&
              x.shape() != column.shape() && x.shape() != bl::extents{2} &&
              empty.shape() == bl::extents{} &&
              x.shape() == x.transpose(0, 1).transpose(0, 1).shape(),
          "that are compared");
    check(column.broadcast_to(bl::broadcast_shapes({column.shape(), {2, 1, 3}}))
                      .numel() == 24 &&
              bl::broadcast_shapes({}).count() == 0,
          "broadcast_shapes()");
    refused(bl::errc::shape, "bl_broadcast_shapes(", [&] {
        (void)bl::broadcast_shapes({column.shape(), {3, 2}});
    });
    check(x.unsqueeze(0).squeeze(0).rank() == 2 && x.unsqueeze(-1).rank() == 3 &&
              x.view({1, 2, 1, 3}).squeeze_all().rank() == 2 &&
              x.select(0, 0).expand({4, -1}).extent(0) == 4 &&
              x.select(0, 0).broadcast_to({5, 3}).stride(0) == 0 &&
              x.select(0, 0).place_dims(3, 1).extent(1) == 3,
          "views of shapes");
    check(x.reshape({3, 2}).shares_storage(x) &&
              !x.transpose(0, 1).reshape(6).shares_storage(x),
          "reshape() copies where it must");
    refused(bl::errc::argument, "tensor::permute(): 3 axes for i32[2,3]", [&] {
        (void)x.permute({0, 1, 2});
    });
    refused(bl::errc::argument, "tensor::place_dims(): 1 axes for i32[2,3]",
            [&] { (void)x.place_dims(3, 0); });
    refused(bl::errc::argument, "bl_tensor_select(tensor i32[2,3], axis 2, index 0)",
            [&] { (void)x.select(2, 0); });
}

void try_calls()
{
    const bl::tensor x = bl::tensor::arange<double>(0, 4), mask = bl::gt(x, 1);
    const bl::tensor naturals = bl::tensor::zeros<std::uint64_t>(2);
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    bl::tensor y = bl::copy(x);

    bl::fill(naturals, most);
    check(naturals.data<std::uint64_t>()[1] == most, "fill() with a number above i64");
    bl::masked_fill_inplace(y, mask, std::uint64_t{1} << 63);
    check(has(y, {0, 1, 0x1p63, 0x1p63}), "masked_fill_inplace() with one");
    bl::copy_out(y, x);
    check(has(bl::masked_select(x, mask), {2, 3}) &&
              has(bl::masked_scatter(x, mask, {7.0, 8.0}), {0, 1, 7, 8}) &&
              has(bl::masked_fill(x, mask, 9), {0, 1, 9, 9}) &&
              has(bl::masked_fill(x, mask, most), {0, 1, 0x1p64, 0x1p64}),
          "masks");
    bl::masked_fill_inplace(y, mask, -1.5);
    bl::masked_scatter_inplace(y, bl::lt(y, 0), {5.0, 6.0});
    check(has(y, {0, 1, 5, 6}), "masks in place");
    bl::sum_to_shape_out(y.narrow(0, 0, 1), x);
    check(has(bl::sum_to_shape(x, 1), {6}) && has(y, {6, 1, 5, 6}), "sums to a shape");
    check(bl::dist(x, {0.0, 1.0, 2.0, 8.0}).item<double>() == 5, "the distance");
    check(has(bl::cast<bool>(x), {0, 1, 1, 1}) &&
              bl::cast(x, BL_DTYPE_BF16).dtype() == BL_DTYPE_BF16,
          "conversions");
}

} // namespace

int main()
{
    try_handles();
    try_creation();
    try_owners();
    try_access();
    try_views();
    try_calls();
    return failures != 0;
}
