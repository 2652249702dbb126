/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the statements of does_not_compile.txt are written with.
 */
#ifndef STATEMENTS_HPP
#define STATEMENTS_HPP

#include "small_mdspan.hpp"

#include <broadloom/broadloom.hpp>

#include <array>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace bl = broadloom;

using square = small::extents<int, 2, 2>;

/* Elements of another object: a const handle may write them.  A row says so. */
struct handle {
    double *data() const;
    double *begin() const;
    double *end() const;
    std::size_t size() const;
};
struct row : handle {
};
/* A matrix, which is no range; rows of one, with elements apart and side by side. */
struct matrix {
    double *data() const;
    std::size_t size() const;
    std::size_t outerStride() const;
};
struct apart : handle {
    std::size_t innerStride() const;
};
struct dense : apart {
    enum { InnerStrideAtCompileTime = 1 };
};
struct steps : handle {
    std::list<double>::iterator begin() const;
};
template <> struct broadloom::lazy::is_borrowed<row> : std::true_type {
};

inline double fixed_memory[4];
inline std::vector<double> v(3);
inline const std::vector<double> constant(3);
inline const double fixed[3] = {1, 2, 3};
inline double plane[2][2];
inline const small::mdspan<double, square> view(fixed_memory, square());
inline const small::mdspan<const double, square> constant_view(fixed_memory, square());
inline const small::mdspan<double, square, small::layout_tiled> tiled;
inline const small::mdspan<double, square, small::layout_right, double> scaled;
inline bl::tensor x;
inline bl::context ctx;
inline const bl::operand one(1);
inline const bl::lazy::expr e(v);

#endif
