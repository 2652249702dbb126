/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of one type in files.
 */
#define THFile_(verb)          TH_CONCAT_2(THFile_##verb, Real)
#define THFile_as_(verb, form) TH_CONCAT_3(THFile_##verb, Real, form)

#if defined(TH_REAL_IS_BYTE) || defined(TH_REAL_IS_CHAR)

static const struct th_element THFile_as_(of, Elements) = {.size = sizeof(real)};

#else

/* Halves are printed and scanned as floats. */
#if defined(TH_REAL_IS_HALF)
typedef float THFile_(text);
#define TH_TO_TEXT(value)   TH_half2float(value)
#define TH_FROM_TEXT(value) TH_float2half(value)
#else
typedef real THFile_(text);
#define TH_TO_TEXT(value)   (value)
#define TH_FROM_TEXT(value) (value)
#endif

static int THFile_(print)(char *text, size_t size, const void *element)
{
    return snprintf(text, size, TH_CONCAT_2(TH_PRINT_, Real),
                    TH_TO_TEXT(*(const real *)element));
}

static bool THFile_(scan)(THFile *self, void *element)
{
    THFile_(text) value;

    if (!self->kind->scan(self, TH_CONCAT_2(TH_SCAN_, Real), &value))
        return false;
    *(real *)element = TH_FROM_TEXT(value);
    return true;
}

static const struct th_element THFile_as_(of, Elements) = {.size = sizeof(real),
#if defined(TH_REAL_IS_LONG)
                                                           .is_long = true,
#endif
                                                           .print = THFile_(print),
                                                           .scan = THFile_(scan)};

#undef TH_TO_TEXT
#undef TH_FROM_TEXT

#endif

size_t THFile_as_(read, Raw)(THFile *self, real *data, size_t n)
{
    return read_elements(self, &THFile_as_(of, Elements), data, n);
}

/* Write `n` elements for the function that calls this. */
#define TH_WRITE(data, n)                                                              \
    const int64_t count = (int64_t)(n), one = 1;                                       \
    const bl_array saved = {data, TH_DTYPE, 1, &count, &one, 0};                       \
                                                                                       \
    TH_READ(BL_SHADOW_SAVE, &saved);                                                   \
    return write_elements(self, &THFile_as_(of, Elements), data, n)

size_t THFile_as_(write, Raw)(THFile *self, real *data, size_t n)
{
    TH_WRITE(data, n);
}

size_t THFile_(read)(THFile *self, THStorage *storage)
{
    return read_elements(self, &THFile_as_(of, Elements), storage->data,
                         (size_t)storage->size);
}

size_t THFile_(write)(THFile *self, THStorage *storage)
{
    TH_WRITE(storage->data, (size_t)storage->size);
}

real THFile_as_(read, Scalar)(THFile *self)
{
    real scalar;

    memset(&scalar, 0, sizeof scalar);
    read_elements(self, &THFile_as_(of, Elements), &scalar, 1);
    return scalar;
}

void THFile_as_(write, Scalar)(THFile *self, real scalar)
{
    write_elements(self, &THFile_as_(of, Elements), &scalar, 1);
}

#undef TH_WRITE
#undef THFile_
#undef THFile_as_
