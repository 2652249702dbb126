/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts of matrices, which matrices.tmpl.h makes of each type.
 */
#ifndef BROADLOOM_TESTS_TH_MATRICES_H
#define BROADLOOM_TESTS_TH_MATRICES_H

/* A matrix by rows, by columns, a part of one, with a step in both, one row repeated.
 */
enum layout { ROWS, COLUMNS, PART_OF_ROWS, STEPPED, REPEATED, LAYOUTS };

#endif
