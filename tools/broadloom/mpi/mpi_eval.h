/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command of broadloom-mpi.
 */
#ifndef MPI_EVAL_H
#define MPI_EVAL_H

#include "../tool.h"

extern const struct command command_mpi_eval;

#endif
