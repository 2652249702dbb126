#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The shared library exports exactly lib/abi.txt, which is what the headers declare, and
# imports nothing that prints, ends the process or changes the caller's settings.

. "${srcdir:-.}/tests/harness/tap.sh"
abi=${srcdir:-.}/lib/abi.txt
libs=${top_builddir:-.}/lib/.libs
shared=$libs/libbroadloom.so
nm=${NM:-nm}

# Names that the headers declare with BL_API or BL_NAMED: the word before the first
# parenthesis.
declared() {
    cat "${srcdir:-.}"/include/broadloom/*.h | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        sed -n 's/.*[^A-Za-z_]BL_\(API\|NAMED\) \(.*\)/\2/p' | sed 's/ *(.*//; s/.*[ *]//' |
        LC_ALL=C sort -u
}

grep -v '^#' "$abi" > "$work/versions"
grep -v -x -E 'bl_[a-z0-9_]+ BROADLOOM_0\.[0-9]+' "$work/versions" > "$work/faults"
tap_empty "$work/faults" "abi.txt has a symbol and its release a line"
cut -d " " -f 1 "$work/versions" > "$work/abi"
LC_ALL=C sort -u "$work/abi" | diff "$work/abi" - > "$work/faults"
tap_empty "$work/faults" "abi.txt is sorted"
declared | diff "$work/abi" - > "$work/faults"
tap_empty "$work/faults" "abi.txt is what the headers declare"

if [ ! -e "$shared" ]; then
    tap_skip "symbols of the shared library" "built without one"
    tap_done
    exit
fi

$nm -D --defined-only "$shared" | awk '$2 != "A" { sub(/@@/, " ", $3); print $3 }' |
    LC_ALL=C sort > "$work/exported"
if grep -q BROADLOOM_0 "$work/exported"; then
    diff "$work/versions" "$work/exported" > "$work/faults"
else
    diff "$work/abi" "$work/exported" > "$work/faults"
fi
tap_empty "$work/faults" "the shared library exports exactly abi.txt"
$nm -D --defined-only "$shared" | awk '$2 !~ /^[AT]$/' > "$work/faults"
tap_empty "$work/faults" "it exports functions alone, no data"

$nm -g --defined-only "$libs/libbli.a" 2> /dev/null |
    awk 'NF == 3 && $3 !~ /^bli?_/ { print $3 }' > "$work/faults"
tap_empty "$work/faults" "names of the archive begin with bl_ or bli_"

# The debug library asserts.
forbidden='_?exit|quick_exit|_Exit|abort|(__)?v?f?printf(_chk)?|puts|putchar|perror'
forbidden="$forbidden|stderr|stdout|setenv|putenv|unsetenv|setlocale|fesetround"
forbidden="$forbidden|s?rand|omp_set_[a-z_]*|signal|sigaction"
case ${LIB_CPPFLAGS-} in *NDEBUG*) forbidden="$forbidden|__assert_fail" ;; esac
$nm -D --undefined-only "$shared" | awk '{ sub(/@.*/, "", $2); print $2 }' |
    grep -E -x "$forbidden" > "$work/faults"
tap_empty "$work/faults" "it imports nothing that prints, exits or changes settings"

# A program that refers to data of a library has a copy of it, as large as it was then.
name="the tool and the demonstration have no copies of its data"
if readelf --version > /dev/null 2>&1; then
    for program in broadloom .libs/broadloom tools/demo/demo tools/demo/.libs/demo; do
        readelf -rW "${top_builddir:-.}/$program" 2> /dev/null # some are libtool's scripts
    done | grep '_COPY .* bl_' > "$work/faults"
    tap_empty "$work/faults" "$name"
else
    tap_skip "$name" "no readelf"
fi

# Read without a call: part of what each thread has from its start, where there is room for
# some hundred bytes of all libraries that are loaded late.
name="thread-local data of less than 200 bytes"
if readelf -lW "$shared" > "$work/segments" 2> /dev/null; then
    awk '$1 == "TLS" { print $6 }' "$work/segments" | while read -r bytes; do
        [ $((bytes)) -lt 200 ] || echo "$((bytes)) bytes"
    done > "$work/faults"
    tap_empty "$work/faults" "$name"
else
    tap_skip "$name" "no readelf"
fi
tap_done
