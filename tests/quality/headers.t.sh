#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public header compiles alone, as C11 and as C++17, with each compiler there is.

. "${srcdir:-.}/tests/harness/tap.sh"
ls "$source/include/broadloom" "$here/include/broadloom" 2> /dev/null |
    sed -n 's|.*\.h$|broadloom/&|p' | sort -u > "$work/names"
warnings='-Wall -Wextra -pedantic -Werror -fsyntax-only'

# A program whose only content is one header.
compiles() { # NAME COMPILER LANGUAGE STANDARD
    for header in broadloom.h $(cat "$work/names"); do
        echo "#include <$header>" > "$work/alone.$3"
        # shellcheck disable=SC2086 # options are words
        $2 -std="$4" $warnings $headers "$work/alone.$3" > "$work/faults" 2>&1 ||
            echo "refused by $2" >> "$work/faults"
        tap_empty "$work/faults" "<$header> alone as $4 with $1"
    done
}

compiles "the C compiler" "${CC:-cc}" c c11
compiles "the C compiler and call sites" "${CC:-cc} -DBROADLOOM_CALL_SITES" c c11
compiles "the C++ compiler" "${CXX:-c++}" cc c++17
if command -v clang > /dev/null; then
    compiles clang clang c c11
else
    tap_skip "headers with clang" "clang is not installed"
fi
tap_done
