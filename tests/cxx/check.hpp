/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the programs of this folder: what fails is printed, one line each, and nothing
 * else; cxx.t.sh wants no output.
 */
#ifndef CHECK_HPP
#define CHECK_HPP

#include <broadloom/broadloom.hpp>

#include <cstdio>
#include <cstring>
#include <string>

namespace bl = broadloom;

inline int failures = 0;

inline void check(bool pass, const std::string &what)
{
    if (pass)
        return;
    std::printf("%s\n", what.c_str());
    failures++;
}

/* Whether two tensors have the same dtype, shape and bits. */
inline bool same(const bl::tensor &a, const bl::tensor &b)
{
    const bl::tensor x = a.contiguous(), y = b.contiguous();
    bool equal = x.dtype() == y.dtype() && x.rank() == y.rank();

    for (std::int32_t axis = 0; equal && axis < x.rank(); axis++)
        equal = x.extent(axis) == y.extent(axis);
    return equal && (x.numel() == 0 || std::memcmp(x.array().data, y.array().data,
                                                   static_cast<std::size_t>(x.numel()) *
                                                       bl_dtype_size(x.dtype())) == 0);
}

/* Whether a tensor has these elements, converted to double, in logical order. */
inline bool has(const bl::tensor &x, std::initializer_list<double> wanted)
{
    const bl::tensor flat = bl::cast<double>(x).reshape(-1);
    const double *const element = flat.data<const double>();
    std::int64_t i = 0;

    if (flat.numel() != static_cast<std::int64_t>(wanted.size()))
        return false;
    for (const double value : wanted)
        if (element[i++] != value)
            return false;
    return true;
}

/* What the call throws; "nothing" where it throws nothing. */
template <class F> std::string thrown(F call)
{
    try {
        call();
    } catch (const bl::error &e) {
        return e.what();
    } catch (const std::bad_alloc &) {
        return "bad_alloc";
    }
    return "nothing";
}

/* The call throws a broadloom::error whose text has that part. */
template <class F> void refused(bl::errc code, const std::string &part, F call)
{
    try {
        call();
        check(false, "not refused: " + part);
    } catch (const bl::error &e) {
        check(e.code() == code && e.code().category() == bl::category() &&
                  e.status() == static_cast<bl_status>(code) &&
                  std::string(e.what()).find(part) != std::string::npos,
              "\"" + part + "\" is refused as \"" + e.what() + "\"");
    }
}

#endif
