/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tool says of datasets where it was built without HDF5.
 */
#include "harness/expect_status.h"
#include "harness/tap.h"

#include "eval/dataset.h"

static const char says[] =
    "run.h5:/x: this tool was built without HDF5 (configure --with-hdf5)";

int main(void)
{
    bl_tensor *tensor = NULL;

    tap_plan();
    tap_ok(expect_status(dataset_load(NULL, "run.h5:/x", &tensor), BL_ERR_UNSUPPORTED,
                         says) &&
               !tensor,
           "loading names the option");
    tap_ok(expect_status(dataset_save(NULL, "run.h5:/x", NULL, false),
                         BL_ERR_UNSUPPORTED, says),
           "saving names the option");
    return tap_done();
}
