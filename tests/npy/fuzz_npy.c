/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target for reading NPY files.  For any file, loading and mapping agree, request
 * no more memory than the file justifies, and release it; loaded data is unchanged
 * after it is saved and loaded again.
 *
 *   fuzz_npy.t               20,000 mutations of the built-in corpus, always the same
 *   fuzz_npy.t FILE...       replay files
 *
 * With -DFUZZ_ENGINE there is no main: clang -fsanitize=fuzzer supplies one.  Give
 * it absolute paths, since the target works in a private folder.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct meter meter;
static bl_context *ctx;
static long loaded; /* inputs that were valid files */

/*
 * End the program unless `holds`; the input remains in the test's folder as input.npy.
 */
static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_npy: %s; status text: %s\n", what, bl_error_message());
    abort();
}

static void leave(void)
{
    bl_context_destroy(ctx);
    folder_leave();
}

static void check_loaded(const bl_tensor *tensor, const bl_tensor *map)
{
    const bl_array *const array = bl_tensor_array(tensor);
    bl_tensor *again = NULL;

    loaded++;
    must(!map || arrays_equal(array, bl_tensor_array(map)), "the mapping differs");
    must(bl_npy_save(ctx, "again.npy", array) == BL_OK, "it cannot be saved");
    must(bl_npy_load(ctx, "again.npy", &again) == BL_OK,
         "what was saved does not load");
    must(arrays_equal(array, bl_tensor_array(again)), "it came back as another");
    bl_tensor_release(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bl_tensor *tensor = NULL;
    bl_tensor *map = NULL;

    if (!ctx) {
        ctx = meter_context(&meter);
        folder_enter();
        atexit(leave);
    }
    file_write("input.npy", data, size);
    meter.largest = 0;
    errno = EDOM;
    const bl_status status = bl_npy_load(ctx, "input.npy", &tensor);
    const bl_status mapped = bl_npy_map(ctx, "input.npy", &map);
    must(errno == EDOM, "errno changed");
    /* The allowance covers a handle: up to about 1100 bytes with 64 dimensions. */
    must(meter.largest <= size + 2048, "more memory than the file accounts for");
    must((status == BL_OK) == (tensor != NULL), "a result without success");
    must((mapped == BL_OK) == (map != NULL), "a mapping without success");
    must(status == BL_OK || status == BL_ERR_FORMAT || status == BL_ERR_UNSUPPORTED,
         "a status that a file cannot cause");
    must(mapped == status || (status == BL_OK && mapped == BL_ERR_UNSUPPORTED),
         "loading and mapping disagree");
    if (tensor)
        check_loaded(tensor, map);
    bl_tensor_release(tensor);
    bl_tensor_release(map);
    must(meter.held == 0, "memory is held");
    return 0;
}

#ifndef FUZZ_ENGINE

enum { ROOM = 4096 };

struct input {
    size_t size;
    unsigned char bytes[ROOM + 64];
};

/* The inputs that mutations start from, each with 64 bytes of elements. */
static const struct {
    int version;
    const char *text;
} corpus[] = {
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"},
    {1, "{'descr': '>c8', 'fortran_order': True, 'shape': (2, 1, 3), }"},
    {1, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }"},
    {2, "{'shape': (0, 7L), \"descr\": \"<i8\", 'fortran_order': True}"},
    {3, "{'descr': '=u2', 'fortran_order': False, 'shape': (9223372036854775807,), }"},
    {1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 1, 1, 1), }"},
};

enum { CORPUS = sizeof corpus / sizeof corpus[0] };

/* Tokens of the format, and numbers at its limits. */
static const char *const pieces[] = {
    "'",
    "\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    ",",
    ":",
    "0",
    "1",
    "2",
    "-1",
    "L",
    "True",
    "False",
    "'<f8'",
    "'|u1'",
    "'shape'",
    "(1,)",
    "()",
    " ",
    "\n",
    "\\",
    "1, 1, 1, ",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "\xff",
    "'descr': '<i4', ",
};

