/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Torch's TH on top of Broadloom: tensors that pair their elements in row-major order
 * whatever their shapes, on all cores, with reports of calls that would broadcast
 * today.
 */
#ifndef TH_INC
#define TH_INC

#include "THGeneral.h"

#include "THAllocator.h"
#include "THBlas.h"
#include "THDiskFile.h"
#include "THFile.h"
#include "THLapack.h"
#include "THLogAdd.h"
#include "THMath.h"
#include "THMemoryFile.h"
#include "THRandom.h"
#include "THStorage.h"
#include "THTensor.h"
#include "THTensorApply.h"
#include "THTensorDimApply.h"
#include "THTensorMacros.h"
#include "THVector.h"

#include "THCallSites.h"

#endif
