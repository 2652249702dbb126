/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables of an expression and their files.
 */
#define _POSIX_C_SOURCE 200809L

#include "variables.h"
#include "dataset.h"
#include "extra_calls.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether the text is a name: a letter or _, then letters, digits and _. */
static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}

/* Read one argument as variable number variables->count. */
static bl_status read_word(const char *word, struct variables *variables)
{
    const char *equals = strchr(word, '=');
    char *name;

    if (!equals || equals[1] == '\0')
        return bl_error_set(BL_ERR_ARGUMENT, "expected NAME=FILE, got '%.200s'", word);
    name = malloc((size_t)(equals - word) + 1);
    if (!name)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a name");
    memcpy(name, word, (size_t)(equals - word));
    name[equals - word] = '\0';
    variables->name[variables->count] = name;
    variables->file[variables->count] = equals + 1;
    variables->count++;
    if (!is_name(name))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "'%.60s' is no name: a letter or _, then "
                            "letters, digits and _",
                            name);
    for (int k = 0; k + 1 < variables->count; k++)
        if (strcmp(variables->name[k], name) == 0)
            return bl_error_set(BL_ERR_ARGUMENT, "'%.60s' is given twice", name);
    return BL_OK;
}

bl_status variables_read(int count, char *const *word, struct variables *out)
{
    const size_t room = (size_t)count + 1;

    *out = (struct variables){.name = calloc(room, sizeof *out->name),
                              .file = calloc(room, sizeof *out->file),
                              .tensor = calloc(room, sizeof *out->tensor),
                              .is_mapped = calloc(room, sizeof *out->is_mapped)};
    if (!out->name || !out->file || !out->tensor || !out->is_mapped)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the names");
    for (int k = 0; k < count; k++)
        TRY(read_word(word[k], out));
    return BL_OK;
}

/*
 * Whether the file is a pipe or the like: it cannot be mapped, and a failed attempt
 * would lose what it has read.
 */
static bool can_only_be_read(const char *file)
{
    struct stat about;

    return stat(file, &about) == 0 && !S_ISREG(about.st_mode);
}

bool dataset_is_named(const char *text)
{
    struct stat about;

    return strstr(text, ":/") && stat(text, &about) != 0;
}

bool variables_is_hdf5(const char *file)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    char begin[sizeof signature] = "";
    FILE *const stream = can_only_be_read(file) ? NULL : fopen(file, "rb");

    if (!stream)
        return false;
    const bool is_one = fread(begin, sizeof begin, 1, stream) == 1 &&
                        memcmp(begin, signature, sizeof begin) == 0;
    fclose(stream);
    return is_one;
}

/* Refuse a file of HDF5 without a dataset: the error names those that there are. */
static bl_status refuse_hdf5(bl_context *ctx, const char *file, bl_tensor **tensor)
{
    const size_t bytes = strlen(file) + sizeof ":/.";
    char *const root = malloc(bytes);
    bl_status status;

    if (!root)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a name");
    snprintf(root, bytes, "%s:/.", file);
    status = dataset_load(ctx, root, tensor);
    free(root);
    return status;
}

static bl_status load(bl_context *ctx, const char *file, bl_tensor **tensor,
                      bool *is_mapped)
{
    bl_status status = BL_ERR_UNSUPPORTED;

    if (variables_is_hdf5(file))
        return refuse_hdf5(ctx, file, tensor);

    if (dataset_is_named(file))
        return dataset_load(ctx, file, tensor);
    if (!can_only_be_read(file))
        status = bl_npy_map(ctx, file, tensor);
    *is_mapped = status == BL_OK;
    if (status == BL_ERR_UNSUPPORTED)
        status = bl_npy_load(ctx, file, tensor);
    return status;
}

bl_status variables_check(const struct variables *variables, const char *text)
{
    for (int k = 0; k < variables->count; k++)
        if (!text_has_word(text, variables->name[k]))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%.60s=%.200s is given, but the expression does not "
                                "name %.60s",
                                variables->name[k], variables->file[k],
                                variables->name[k]);
    return BL_OK;
}

bl_status variables_load(bl_context *ctx, struct variables *variables)
{
    for (int k = 0; k < variables->count; k++)
        TRY(load(ctx, variables->file[k], &variables->tensor[k],
                 &variables->is_mapped[k]));
    return BL_OK;
}

void variables_free(struct variables *variables)
{
    for (int k = 0; k < variables->count; k++) {
        bl_tensor_release(variables->tensor[k]);
        free(variables->name[k]);
    }
    free(variables->name);
    free(variables->file);
    free(variables->tensor);
    free(variables->is_mapped);
}