/* A SplitMix64 sequence: the same numbers everywhere. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t end)
{
    return end ? (size_t)(next(state) % end) : 0;
}

/* Replace `old` bytes at `at` by others, if they fit. */
static void splice(struct input *input, size_t at, size_t old, const void *with,
                   size_t size)
{
    if (at + old > input->size || input->size - old + size > ROOM)
        return;
    memmove(input->bytes + at + size, input->bytes + at + old, input->size - at - old);
    memcpy(input->bytes + at, with, size);
    input->size += size - old;
}

/* Correct the length in the prefix, so that the text is parsed. */
static void mend_length(struct input *input)
{
    const size_t prefix = input->size > 6 && input->bytes[6] == 1 ? 10 : 12;

    if (input->size < prefix + 64)
        return;
    size_t length = input->size - prefix - 64;
    for (size_t k = 8; k < prefix; k++, length >>= 8)
        input->bytes[k] = (unsigned char)(length & 0xff);
}

static void mutate(struct input *input, uint64_t *state)
{
    const size_t at = below(state, input->size);
    const size_t from = below(state, input->size);
    const char *const piece = pieces[below(state, sizeof pieces / sizeof pieces[0])];
    unsigned char copy[64];

    switch (below(state, 8)) {
    case 0:
        if (at < input->size)
            input->bytes[at] ^= (unsigned char)(1u << below(state, 8));
        break;
    case 1:
        splice(input, at, 0, piece, strlen(piece));
        break;
    case 2:
        splice(input, at, strlen(piece), piece, strlen(piece));
        break;
    case 3:
        splice(input, at, 1 + below(state, 8), "", 0);
        break;
    case 4:
        memcpy(copy, input->bytes + from,
               sizeof copy); /* past the end: bytes of the previous input */
        splice(input, at, 0, copy, below(state, sizeof copy));
        break;
    case 5:
        input->size = at;
        break;
    default: /* in the text, which most of the code parses */
        splice(input, 10 + below(state, 60), below(state, 2), piece, strlen(piece));
    }
    if (below(state, 4) != 0)
        mend_length(input);
}

static void mutate_corpus(void)
{
    const uint64_t seed = 20220101;
    uint64_t state = seed;
    static struct input input;

    for (int k = 0; k < 20000; k++) {
        const size_t pick = (size_t)k % CORPUS;
        input.size =
            npy_header_make(input.bytes, corpus[pick].version, corpus[pick].text);
        for (int e = 0; e < 64; e++)
            input.bytes[input.size++] = (unsigned char)(e * 7);
        for (size_t m = below(&state, 4); m > 0; m--)
            mutate(&input, &state);
        LLVMFuzzerTestOneInput(input.bytes, input.size);
    }
    tap_ok(true, "20,000 mutations");
    tap_note("seed %" PRIu64 "; %ld were good files", seed, loaded);
    tap_ok(loaded > 1000 && loaded < 19000, "some were good files, most were not");
}

static void replay(const char *path)
{
    static unsigned char bytes[1 << 22];
    const long size = path ? file_read(path, bytes, sizeof bytes) : -1;

    if (tap_ok(size >= 0, "%s is read", path ? path : "a file that is not there")) {
        LLVMFuzzerTestOneInput(bytes, (size_t)size);
        tap_ok(true, "%s", path);
    }
}

int main(int argc, char **argv)
{
    tap_plan();
    if (argc < 2)
        mutate_corpus();
    /*
     * The first input changes the current folder, so relative paths are resolved
     * before.
     */
    for (int k = 1; k < argc; k++)
        argv[k] = realpath(argv[k], NULL);
    for (int k = 1; k < argc; k++) {
        replay(argv[k]);
        free(argv[k]);
    }
    return tap_done();
}

#endif
