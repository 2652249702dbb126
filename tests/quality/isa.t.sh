#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An instruction set has a row in isa.def, its flags in configure.ac and its compilation in
# lib/kernels/Makefile.inc: the three lists agree, in the same order.

. "${srcdir:-.}/tests/harness/tap.sh"
cd "${srcdir:-.}" || exit 1

sed -n 's/^BLI_ISA( *\([a-z0-9]*\),.*/\1/p' lib/kernels/isa.def > "$work/rows"
{
    echo base
    sed -n 's/^BL_ISA(\[\([a-z0-9]*\)\].*/\1/p' configure.ac
} | diff "$work/rows" - > "$work/faults"
tap_empty "$work/faults" "configure.ac has the flags of every row of isa.def"

sed -n 's/.*-DBLI_ISA_NAME=\([a-z0-9]*\).*/\1/p' lib/kernels/Makefile.inc |
    diff "$work/rows" - > "$work/faults"
tap_empty "$work/faults" "lib/kernels/Makefile.inc compiles every row of isa.def"
tap_done
