/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts; exceptions and std::error_code; files and streams.
 * usage: errors FOLDER
 */
#include "check.hpp"

#include <broadloom/io.hpp>

#include <sstream>
#include <vector>

namespace
{

void try_contexts()
{
    bl::context ctx;
    bl::context other = std::move(ctx);

    other.set_threads(1);
    other.set_isa("base");
    other.set_overlap(BL_OVERLAP_REFUSE);
    other.set_rules(bl_rules_strict());
    other.set_max_growth(2);
    other.set_placement({BL_PLACEMENT_INTERLEAVE, 0});
    other.set_thread_binding(true);
    other.set_nested_parallelism(true);
    other.set_reproducible(true);
    other.set_region_ns(3000);
    other.set_pool_limit(0);
    check(other.threads() == 1 && std::string(other.isa()) == "base" &&
              other.overlap() == BL_OVERLAP_REFUSE &&
              other.rules() == bl_rules_strict() && !(other.max_growth() > 2) &&
              other.placement().kind == BL_PLACEMENT_INTERLEAVE &&
              other.thread_binding() && other.nested_parallelism() &&
              other.reproducible() && other.region_ns() == 3000 &&
              other.pool_limit() == 0 && other.trim() == 0,
          "settings");
    check(ctx.get() == nullptr && bl::context(nullptr).get() == nullptr &&
              has(bl::add({1, 2}, 1, ctx), {2, 3}),
          "a context that was moved from is the default one");
    refused(bl::errc::argument, "bl_context_set_threads(threads -1)",
            [&] { other.set_threads(-1); });
    refused(bl::errc::rules, "bl_add(a i32[2,1], b i32[2])", [&] {
        (void)bl::add(bl::tensor::ones<int>({2, 1}), {1, 2}, other);
    });

    std::error_code ec;

    check(!bl::add(bl::tensor::ones<int>({2, 1}), {1, 2}, {other, ec}) &&
              ec == bl::errc::rules,
          "a context and a std::error_code");
    check(!bl::add(bl::tensor::ones<int>({2, 1}), {1, 2}, {other.get(), ec}) &&
              ec == bl::errc::rules,
          "a bl_context * and a std::error_code");
    check(bl::add({1, 2}, {3, 4}, other.get()).numel() == 2, "a bl_context *");
    other = bl::context();
    check(other.rules() != bl_rules_strict(), "another context");
}

void try_errors()
{
    std::error_code ec;
    const bl::tensor none = bl::add({1, 2}, {1, 2, 3}, ec);

    check(!none && ec == bl::errc::shape && ec.message() == "shapes do not fit" &&
              std::string(ec.category().name()) == "broadloom",
          "a std::error_code");
    check(bl::make_error_code(bl::errc::argument) == std::errc::invalid_argument &&
              bl::make_error_code(bl::errc::memory) == std::errc::not_enough_memory &&
              bl::make_error_code(bl::errc::overflow) == std::errc::value_too_large &&
              bl::make_error_code(bl::errc::io) == std::errc::io_error &&
              bl::make_error_code(bl::errc::unsupported) == std::errc::not_supported &&
              bl::make_error_code(bl::errc::shape) != std::errc::invalid_argument,
          "conditions of std::errc");
    check(thrown([] {
              (void)bl::add({1, 2}, {1, 2, 3});
          }) == "bl_add(a i32[2], b i32[3]): The size of tensor a (2) must match the "
                "size of "
                "tensor b (3) at non-singleton dimension 0: shapes do not fit",
          "the text of an exception");
    check(thrown([] { (void)bl::tensor::empty<double>(std::int64_t{1} << 55); }) ==
              "bad_alloc",
          "no memory is std::bad_alloc");
    (void)bl::tensor::empty<double>(std::int64_t{1} << 55, ec);
    check(ec == bl::errc::memory, "or its std::error_code");
    try {
        (void)bl::add({1, 2}, {1, 2, 3});
    } catch (const std::system_error &e) {
        ec = e.code();
    }
    check(ec == bl::errc::shape, "an error is a std::system_error");
}

/* Of integers that no call takes errors say what was given. */
void try_misfits()
{
    const std::vector<int> many(70, 0);
    const bl::tensor x = bl::tensor::ones<float>({2, 3});
    const long long wide = 1LL << 40;
    std::error_code ec;

    refused(bl::errc::argument, "bl_sum(): 70 axes, at most 64",
            [&] { (void)bl::sum(x, many); });
    refused(bl::errc::argument,
            "bl_sum_out(): axis 1099511627776 is not within -2147483648",
            [&] { bl::sum_out(x, x, wide); });
    refused(bl::errc::argument, "bl_var(): axis -1099511627776 is not within",
            [&] { (void)bl::var(x, -wide); });
    refused(bl::errc::argument, "expr::eval(): axis 1099511627776 is not within",
            [&] { (void)bl::lazy::sum(x, wide).eval(); });
    refused(bl::errc::argument, "expr::eval(): 70 axes, at most 64",
            [&] { (void)bl::lazy::sum(x, many).eval(); });
    refused(bl::errc::argument, "tensor::permute(): axis 1099511627776 is not within",
            [&] {
                (void)x.permute({0, wide});
            });
    refused(bl::errc::argument, "tensor::permute(): 70 axes, at most 64",
            [&] { (void)x.permute(many); });
    refused(bl::errc::argument, "tensor::permute(): 3 axes for f32[2,3]", [&] {
        (void)x.permute({0, 1, 2});
    });
    refused(bl::errc::argument, "bl_tensor_zeros(): 70 extents, at most 64",
            [&] { (void)bl::tensor::zeros<int>(many); });
    refused(bl::errc::argument, "bl_tensor_rand(): extent 18446744073709551615 is not",
            [] {
                (void)bl::tensor::rand<float>({2, ~0ULL}, 1);
            });
    refused(bl::errc::argument,
            "bl_tensor_broadcast_to(): extent 18446744073709551615 is not", [&] {
                (void)x.broadcast_to({2, ~0ULL});
            });
    refused(bl::errc::argument, "bl_tensor_reshape(): 70 extents, at most 64",
            [&] { (void)x.reshape(many); });
    refused(bl::errc::argument, "tensor::take(): 70 extents, at most 64",
            [&] { (void)bl::tensor::take(std::vector<float>(6), many); });
    refused(bl::errc::argument, "bl_sum_to_shape(): 70 extents, at most 64",
            [&] { (void)bl::sum_to_shape(x, many); });
    refused(bl::errc::argument, "bl_broadcast_shapes(): 70 extents, at most 64", [&] {
        (void)bl::broadcast_shapes({{2, 3}, many});
    });
    check(!bl::sum(x, wide, ec) && ec == bl::errc::argument,
          "or set a std::error_code");
}

/* What has a default is left out before a context and a std::error_code, too. */
void try_short_forms()
{
    const bl::tensor x = bl::tensor::arange<double>(0, 6).reshape({2, 3});
    std::vector<double> all(1), v = {1, 2, 3};
    bl::context ctx;
    std::error_code ec = bl::errc::io;

    check(has(bl::sum(x, {}), {15}) && bl::sum(x, {}, bl::keepdim::yes).rank() == 2 &&
              has(bl::sum(x, {}, ec), {15}) && !ec,
          "{} is all axes");
    check(has(bl::sum(x, 0, ctx), {3, 5, 7}) &&
              has(bl::var(x, 0, ctx.get()), {4.5, 4.5, 4.5}) &&
              has(bl::max(x, {0, 1}, {ctx, ec}), {5}) &&
              has(bl::sum(x, {ctx, ec}), {15}),
          "reductions");
    bl::sum_out(bl::view(all.data()), x, ctx);
    bl::mean_out(v, x, 0, {ctx, ec});
    check(has(bl::copy(all), {15}) && has(bl::copy(v), {1.5, 2.5, 3.5}) && !ec,
          "into memory");
    (void)bl::sum(x, 2, ec);
    check(ec == bl::errc::argument, "a std::error_code of a reduction");
    check(bl::dist(x, {0, 1, 2}, ec).numel() == 1 && !ec &&
              bl::dist(x, 0, ctx).numel() == 1 && !bl::dist(x, {0, 1}, ec) && ec,
          "distances");
    check(bl::tensor::arange<int>(0, 10, ctx).numel() == 10 &&
              bl::tensor::arange<int>(0, 3, ec).numel() == 3 && !ec,
          "ranges");
    check(x.slice(1, 1, ec).numel() == 4 && x.slice(1, 0, 1, ec).numel() == 2 && !ec &&
              !x.slice(2, 0, ec) && ec && !x.slice(2, 0, 1, ec),
          "slices");
    check(bl::tensor::take(std::move(v), ec).numel() == 3 && !ec &&
              bl::tensor::take(std::move(all), ctx).numel() == 1,
          "containers");
    check(has(bl::lazy::parse("x + 1", ec).eval({2}), {3}) && !ec &&
              bl::lazy::parse("x", ctx).get() && bl::lazy::parse("x", {ctx, ec}).get(),
          "texts");
}

/* A stream that takes `room` characters, and throws where more are written. */
struct small_buffer : std::streambuf {
    int room = 3;

