/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadloom for C++17: a layer over <broadloom.h> in headers alone, in namespace
 * broadloom.  Programs are linked as C programs are, with -lbroadloom.
 *
 *     #include <broadloom/broadloom.hpp>
 *
 *     namespace bl = broadloom;
 *     std::vector<double> table(rows * columns), mean(columns);
 *     const auto x = bl::view(table.data(), rows, columns);   // or a std::mdspan
 *
 *     bl::mean_out(mean, x, 0);                       // into the program's memory
 *     bl::sub_inplace(x, mean);
 *     const bl::tensor y = bl::exp(x) / 2.0;          // new tensors
 *
 * Names.  bl_add_out() is broadloom::add_out(), bl_tensor_zeros() is tensor::zeros(),
 * bl_context_set_threads() is context::set_threads().  A function does what the C
 * function of its name does: shapes, dtypes, overlap, errors and threads are in the C
 * headers.  Arguments are in the same order, with the context last, where it may be
 * left out, and so may those before it that have defaults: sum(x, ctx).  What is not
 * here is reached through the C functions: get() of a context, a tensor and an operand
 * is what they take.
 *
 * Operands (operand.hpp).  Calls take operands: tensors, mdspans of any library, views
 * of pointers (view.hpp), vectors, spans, C arrays, lists and numbers, without a copy.
 * Results are memory with elements that are not const, or the call does not compile.
 *
 * Tensors (tensor.hpp).  A tensor is a shared handle: copies and views share elements,
 * the last one frees them.  Expressions are computed at once, one call for an operator:
 * there are no expression templates, so `auto` holds a tensor.
 *
 * Lazy expressions (lazy.hpp, lazy_eval.hpp, lazy_plan.hpp).  lazy::expr(x) - mean
 * computes nothing; assigned to a tensor, or by eval(), all of it is computed by one
 * call.
 *
 * Errors (error.hpp).  A refused call throws broadloom::error, which is a
 * std::system_error and names the call and its arguments; where memory is short,
 * std::bad_alloc.  With a std::error_code as its last argument a call sets that instead
 * and throws nothing.  Compiled with -fno-exceptions there is the latter alone. Nothing
 * is written by a call that is refused.
 *
 * Contexts (context.hpp).  add(a, b, ctx), add(a, b, ec), add(a, b, {ctx, ec}).
 *
 * Threads.  Calls may be made by any number of threads on distinct results; a tensor
 * object is used by one thread at a time, as any object, while others have copies.
 *
 * <broadloom/io.hpp> prints tensors to a std::ostream.
 */
#ifndef BROADLOOM_HPP
#define BROADLOOM_HPP

#include <broadloom/cxx/arithmetic.hpp>
#include <broadloom/cxx/calls.hpp>
#include <broadloom/cxx/context.hpp>
#include <broadloom/cxx/error.hpp>
#include <broadloom/cxx/lazy.hpp>
#include <broadloom/cxx/lazy_eval.hpp>
#include <broadloom/cxx/lazy_operators.hpp>
#include <broadloom/cxx/lazy_plan.hpp>
#include <broadloom/cxx/operand.hpp>
#include <broadloom/cxx/operators.hpp>
#include <broadloom/cxx/reductions.hpp>
#include <broadloom/cxx/tensor.hpp>
#include <broadloom/cxx/view.hpp>

#endif
