/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH_WIDE, the type in which products and sums of the template's type are computed, so
 * that integers wrap.
 */
#undef TH_WIDE
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_WIDE real
#else
#define TH_WIDE uint64_t
#endif
