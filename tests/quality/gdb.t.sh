#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# GDB's printers of arrays, tensors, scalars and statuses, of sound values and of garbage.

. "${srcdir:-.}/tests/harness/tap.sh"
if ! command -v gdb > /dev/null || ! gdb -nx -batch -ex 'python print(1)' 2>&1 | grep -q -x 1; then
    tap_skip 'printers of GDB' 'GDB with Python is not installed'
    tap_done
    exit 0
fi

program=$work/gdb_values
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -g -O0 $headers -c -o "$program.o" "$source/tests/quality/gdb_values.c" &&
    (cd "$here" && sh ./libtool --silent --tag=CC --mode=link ${CC:-cc} ${CFLAGS-} \
        ${OPENMP_CFLAGS-} -no-install -o "$program" "$program.o" lib/libbroadloom.la)
tap_ok $? 'a program with values to print'

# What GDB prints of each name, one a line: NAME = VALUE, with X for addresses.
names='array dense packed zeros garbage wild lost number half three yes complex odd
    status unknown tensor none stray'
{
    printf 'break stop\nrun\nup\n'
    for name in $names; do
        printf 'printf "%s = "\noutput %s\nprintf "\\n"\n' "$name" "$name"
    done
    printf 'output *tensor\nprintf "\\n"\noutput *stray\nprintf "\\n"\n'
} > "$work/commands"
HOME=$work gdb -nx -batch -ex "source $source/tools/share/broadloom-gdb.py" \
    -x "$work/commands" "$program" > "$work/printed" 2> "$work/errors"
if grep -q -i 'ptrace\|not permitted\|not allowed' "$work/errors" "$work/printed"; then
    tap_skip 'printers of GDB' 'GDB may not run programs here'
    tap_done
    exit 0
fi
sed -n 's/0x[0-9a-f]*/X/g; /^[a-z]* = /p' "$work/printed" > "$work/got"
cat > "$work/want" << 'END'
array = f64[512,512]{514,1} at X
dense = bf16[512,512] at X, read-only
packed = f32[512,512]{8,-4}B at X
zeros = none[] at X
garbage = bl_array of rank -1515870811?
wild = u8[unreadable at X]{unreadable at X} at X
lost = u8[null] at X
number = f64[] at X, a scalar
half = f64 scalar 0.5
three = i64 scalar -3
yes = bool scalar true
complex = c128 scalar (1, -2)
odd = bl_scalar of dtype 77?
status = BL_ERR_SHAPE (2)
unknown = bl_status (99)
END
grep -v -E '^(tensor|none|stray) = ' "$work/got" | diff "$work/want" - > "$work/faults"
tap_empty "$work/faults" 'arrays, scalars and statuses'

# Where it is installed, GDB finds the script by the file of the library.
name=$(sed -n "s/^library_names='\([^ ]*\).*/\1/p" "$here/lib/libbroadloom.la")
if [ -n "$name" ]; then
    folder=$work/auto-load$(cd "$here/lib/.libs" && pwd -P)
    mkdir -p "$folder"
    cp "$source/tools/share/broadloom-gdb.py" "$folder/$name-gdb.py"
    HOME=$work gdb -nx -batch -iex "set auto-load scripts-directory $work/auto-load" \
        -iex "set auto-load safe-path $work/auto-load" -x "$work/commands" "$program" 2> /dev/null |
        sed -n 's/0x[0-9a-f]*/X/g; /^[a-z]* = /p' | diff "$work/got" - > "$work/faults"
    tap_empty "$work/faults" 'and by itself, with the library'
else
    tap_skip 'and by itself, with the library' 'there is no shared library'
fi
: > "$work/faults"

# The members of a tensor are there where the library has debugging information.
{
    grep -q -x 'tensor = bl_tensor X\(: f64\[2,3\] at X\)\{0,1\}' "$work/got" || echo tensor
    grep -q -x 'none = bl_tensor NULL' "$work/got" || echo 'a null tensor'
    grep -q -x 'stray = bl_tensor X\(: unreadable\)\{0,1\}' "$work/got" || echo 'a stray tensor'
    grep -i 'traceback\|python exception' "$work/errors"
    [ ! -s "$work/faults" ] || cat "$work/errors"
} > "$work/tensors"
tap_empty "$work/tensors" 'tensors, null and stray ones too, without an error'
tap_done
