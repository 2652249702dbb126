/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes what a shadow run found at a place.
 */
#ifndef SHADOW_WRITE_H
#define SHADOW_WRITE_H

#include "findings.h"
#include "json.h"

/* Whether some finding was computed both ways. */
bool findings_have_shadows(const struct findings *findings);

/* Print the lines below the row of a finding of a shadow run. */
void shadow_print(const struct finding *finding, FILE *file);

/* Write the member "shadow"; nothing where no call was computed both ways. */
void shadow_write_json(struct json *json, const struct finding *finding);

#endif
