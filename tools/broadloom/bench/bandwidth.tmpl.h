/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The four loops of bandwidth.c, for one width of loads and stores.
 *
 *   BLOCK                a type of one load or store
 *   NAME(f)              the name of function f
 *   TARGET               what the functions are compiled for
 *   LOAD STORE PLUS      of a BLOCK
 *   FINISH               after the last STORE: other threads see what was stored
 *
 * `count` is a multiple of LINE floats.
 */
enum { NAME(STEP) = sizeof(BLOCK) / sizeof(float) };

TARGET static void NAME(fill)(float *out, const float *a, const float *b, int64_t count)
{
    const BLOCK value = PLUS(LOAD(a), LOAD(b));

    for (int64_t i = 0; i < count; i += NAME(STEP))
        STORE(out + i, value);
    FINISH;
}

TARGET static void NAME(copy)(float *out, const float *a, const float *b, int64_t count)
{
    (void)b;
    for (int64_t i = 0; i < count; i += NAME(STEP))
        STORE(out + i, LOAD(a + i));
    FINISH;
}

TARGET static void NAME(add)(float *out, const float *a, const float *b, int64_t count)
{
    for (int64_t i = 0; i < count; i += NAME(STEP))
        STORE(out + i, PLUS(LOAD(a + i), LOAD(b + i)));
    FINISH;
}

/*
 * Sum `a` with four independent accumulators; their sum is stored at the start of
 * `out`.
 */
TARGET static void NAME(read)(float *out, const float *a, const float *b, int64_t count)
{
    enum { K = NAME(STEP) };
    BLOCK s = LOAD(a), t = s, u = s, v = s;

    (void)b;
    for (int64_t i = 0; i < count; i += 4 * K) {
        s = PLUS(s, LOAD(a + i));
        t = PLUS(t, LOAD(a + i + K));
        u = PLUS(u, LOAD(a + i + 2 * K));
        v = PLUS(v, LOAD(a + i + 3 * K));
    }
    STORE(out, PLUS(PLUS(s, t), PLUS(u, v)));
    FINISH;
}

static const struct mix NAME(mixes)[LIMITS] = {
    {"fill", NAME(fill), 1},
    {"copy", NAME(copy), 2},
    {"add", NAME(add), 3},
    {"read", NAME(read), 1},
};

#undef BLOCK
#undef NAME
#undef TARGET
#undef LOAD
#undef STORE
#undef PLUS
#undef FINISH
