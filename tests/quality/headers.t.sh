#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public header compiles alone, as C11 and as C++17, those of C++ as C++17, with each
# compiler there is.  That of MPI is tried with each MPI by tests/mpi/ranks.t.sh.

. "${srcdir:-.}/tests/harness/tap.sh"
ls "$source/include/broadloom" "$here/include/broadloom" 2> /dev/null |
    grep -v '^mpi' | sed -n 's|.*\.h$|broadloom/&|p' | sort -u > "$work/names"
ls "$source"/include/broadloom/*.hpp "$source"/include/broadloom/cxx/*.hpp \
    "$here"/include/broadloom/cxx/*.hpp 2> /dev/null | sed 's|.*include/||' | sort -u \
    > "$work/cxx_names"
warnings='-Wall -Wextra -pedantic -Werror -fsyntax-only'

# A program whose only content is one header.
compiles() { # NAME COMPILER LANGUAGE STANDARD HEADER...
    name=$1
    compiler=$2
    language=$3
    standard=$4
    shift 4
    for header; do
        echo "#include <$header>" > "$work/alone.$language"
        # shellcheck disable=SC2086 # options are words
        $compiler -std="$standard" $warnings $headers "$work/alone.$language" > "$work/faults" 2>&1 ||
            echo "refused by $compiler" >> "$work/faults"
        tap_empty "$work/faults" "<$header> alone as $standard with $name"
    done
}

# shellcheck disable=SC2046 # names without spaces
{
    set -- broadloom.h $(cat "$work/names")
    compiles "the C compiler" "${CC:-cc}" c c11 "$@"
    compiles "the C compiler and call sites" "${CC:-cc} -DBROADLOOM_CALL_SITES" c c11 "$@"
    compiles "the C++ compiler" "${CXX:-c++}" cc c++17 "$@" $(cat "$work/cxx_names")
}
if command -v clang > /dev/null; then
    compiles clang clang c c11 "$@"
else
    tap_skip "headers with clang" "clang is not installed"
fi
tap_done
