/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's storages of each type, and what has no type: memory, errors, threads, extents,
 * half-precision numbers, logarithms.
 */
#include "th.h"

#include "th_storage.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "th_storage.tmpl.h"
#include "TH/THGenerateHalfType.h"

static int raised, refused, collected;

static void count_error(const char *message, void *data)
{
    raised += strncmp(message, data, strlen(data)) == 0;
}

static void count_argument(int number, const char *message, void *data)
{
    refused += number == 2 && strncmp(message, data, strlen(data)) == 0;
}

static void collect(void *data)
{
    collected += data == &collected;
}

static void check_errors(void)
{
    static char prefix[] = "wrong 5", failed[] = "Assertion `0' failed";

    THSetErrorHandler(count_error, prefix);
    THSetArgErrorHandler(count_argument, prefix);
    THError("wrong %d", 5);
    THArgCheck(1, 2, "wrong %d", 5);
    THArgCheck(0, 2, "wrong %d", 5);
    CHECK(raised == 1 && refused == 1);
    THSetErrorHandler(NULL, NULL);
    THSetArgErrorHandler(NULL, NULL);
    THSetDefaultErrorHandler(count_error, failed);
    THSetDefaultArgErrorHandler(count_argument, prefix);
    THAssert(0);
    THArgCheck(0, 2, "wrong %d", 5);
    CHECK(raised == 2 && refused == 2);
    THSetDefaultErrorHandler(NULL, NULL);
    THSetDefaultArgErrorHandler(NULL, NULL);
}

static void check_memory(void)
{
    char *memory = THAlloc(10);

    memory[9] = 7;
    memory = THRealloc(memory, 20);
    CHECK(memory[9] == 7);
    THFree(memory);
    THHeapUpdate(0);
    THSetGCHandler(collect, &collected);
    THFree(THAlloc(10));
    THSetGCHandler(NULL, NULL);
    CHECK(collected == 0);
}

static void check_threads(void)
{
    THSetNumThreads(2);
    CHECK(THGetNumThreads() == 2 && THGetNumCores() >= 1);
    THInferNumThreads();
}

static void check_extents(void)
{
    long extent[] = {2, 3};
    THLongStorage *const asked = THLongStorage_newWithSize2(2, -1);
    THLongStorage *const known = THLongStorage_newInferSize(asked, 6);

    CHECK(THSize_isSameSizeAs(extent, 2, known->data, known->size));
    CHECK(THSize_nElement(2, extent) == 6);
    CHECK(strcmp(_THSizeDesc(extent, 2).str, "[2 x 3]") == 0);
    CHECK(strcmp(THLongStorage_sizeDesc(known).str, "[2 x 3]") == 0);
    THLongStorage_free(known);
    THLongStorage_free(asked);
}

static void check_numbers(void)
{
    float number = 0.5f, again = 0;
    unsigned short bits = 0;

    CHECK(TH_half2float(TH_float2half(1.5f)) == 1.5f);
    TH_float2halfbits(&number, &bits);
    TH_halfbits2float(&bits, &again);
    CHECK(bits == 0x3800 && again == 0.5f);
    NEAR(THLogAdd(log(2), log(3)), log(5));
    NEAR(THLogSub(log(5), log(3)), log(2));
    NEAR(THExpMinusApprox(2), exp(-2));
    NEAR(THLog1p(2), log(3));
    NEAR(THLog2Pi, log(2 * M_PI));
    CHECK(THLogZero < -1e300 && THLogOne == 0);
}

int main(void)
{
    check_storage_Byte();
    check_storage_Char();
    check_storage_Short();
    check_storage_Int();
    check_storage_Long();
    check_storage_Float();
    check_storage_Double();
    check_storage_Half();
    check_errors();
    check_memory();
    check_threads();
    check_extents();
    check_numbers();
    return failures;
}
