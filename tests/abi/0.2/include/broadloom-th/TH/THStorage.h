/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storages: reference-counted memory that tensors share.
 */
#ifndef TH_STORAGE_INC
#define TH_STORAGE_INC

#include "THAllocator.h"
#include "THHalf.h"

#define THStorage        TH_CONCAT_3(TH, Real, Storage)
#define THStorage_(NAME) TH_CONCAT_4(TH, Real, Storage_, NAME)

/* Flags of a storage. */
#define TH_STORAGE_REFCOUNTED 1
#define TH_STORAGE_RESIZABLE  2
#define TH_STORAGE_FREEMEM    4
#define TH_STORAGE_VIEW       8

/* The element at an index of a storage, unchecked. */
#define TH_STORAGE_GET(storage, index)        ((storage)->data[(index)])
#define TH_STORAGE_SET(storage, index, value) ((storage)->data[(index)] = (value))

#define TH_GENERIC_FILE "generic/THStorage.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THStorage.h"
#include "THGenerateHalfType.h"

#define TH_GENERIC_FILE "generic/THStorageCopy.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/THStorageCopy.h"
#include "THGenerateHalfType.h"

#include "THSize.h"

#endif
