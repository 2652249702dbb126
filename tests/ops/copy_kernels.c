/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between any strides and non-temporal copies of every instruction set, against
 * a loop over elements.  Operands end, or begin, at an inaccessible page; the bytes
 * between and around the elements of the result are compared too.
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/kernel.h"
#include "harness/limits.h"
#include "harness/tap.h"

enum { PAGE = 65536, ARENA = 24 * PAGE, SPARE = 64 };

/*
 * Layouts of elements: strides in elements within a row and between rows, and
 * additional bytes.  The constants below stand for lengths.
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

/* Memory between two guard pages. */
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

/* A stride in bytes. */
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

/* One operand's strides, and its extent in bytes from element (0, 0). */
struct operand {
    const char *what;
    int64_t step, next;
    int64_t low, high; /* bytes before it, and from it on */
};

static struct operand operand_of(const char *what, int64_t step, int64_t next,
                                 int64_t inner, int64_t outer, int64_t size)
{
    const int64_t along = step * (inner - 1), across = next * (outer - 1);

    return (struct operand){what, step, next,
                            (along < 0 ? -along : 0) + (across < 0 ? -across : 0),
                            size + (along > 0 ? along : 0) + (across > 0 ? across : 0)};
}

static struct operand make_operand(const struct layout *layout, int64_t inner,
                                   int64_t outer, int64_t size)
{
    return operand_of(
        layout->what, bytes_of(layout->step, layout->odd, inner, outer, size),
        bytes_of(layout->next, layout->odd, inner, outer, size), inner, outer, size);
}

/* Address of element (0, 0) of an operand at the beginning or the end of `memory`. */
static char *placed(char *memory, const struct operand *o, bool at_end)
{
    return at_end ? memory + ARENA - o->high : memory + o->low;
}

static bool fits(const struct operand *o)
{
    return o->low + o->high + SPARE <= ARENA;
}

/*
 * Copy, with operands at the end of memory or at its beginning; whether the result is
 * right.
 */
static bool copies(const struct bli_isa *isa, int32_t power, const struct operand *r,
                   const struct operand *a, int64_t inner, int64_t outer, bool at_end)
{
    const size_t size = (size_t)1 << power;
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{r->step, a->step},
                                                 {r->next, a->next}};
    const size_t bytes = (size_t)(r->low + r->high + SPARE);
    const size_t begin = at_end ? ARENA - bytes : 0;
    char *const from = placed(input, a, at_end);
    char *const to = placed(want, r, at_end);
    char *const data[BLI_MAX_OPERANDS] = {placed(got, r, at_end), from};

    memset(want + begin, 0xa5, bytes);
    memset(got + begin, 0xa5, bytes);
    for (int64_t i = 0; i < outer; i++)
        for (int64_t j = 0; j < inner; j++)
            memcpy(to + i * r->next + j * r->step, from + i * a->next + j * a->step,
                   size);
    bli_kernel_run(isa->move[power], data, stride, inner, outer, NULL);
    if (memcmp(want + begin, got + begin, bytes) == 0)
        return true;
    tap_note("%s to %s, %" PRId64 " rows of %" PRId64 " of %zu bytes", a->what, r->what,
             outer, inner, size);
    return false;
}

static bool copies_between(const struct bli_isa *isa, int32_t power,
                           const struct layout *to, const struct layout *from,
                           int64_t inner, int64_t outer, bool at_end)
{
    const struct operand r = make_operand(to, inner, outer, (int64_t)1 << power);
    const struct operand a = make_operand(from, inner, outer, (int64_t)1 << power);

    return to->is_repeated || !fits(&r) || !fits(&a) ||
           copies(isa, power, &r, &a, inner, outer, at_end);
}

static void test_layout(const struct bli_isa *isa, const struct layout *a)
{
    bool pass = true;

    for (int32_t power = 0; power < 5; power++)
        for (int32_t l = 0; l < LAYOUTS; l++)
            for (int32_t k = 0; k < LENGTHS * LENGTHS; k++)
                pass = pass &&
                       copies_between(isa, power, &layouts[l], a, lengths[k / LENGTHS],
                                      lengths[k % LENGTHS], (k + l) % 2 != 0);
    tap_ok(pass, "%s: input %s", isa->name, a->what);
}

/* A random number from 0 to `most`. */
static int64_t random_number(int64_t most)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)(most + 1));
}

/* Random strides of an input; those of a result do not overlap. */
static void test_random(const struct bli_isa *isa)
{
    bool pass = true;

    for (int32_t k = 0; k < 4000; k++) {
        const int32_t power = (int32_t)random_number(4);
        const int64_t size = (int64_t)1 << power;
        const int64_t length[] = {1 + random_number(70), 1 + random_number(70)};
        const int32_t first = (int32_t)random_number(1);
        int64_t step[2];

        step[first] = size + random_number(3) * random_number(20);
        step[1 - first] = step[first] * length[first] + random_number(99);
        for (int32_t l = 0; l < 2; l++)
            step[l] = random_number(3) == 0 ? -step[l] : step[l];

        const struct operand r =
            operand_of("any", step[0], step[1], length[0], length[1], size);
        const struct operand a =
            operand_of("any", random_number(200) - 100, random_number(6000) - 3000,
                       length[0], length[1], size);

        pass = pass && copies(isa, power, &r, &a, length[0], length[1], k % 2 != 0);
    }
    tap_ok(pass, "%s: random steps", isa->name);
}

/* Lengths that reach the longest loops, none at all, and a result that is its input. */
static void test_limits(const struct bli_isa *isa)
{
    const int64_t dense[2][BLI_MAX_OPERANDS] = {{4, 4}, {40, 40}};
    char *const same[BLI_MAX_OPERANDS] = {input, input};
    char *const none[BLI_MAX_OPERANDS] = {NULL, NULL};
    bool pass = true;

    for (int32_t power = 0; power < 5; power++)
        for (int32_t l = 0; l < LAYOUTS; l++)
            pass = pass && copies_between(isa, power, &layouts[0], &layouts[l], 5000, 1,
                                          l % 2 != 0);
    tap_ok(pass, "%s: long rows", isa->name);
    memcpy(want, input, ARENA);
    for (int32_t power = 0; power < 5; power++) {
        bli_kernel_run(isa->move[power], none, dense, 0, 3, NULL);
        bli_kernel_run(isa->move[power], none, dense, 3, 0, NULL);
    }
    bli_kernel_run(isa->move[2], same, dense, 10, 100, NULL);
    bli_kernel_run(isa->move[2], same, dense, 7, 10, NULL);
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
    tap_plan();
    input = guarded();
    got = guarded();
    want = guarded();
    if (!tap_ok(input != NULL && got != NULL && want != NULL, "there is memory"))
        return tap_done();
    for (int64_t i = 0; i < ARENA; i++)
        input[i] = (char)random_number(255);
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++) {
        if (!bli_isa_all[k]->available()) {
            tap_skip("not on this machine", "%s", bli_isa_all[k]->name);
            continue;
        }
        for (int32_t l = 0; l < LAYOUTS; l++)
            test_layout(bli_isa_all[k], &layouts[l]);
        test_random(bli_isa_all[k]);
        test_limits(bli_isa_all[k]);
        test_stream(bli_isa_all[k]);
    }
    limits_one_thread();
    return tap_done();
}
