/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: instructions.def for each bank d and those after it, with the other
 * macros of a row defined by BLI_BOTH and the machine that BLI_BANKS and BLI_COMPUTES
 * describe: 0 is all.
 */
#define BLI_NO_ROW(kind, name, form)
#if BLI_BANKS == 3
#define BLI_CHAIN BLI_NO_ROW
#else
#define BLI_CHAIN BLI_BOTH
#endif
#if BLI_BANKS == 1
#define BLI_TREE BLI_NO_ROW
#else
#define BLI_TREE BLI_BOTH
#endif
#if BLI_COMPUTES == 64
#define BLI_F32 BLI_NO_ROW
#else
#define BLI_F32 BLI_BOTH
#endif
#if BLI_COMPUTES == 32
#define BLI_F64 BLI_NO_ROW
#else
#define BLI_F64 BLI_BOTH
#endif
#if BLI_COMPUTES == 64
#define BLI_F32_TREE BLI_NO_ROW
#else
#define BLI_F32_TREE BLI_TREE
#endif

#define BLI_D a
#define BLI_X b
#define BLI_Y c
#include "kernels/registers/instructions.def"
#undef BLI_D
#undef BLI_X
#undef BLI_Y

#if BLI_BANKS != 1
#define BLI_D b
#define BLI_X c
#define BLI_Y a
#include "kernels/registers/instructions.def"
#undef BLI_D
#undef BLI_X
#undef BLI_Y

#define BLI_D c
#define BLI_X a
#define BLI_Y b
#include "kernels/registers/instructions.def"
#undef BLI_D
#undef BLI_X
#undef BLI_Y
#endif

#undef BLI_CHAIN
#undef BLI_TREE
#undef BLI_F32
#undef BLI_F64
#undef BLI_F32_TREE
#undef BLI_NO_ROW
#undef BLI_BOTH
