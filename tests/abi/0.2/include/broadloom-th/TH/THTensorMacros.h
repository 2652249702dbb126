/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unchecked access to elements: the tensor has that rank, and indices are in range.
 */
#ifndef TH_TENSOR_MACROS_INC
#define TH_TENSOR_MACROS_INC

/* The element at an offset from the first one. */
#define TH_FAST_(self, offset) ((self)->storage->data[(self)->storageOffset + (offset)])

#define TH_AT1_(self, i0)         ((i0) * (self)->stride[0])
#define TH_AT2_(self, i0, i1)     (TH_AT1_(self, i0) + (i1) * (self)->stride[1])
#define TH_AT3_(self, i0, i1, i2) (TH_AT2_(self, i0, i1) + (i2) * (self)->stride[2])
#define TH_AT4_(self, i0, i1, i2, i3)                                                  \
    (TH_AT3_(self, i0, i1, i2) + (i3) * (self)->stride[3])

#define THTensor_fastGet1d(self, i0)         TH_FAST_(self, TH_AT1_(self, i0))
#define THTensor_fastGet2d(self, i0, i1)     TH_FAST_(self, TH_AT2_(self, i0, i1))
#define THTensor_fastGet3d(self, i0, i1, i2) TH_FAST_(self, TH_AT3_(self, i0, i1, i2))
#define THTensor_fastGet4d(self, i0, i1, i2, i3)                                       \
    TH_FAST_(self, TH_AT4_(self, i0, i1, i2, i3))

#define THTensor_fastSet1d(self, i0, value) (THTensor_fastGet1d(self, i0) = (value))
#define THTensor_fastSet2d(self, i0, i1, value)                                        \
    (THTensor_fastGet2d(self, i0, i1) = (value))
#define THTensor_fastSet3d(self, i0, i1, i2, value)                                    \
    (THTensor_fastGet3d(self, i0, i1, i2) = (value))
#define THTensor_fastSet4d(self, i0, i1, i2, i3, value)                                \
    (THTensor_fastGet4d(self, i0, i1, i2, i3) = (value))

#endif
