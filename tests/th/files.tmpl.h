/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of one type written to a file and read back, in each form of the calls.
 */
#define FILE_AS(verb, form) TH_CONCAT_3(THFile_##verb, Real, form)

enum { TH_CONCAT_2(COUNT_, Real) = 3000 };

/* Element i of a list: rare ones first. */
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)

static real THStorage_(draw)(int i)
{
    static const real rare[] = {0, THInf, -THInf, (real)1 / 3, (real)5e-324};
    const real part = (real)(draw_bits() % 100000) / 3;

    if (i < 5)
        return rare[i];
    return (real)ldexp(i % 2 ? part : -part, (int)(draw_bits() % 60) - 30);
}

#elif defined(TH_REAL_IS_HALF)

static real THStorage_(draw)(int i)
{
    return TH_float2half((float)((int)(draw_bits() % 2000) - 1000 + i) / 7);
}

#else

static real THStorage_(draw)(int i)
{
    const uint64_t bits = draw_bits() << 32 ^ draw_bits();

    return (real)(i % 3 ? bits : bits % 200);
}

#endif

/* How many calls do not read what was written to a new file. */
static int THStorage_(roundTrip)(const struct manner *manner)
{
    const size_t count = TH_CONCAT_2(COUNT_, Real);
    THStorage *const out = THStorage_(newWithSize)((ptrdiff_t)count);
    THStorage *const in = THStorage_(newWithSize)((ptrdiff_t)count);
    THFile *const file = open_as(manner);
    const size_t before = THFile_position(file);
    int wrong = 0;
    real one;

    for (size_t i = 0; i < count; i++)
        out->data[i] = THStorage_(draw)((int)i);
    if (manner->long_size == 4 && strcmp(TH_STRING_(Real), "Long") == 0)
        narrow(out->data, count);
    FILE_AS(write, Scalar)(file, out->data[0]);
    wrong += FILE_AS(write, Raw)(file, out->data, count) != count;
    wrong += FILE_AS(write, )(file, out) != count;
    wrong += THFile_writeStringRaw(file, "end", 3) != 3;
    THFile_seek(file, before);
    one = FILE_AS(read, Scalar)(file);
    wrong += memcmp(&one, out->data, sizeof one) != 0;
    wrong += FILE_AS(read, Raw)(file, in->data, count) != count;
    wrong += memcmp(in->data, out->data, count * sizeof one) != 0;
    memset(in->data, 1, count * sizeof one);
    wrong += FILE_AS(read, )(file, in) != count;
    wrong += memcmp(in->data, out->data, count * sizeof one) != 0;
    wrong += !rest_is(file, "end");
    wrong += THFile_hasError(file);
    THFile_quiet(file);
    wrong += FILE_AS(read, Raw)(file, in->data, 1) != 0 || !THFile_hasError(file);
    THFile_clearError(file);
    wrong += FILE_AS(read, Raw)(file, in->data, 0) != 0 || THFile_hasError(file);
    THFile_free(file);
    THStorage_(free)(in);
    THStorage_(free)(out);
    return wrong;
}

static void THStorage_(checkRoundTrips)(void)
{
    for (int i = 0; i < MANNERS; i++) {
        const int wrong = THStorage_(roundTrip)(&manners[i]);

        tap_ok(wrong == 0, "%s %s", TH_STRING_(Real), manners[i].name);
    }
}

#undef FILE_AS