    int_type overflow(int_type c) override
    {
        if (room-- == 0)
            throw 1;
        return c;
    }
};

void try_files(const std::string &folder)
{
    const std::string file = folder + "/x.npy";
    const bl::tensor x = bl::tensor::arange<float>(0, 6).reshape({2, 3});
    std::ostringstream stream, failed;
    small_buffer buffer;
    std::ostream full(&buffer);

    bl::npy_save(file, x);
    check(same(bl::npy_load(file), x) && same(bl::npy_map(file.c_str()), x), "files");
    bl::npy_save(file, {1, 2, 3});
    check(has(bl::npy_load(file), {1, 2, 3}), "a list is saved");
    refused(bl::errc::io, "bl_npy_load(path \"" + folder + "/none.npy\")",
            [&] { (void)bl::npy_load(folder + "/none.npy"); });

    stream << x << '\n' << bl::tensor::arange<int>(0, 9);
    check(stream.str() == "[[0, 1, 2],\n [3, 4, 5]]\n[0, 1, 2, ..., 6, 7, 8]",
          "a stream: " + stream.str());
    failed << bl::tensor();
    full << x;
    check(failed.fail() && full.bad(), "streams that fail");
}

} // namespace

int main(int, char **argv)
{
    try_contexts();
    try_errors();
    try_misfits();
    try_short_forms();
    try_files(argv[1]);
    return failures != 0;
}
