/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between any strides and streamed copies of every instruction set, against one
 * byte at a time.  Operands end, or begin, where a page that cannot be touched does;
 * what lies between and around the elements of the result is compared too.
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "isa/kernel.h"
#include "tap.h"

enum { PAGE = 65536, ARENA = 24 * PAGE, SPARE = 64 };

/*
 * Where elements lie: steps in elements, from one to the next and from row to row, and
 * a number of bytes more. The numbers below are read as lengths.
 */
enum { INNER = 1000, OUTER, BEYOND, AROUND, FAR, FAR_INNER };
static const struct layout {
    const char *what;
    int64_t step, next, odd;
    bool is_repeated; /* for inputs only */
} layouts[] = {
    {"contiguous", 1, INNER, 0, false},
    {"rows apart", 1, BEYOND, 0, false},
    {"rows far apart", 1, FAR_INNER, 0, false},
    {"rows upwards", 1, -INNER, 0, false},
    {"transposed", OUTER, 1, 0, false},
    {"transposed with gaps", AROUND, 1, 0, false},
    {"transposed, columns backwards", AROUND, -1, 0, false},
    {"transposed upwards", -OUTER, 1, 0, false},
    {"columns far apart", FAR, 1, 0, false},
    {"backwards", -1, -INNER, 0, false},
    {"every second element", 2, 2 * INNER, 0, false},
    {"every third element", 3, 3 * INNER, 0, false},
    {"every fourth element", 4, 4 * INNER, 0, false},
    {"every seventh element, backwards", -7, BEYOND * 7, 0, false},
    {"at odd bytes", 1, INNER, 1, false},
    {"each repeated", 0, 1, 0, true},
    {"each repeated, with gaps", 0, 3, 0, true},
    {"one row repeated", 1, 0, 0, true},
    {"one strided row repeated", 3, 0, 0, true},
    {"one element", 0, 0, 0, true},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static const int64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 33, 64, 70, 150};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* Memory between two guards. */
static char *input, *got, *want;

