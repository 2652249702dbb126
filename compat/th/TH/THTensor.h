/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors: views of storages.
 */
#ifndef TH_TENSOR_INC
#define TH_TENSOR_INC

#include "THRandom.h"
#include "THStorage.h"
#include "THTensorApply.h"

#define THTensor        TH_CONCAT_3(TH, Real, Tensor)
#define THTensor_(NAME) TH_CONCAT_4(TH, Real, Tensor_, NAME)

/* Flag of a tensor. */
#define TH_TENSOR_REFCOUNTED 1

#define TH_GENERIC_FILE "generic/THTensor.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THTensor.h"
#include "THGenerateHalfType.h"

#define TH_GENERIC_FILE "generic/THTensorCopy.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THTensorCopy.h"
#include "THGenerateHalfType.h"

#include "THTensorMacros.h"

#define TH_GENERIC_FILE "generic/THTensorMath.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THTensorConv.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THTensorReduce.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THTensorIndex.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THTensorRandom.h"
#include "THGenerateAllTypes.h"

#ifndef TH_NO_LEFT_OUT
#define TH_GENERIC_FILE "generic/THTensorSpecial.h"
#include "THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "generic/THTensorLapack.h"
#include "THGenerateFloatTypes.h"
#endif

#endif
