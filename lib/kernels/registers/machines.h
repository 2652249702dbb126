/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register machines of an instruction set: those with one bank are in machines.c,
 * those with three in trees.c, and this is what both are made of.
 */
#ifndef BLI_REGISTER_MACHINES_H
#define BLI_REGISTER_MACHINES_H

/*
 * GCC would let instructions that end alike share a jump, which is then mispredicted;
 * and load the last register of a bank first, where 512 bits of several streams that
 * come from memory take 1.25 times as long.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-crossjumping", "no-schedule-insns2")
#endif

#include "kernels/expand.h"
#include "kernels/copy/non_temporal.h"
#include "kernels/registers/bytes.h"
#include "kernels/registers/program.h"

#define BLI_T    f32
#define BLI_BITS 32
#include "kernels/registers/vectors.tmpl.h"
#define BLI_T    f64
#define BLI_BITS 64
#include "kernels/registers/vectors.tmpl.h"

#include "kernels/registers/number_lanes.h"
#include "kernels/registers/half_lanes.h"
#include "kernels/registers/fold_lanes.h"
#include "kernels/registers/machine.h"

/* Runs what `run` says, or with `prepares` only finds its instructions' addresses. */
typedef void run_machine(struct run *run, char *const *data,
                         struct bli_program *prepares);

#define bli_chain_f32     BLI_OF_ISA(bli_chain_f32)
#define bli_chain_f64     BLI_OF_ISA(bli_chain_f64)
#define bli_tree_f32      BLI_OF_ISA(bli_tree_f32)
#define bli_tree_f64      BLI_OF_ISA(bli_tree_f64)
#define bli_few_chain_f32 BLI_OF_ISA(bli_few_chain_f32)
#define bli_few_chain_f64 BLI_OF_ISA(bli_few_chain_f64)
#define bli_few_tree_f32  BLI_OF_ISA(bli_few_tree_f32)
#define bli_few_tree_f64  BLI_OF_ISA(bli_few_tree_f64)

/*
 * With one bank, and with three; for few elements with two registers of 256 bits a
 * bank, which instruction sets with 512 bits use, too.
 */
run_machine bli_chain_f32, bli_chain_f64, bli_tree_f32, bli_tree_f64;
run_machine bli_few_chain_f32, bli_few_chain_f64, bli_few_tree_f32, bli_few_tree_f64;
#define BLI_HAS_FEW (BLI_WIDE == 32)

#endif
