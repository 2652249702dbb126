/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bli_pow_<dtype>: blocks of powers of integers modulo 2^bits, by squaring. All
 * elements of a piece take as many steps as its largest exponent needs, so that the
 * loops are vectorized. integer/arithmetic.h has powers of single elements.
 */
#ifndef BLI_POWER_H
#define BLI_POWER_H

#include <stdint.h>

#include "kernels/bits.h"

/* Elements that share the number of steps. */
#define BLI_POWER_PIECE 128

#define BLI_POWER_TYPE        uint8_t
#define BLI_POWER_BITS        uint8_t
#define BLI_POWER_IS_BELOW(x) 0
#define BLI_POWER_NAME(name)  bli_##name##_u8
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        int8_t
#define BLI_POWER_BITS        uint8_t
#define BLI_POWER_IS_BELOW(x) ((x) < 0)
#define BLI_POWER_NAME(name)  bli_##name##_i8
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        uint16_t
#define BLI_POWER_BITS        uint16_t
#define BLI_POWER_IS_BELOW(x) 0
#define BLI_POWER_NAME(name)  bli_##name##_u16
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        int16_t
#define BLI_POWER_BITS        uint16_t
#define BLI_POWER_IS_BELOW(x) ((x) < 0)
#define BLI_POWER_NAME(name)  bli_##name##_i16
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        uint32_t
#define BLI_POWER_BITS        uint32_t
#define BLI_POWER_IS_BELOW(x) 0
#define BLI_POWER_NAME(name)  bli_##name##_u32
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        int32_t
#define BLI_POWER_BITS        uint32_t
#define BLI_POWER_IS_BELOW(x) ((x) < 0)
#define BLI_POWER_NAME(name)  bli_##name##_i32
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        uint64_t
#define BLI_POWER_BITS        uint64_t
#define BLI_POWER_IS_BELOW(x) 0
#define BLI_POWER_NAME(name)  bli_##name##_u64
#include "kernels/integer/power.tmpl.h"

#define BLI_POWER_TYPE        int64_t
#define BLI_POWER_BITS        uint64_t
#define BLI_POWER_IS_BELOW(x) ((x) < 0)
#define BLI_POWER_NAME(name)  bli_##name##_i64
#include "kernels/integer/power.tmpl.h"

#endif
