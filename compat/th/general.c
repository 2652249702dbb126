/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory, threads, half-precision numbers, lists of extents and logarithms.
 */
#include "core.h"

#include <omp.h>
#include <unistd.h>

/* ---- memory ---- */

/* Larger blocks are aligned to a cache line of L1, as in TH. */
enum { ALIGNMENT = 64, ALIGNED_FROM = 5120 };

static _Thread_local void (*collect_garbage)(void *data);
static _Thread_local void *garbage;

void THSetGCHandler(void (*collect)(void *data), void *data)
{
    collect_garbage = collect;
    garbage = data;
}

void THHeapUpdate(ptrdiff_t size)
{
    (void)size;
}

/* Allocate `size` bytes; NULL without memory. */
static void *allocate(size_t size)
{
    void *memory = NULL;

    if (size <= ALIGNED_FROM)
        return malloc(size);
    return posix_memalign(&memory, ALIGNMENT, size) == 0 ? memory : NULL;
}

void *THAlloc(ptrdiff_t size)
{
    void *memory;

    if (size < 0) {
        THError("$ Torch: invalid memory size -- maybe an overflow?");
        return NULL;
    }
    if (size == 0)
        return NULL;
    memory = allocate((size_t)size);
    if (!memory && collect_garbage) {
        collect_garbage(garbage);
        memory = allocate((size_t)size);
    }
    if (!memory)
        THError("$ Torch: not enough memory: you tried to allocate %dGB. Buy new RAM!",
                (int)(size / 1073741824));
    return memory;
}

void *THRealloc(void *ptr, ptrdiff_t size)
{
    void *memory;

    if (!ptr)
        return THAlloc(size);
    if (size == 0) {
        THFree(ptr);
        return NULL;
    }
    if (size < 0) {
        THError("$ Torch: invalid memory size -- maybe an overflow?");
        return NULL;
    }
    memory = realloc(ptr, (size_t)size);
    if (!memory && collect_garbage) {
        collect_garbage(garbage);
        memory = realloc(ptr, (size_t)size);
    }
    if (!memory)
        THError(
            "$ Torch: not enough memory: you tried to reallocate %dGB. Buy new RAM!",
            (int)(size / 1073741824));
    return memory;
}

void THFree(void *ptr)
{
    free(ptr);
}

static void *default_malloc(void *context, ptrdiff_t size)
{
    (void)context;
    return THAlloc(size);
}

static void *default_realloc(void *context, void *memory, ptrdiff_t size)
{
    (void)context;
    return THRealloc(memory, size);
}

static void default_free(void *context, void *memory)
{
    (void)context;
    THFree(memory);
}

THAllocator THDefaultAllocator = {default_malloc, default_realloc, default_free};

/* ---- threads ---- */

void THSetNumThreads(int num_threads)
{
    if (num_threads > 0)
        th_check(bl_context_set_threads(th_context(), num_threads));
}

int THGetNumThreads(void)
{
    const int32_t threads = bl_context_threads(th_context());

    return threads > 0 ? threads : omp_get_max_threads();
}

/* Does nothing: each call determines its number of threads. */
void THInferNumThreads(void)
{
}

int THGetNumCores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores > 0 ? (int)cores : 1;
}

/* ---- half-precision numbers ---- */

/* Convert one scalar between dtypes. */
static void convert(bl_dtype from, void *number, bl_dtype to, void *result)
{
    const bl_array in = {number, from, 0, NULL, NULL, 0};
    const bl_array out = {result, to, 0, NULL, NULL, 0};

    th_check(bl_copy_out(NULL, &out, &in));
}

THHalf TH_float2half(float value)
{
    THHalf half;

    convert(BL_DTYPE_F32, &value, BL_DTYPE_F16, &half.x);
    return half;
}

float TH_half2float(THHalf value)
{
    float number;

    convert(BL_DTYPE_F16, &value.x, BL_DTYPE_F32, &number);
    return number;
}

void TH_float2halfbits(float *value, unsigned short *bits)
{
    *bits = TH_float2half(*value).x;
}

void TH_halfbits2float(unsigned short *bits, float *value)
{
    const THHalf half = {*bits};

    *value = TH_half2float(half);
}

/* ---- extents ---- */

int THSize_isSameSizeAs(const long *sizeA, long dimsA, const long *sizeB, long dimsB)
{
    if (dimsA != dimsB)
        return 0;
    for (long d = 0; d < dimsA; d++)
        if (sizeA[d] != sizeB[d])
            return 0;
    return 1;
}

ptrdiff_t THSize_nElement(long dims, long *size)
{
    return THApplyCount_((int)dims, size);
}

THDescBuff _THSizeDesc(const long *size, const long ndim)
{
    THDescBuff text;

    th_describe((int)ndim, size, " x ", text.str, sizeof text.str);
    return text;
}

THDescBuff THLongStorage_sizeDesc(const THLongStorage *size)
{
    return _THSizeDesc(size->data, size->size);
}

/*
 * The product of all extents except one of -1, whose index is `*unknown` (-1 if there
 * is none).  An error for more than one.
 */
static ptrdiff_t multiply_known(const THLongStorage *size, ptrdiff_t *unknown)
{
    ptrdiff_t product = size->size > 0;

    *unknown = -1;
    for (ptrdiff_t d = 0; d < size->size; d++) {
        if (size->data[d] != -1) {
            product *= size->data[d];
            continue;
        }
        THArgCheck(*unknown == -1, 1, "only one dimension can be inferred");
        *unknown = d;
    }
    return product;
}

THLongStorage *THLongStorage_newInferSize(THLongStorage *size, ptrdiff_t nElement)
{
    ptrdiff_t unknown;
    const ptrdiff_t product = multiply_known(size, &unknown);
    THLongStorage *known;

    THArgCheck(unknown < 0 ? nElement == product
                           : product > 0 && nElement % product == 0,
               2, "size '%s' is invalid for input with %td elements",
               THLongStorage_sizeDesc(size).str, nElement);
    known = THLongStorage_newWithSize(size->size);
    THLongStorage_copy(known, size);
    if (unknown >= 0)
        known->data[unknown] = (long)(nElement / product);
    return known;
}

/* ---- logarithms ---- */

const double THLog2Pi = 1.83787706640934548355;
const double THLogZero = -DBL_MAX;
const double THLogOne = 0;

/* Below this difference of logarithms, exp() of it does not change a sum. */
#define LOG_MINIMUM (-39.14)

double THLogAdd(double log_a, double log_b)
{
    const double larger = THMax(log_a, log_b);
    const double difference = THMin(log_a, log_b) - larger;

    return difference < LOG_MINIMUM ? larger : larger + log1p(exp(difference));
}

double THLogSub(double log_a, double log_b)
{
    const double difference = log_b - log_a;

    if (log_a < log_b)
        THError("LogSub: log_a (%f) should be greater than log_b (%f)", log_a, log_b);
    if (difference == 0 || log_a == THLogZero)
        return THLogZero;
    return difference < LOG_MINIMUM ? log_a : log_a + log1p(-exp(difference));
}

double THExpMinusApprox(const double x)
{
    return exp(-x);
}

double THLog1p(const double x)
{
    return log1p(x);
}
