/* SPDX-License-Identifier: BSD-3-Clause */
/* The datasets of a file, for messages of calls that name none of them. */
#include "hdf5/hdf5.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 8, ROOM = 40 }; /* names that are listed, and room for "and more" */

struct list {
    int count;
    size_t length;
    char *text;
};

static bool is_dataset(hid_t group, const char *name)
{
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    const bool is_one = object >= 0 && H5Iget_type(object) == H5I_DATASET;

    if (object >= 0)
        H5Oclose(object);
    return is_one;
}

/* Add the name of a link to a dataset; 1 ends the visit. */
static herr_t add(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    struct list *const list = user;
    const size_t needed = strlen(name) + strlen(", /");

    (void)info;
    if (!is_dataset(group, name))
        return 0;
    if (list->count == MOST || list->length + needed + ROOM > BLI_HDF5_NAMES_TEXT) {
        (void)snprintf(list->text + list->length, ROOM, "%s",
                       list->count ? " and more" : "; its datasets have long names");
        return 1;
    }
    list->length += (size_t)snprintf(list->text + list->length, needed + ROOM, "%s/%s",
                                     list->count++ ? ", " : "; the file has ", name);
    return 0;
}

const char *bli_hdf5_names(const struct bli_hdf5 *call, char text[BLI_HDF5_NAMES_TEXT])
{
    struct list list = {.text = text};

    text[0] = '\0';
    (void)H5Lvisit(call->file, H5_INDEX_NAME, H5_ITER_INC, add, &list);
    if (text[0] == '\0')
        (void)snprintf(text, BLI_HDF5_NAMES_TEXT, "; the file has none");
    return text;
}
