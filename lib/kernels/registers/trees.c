/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register machines with three banks, for one instruction set, whose instructions
 * configure.ac aligns.
 */
#include "config.h"

#include "kernels/registers/machines.h"

/* Registers of a bank, of three. */
#if BLI_WIDE == 64
#define BLI_BANK_OF_TREE BLI_BANK_8
#else
#define BLI_BANK_OF_TREE BLI_BANK_4
#endif

#define BLI_T        f32
#define BLI_COMPUTES 32
#define BLI_BANKS    3
#define BLI_BANK     BLI_BANK_OF_TREE
#define BLI_MACHINE  bli_tree_f32
#include "kernels/registers/machine.tmpl.h"
#define BLI_T        f64
#define BLI_COMPUTES 64
#define BLI_BANKS    3
#define BLI_BANK     BLI_BANK_OF_TREE
#define BLI_MACHINE  bli_tree_f64
#include "kernels/registers/machine.tmpl.h"

#if BLI_HAS_FEW
#define BLI_T        f32
#define BLI_COMPUTES 32
#define BLI_BANKS    3
#define BLI_BANK     BLI_BANK_2
#define BLI_MACHINE  bli_few_tree_f32
#include "kernels/registers/machine.tmpl.h"
#define BLI_T        f64
#define BLI_COMPUTES 64
#define BLI_BANKS    3
#define BLI_BANK     BLI_BANK_2
#define BLI_MACHINE  bli_few_tree_f64
#include "kernels/registers/machine.tmpl.h"
#endif