static char *guarded(void)
{
    char *const memory =
        mmap(NULL, ARENA + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED ||
        mprotect(memory + PAGE, ARENA, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    return memory + PAGE;
}

/* A step in bytes. */
static int64_t bytes_of(int64_t step, int64_t odd, int64_t inner, int64_t outer,
                        int64_t size)
{
    const int64_t sign = step < 0 ? -1 : 1;
    const int64_t times = step * sign / INNER;
    const int64_t rest = step * sign % INNER;
    int64_t count = step * sign;

    if (times == 1 && rest < 6) {
        const int64_t far = 4096 / size;
        const int64_t named[] = {inner,     outer, inner + 3,
                                 outer + 5, far,   (inner + far - 1) / far * far};

        count = named[rest];
    } else if (times >= 1) {
        count = times * (inner + 3);
    }
    return sign * (count * size + (count != 0 ? odd * (times ? inner : 1) : 0));
}

/* One operand's steps, and how far it goes from element (0, 0). */
struct extent {
    int64_t step, next;
    int64_t low, high; /* bytes before it, and from it on */
};

static struct extent extent_of(const struct layout *layout, int64_t inner,
                               int64_t outer, int64_t size)
{
    struct extent e = {bytes_of(layout->step, layout->odd, inner, outer, size),
                       bytes_of(layout->next, layout->odd, inner, outer, size), 0,
                       size};
    const int64_t along = e.step * (inner - 1), across = e.next * (outer - 1);

    e.low -= (along < 0 ? along : 0) + (across < 0 ? across : 0);
    e.high += (along > 0 ? along : 0) + (across > 0 ? across : 0);
    return e;
}

/* Element (0, 0) of an operand at the beginning or the end of `memory`. */
static char *placed(char *memory, const struct extent *e, bool at_end)
{
    return at_end ? memory + ARENA - e->high : memory + e->low;
}

static bool moves(const struct bli_isa *isa, int32_t power, const struct layout *r,
                  const struct layout *a, int64_t inner, int64_t outer)
{
    const int64_t size = (int64_t)1 << power;
    const struct extent er = extent_of(r, inner, outer, size);
    const struct extent ea = extent_of(a, inner, outer, size);
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{er.step, ea.step},
                                                 {er.next, ea.next}};
    const int64_t bytes = er.low + er.high + SPARE;

    for (int32_t at_end = 0; at_end < 2; at_end++) {
        const char *const from = placed(input, &ea, at_end);
        char *const to = placed(want, &er, at_end);
        const int64_t begin = at_end ? ARENA - bytes : 0;
        char *const data[BLI_MAX_OPERANDS] = {placed(got, &er, at_end), (char *)from};

        memset(want + begin, 0xa5, (size_t)bytes);
        memset(got + begin, 0xa5, (size_t)bytes);
        for (int64_t i = 0; i < outer; i++)
            for (int64_t j = 0; j < inner; j++)
                for (int64_t k = 0; k < size; k++)
                    to[i * er.next + j * er.step + k] =
                        from[i * ea.next + j * ea.step + k];
        isa->move[power](data, stride, inner, outer, NULL);
        if (memcmp(want + begin, got + begin, (size_t)bytes) != 0) {
            tap_note("%s to %s, %" PRId64 " rows of %" PRId64 " of %" PRId64 " bytes",
                     a->what, r->what, outer, inner, size);
            return false;
        }
    }
    return true;
}

/* Whether the operand fits, and no element of a result is there twice. */
static bool is_usable(const struct layout *layout, bool is_result, int64_t inner,
                      int64_t outer, int64_t size)
{
    const struct extent e = extent_of(layout, inner, outer, size);

    return e.low + e.high + SPARE <= ARENA && !(is_result && layout->is_repeated);
}

static void test_layout(const struct bli_isa *isa, const struct layout *a)
{
    bool pass = true;

    for (int32_t power = 0; power < 5; power++)
        for (int32_t l = 0; l < LAYOUTS; l++)
            for (int32_t k = 0; k < LENGTHS * LENGTHS; k++) {
                const int64_t inner = lengths[k / LENGTHS],
                              outer = lengths[k % LENGTHS];

                if (is_usable(a, false, inner, outer, 1 << power) &&
                    is_usable(&layouts[l], true, inner, outer, 1 << power))
                    pass = pass && moves(isa, power, &layouts[l], a, inner, outer);
            }
    tap_ok(pass, "%s: input %s", isa->name, a->what);
}

/* Lengths that take the longest loops, none at all, and a result that is its input. */
static void test_limits(const struct bli_isa *isa)
{
    const int64_t dense[2][BLI_MAX_OPERANDS] = {{4, 4}, {40, 40}};
    char *const same[BLI_MAX_OPERANDS] = {input, input};
    char *const none[BLI_MAX_OPERANDS] = {NULL, NULL};
    bool pass = true;

    for (int32_t power = 0; power < 5; power++)
        for (int32_t l = 0; l < LAYOUTS; l++)
            pass &= layouts[l].next > INNER ||
                    !is_usable(&layouts[l], false, 5000, 1, 1 << power) ||
                    moves(isa, power, &layouts[0], &layouts[l], 5000, 1);
    tap_ok(pass, "%s: long rows", isa->name);
    memcpy(want, input, ARENA);
    for (int32_t power = 0; power < 5; power++) {
        isa->move[power](none, dense, 0, 3, NULL);
        isa->move[power](none, dense, 3, 0, NULL);
    }
    isa->move[2](same, dense, 10, 100, NULL);
    isa->move[2](same, dense, 7, 10, NULL);
    tap_ok(memcmp(want, input, ARENA) == 0, "%s: nothing, and in place", isa->name);
}

static void test_stream(const struct bli_isa *isa)
{
    bool pass = true;

    for (int64_t length = 0; length < 400; length += length < 140 ? 1 : 37)
        for (int64_t at = 0; at < 64; at += 1 + length % 3) {
            char *const to = got + ARENA - length - at;

            memset(got + ARENA - 600, 0xa5, 600);
            memset(want + ARENA - 600, 0xa5, 600);
            memcpy(want + (to - got), input + 7, (size_t)length);
            isa->stream(to, input + 7, length);
            isa->stream_fence();
            pass &= memcmp(want + ARENA - 600, got + ARENA - 600, 600) == 0;
        }
    tap_ok(pass, "%s: streamed copies", isa->name);
}

int main(void)
{
    uint64_t seed = 1;

    tap_plan();
    input = guarded();
    got = guarded();
    want = guarded();
    if (!tap_ok(input != NULL && got != NULL && want != NULL, "there is memory"))
        return tap_done();
    for (int64_t i = 0; i < ARENA; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        input[i] = (char)(seed >> 56);
    }
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++) {
        if (!bli_isa_all[k]->available()) {
            tap_skip("not on this machine", "%s", bli_isa_all[k]->name);
            continue;
        }
        for (int32_t l = 0; l < LAYOUTS; l++)
            test_layout(bli_isa_all[k], &layouts[l]);
        test_limits(bli_isa_all[k]);
        test_stream(bli_isa_all[k]);
    }
    return tap_done();
}
