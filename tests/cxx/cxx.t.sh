#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# <broadloom/broadloom.hpp>: the programs of this folder compile without a warning, with
# each compiler and standard, and find nothing to print, with sanitizers too; what must not
# compile does not.
# BROADLOOM_TEST_LONG: sanitizers, other compilers and standards, too.

. "${srcdir:-.}/tests/harness/tap.sh"
. "$source/tests/cxx/cxx.sh"
programs="operators operands objects errors lazy lazy_plans"
warnings='-Wall -Wextra -pedantic -Wconversion -Wshadow -Wold-style-cast -Wzero-as-null-pointer-constant -Werror'

# compile COMPILER OPTION...: what it says is in $work/faults.
compile() {
    # shellcheck disable=SC2086 # options are words
    "$@" $warnings $headers -I"$source/lib" -I"$folder" > "$work/faults" 2>&1 ||
        echo "refused by $*" >> "$work/faults"
}

# try NAME PROGRAMS COMPILER OPTION...: compile and run programs.
try() {
    name=$1
    names=$2
    shift 2
    for program in $names; do
        # shellcheck disable=SC2086 # options are words
        compile "$@" "$folder/$program.cpp" -o "$work/$program" $link
        if [ ! -s "$work/faults" ]; then
            "$work/$program" "$work" > "$work/faults" 2>&1 || echo "exit status $?" >> "$work/faults"
        fi
        tap_empty "$work/faults" "$program, $name"
    done
}

# Warnings of another standard, in what the programs make of templates.
parse() { # NAME COMPILER OPTION...
    name=$1
    shift
    for program in operands objects lazy_plans; do
        compile "$@" -fsyntax-only "$folder/$program.cpp"
        tap_empty "$work/faults" "$program, $name"
    done
}

# shellcheck disable=SC2086 # a compiler with options is words
try_others() {
    sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
    if works $cxx $sanitize; then
        ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1
        export ASAN_OPTIONS
        try "sanitizers" "operands objects errors lazy lazy_plans" $cxx -std=c++20 -O0 -g1 $sanitize
    else
        tap_skip "programs with sanitizers" "the compiler has none"
    fi
    parse "C++23, with call sites" $cxx -std=c++2b -DBROADLOOM_CALL_SITES
    if works clang++ -std=c++17; then
        try "clang, C++17" "$programs" clang++ -std=c++17
        try "clang, without exceptions" codes clang++ -std=c++17 -fno-exceptions
        parse "clang, C++20" clang++ -std=c++20
        parse "clang, C++23" clang++ -std=c++2b
    else
        tap_skip "programs with clang" "clang is not installed, or has no C++ library"
    fi
}

case ${BROADLOOM_TEST_LONG:-0} in 0) ;; *) try_others ;; esac
# shellcheck disable=SC2086
{
    try "C++17" "$programs" $cxx -std=c++17 -O1
    try "C++17 without exceptions" codes $cxx -std=c++17 -O2 -fno-exceptions
}

# ---- what must not compile ----

# Each statement of a list is a function on a line of its own, all in one file: the compiler
# must complain about each of these lines.
statements() { # FILE
    awk 'BEGIN { print "#include \"statements.hpp\"" }
        { sub(/ *##.*/, ""); print "void f" NR "(); void f" NR "() { " $0 " }" }' "$1" \
        > "$work/list.cpp"
}

# complains LINE: whether the compiler complained about a line of the list.
complains() {
    grep -q -E "list.cpp:$1:.*(error|required from here|requested here)" "$work/said"
}

# refuse FILE COMPILER OPTION...
refuse() {
    list=$1
    shift
    statements "$list"
    LC_ALL=C "$@" -std=c++17 -Werror=unused-result $headers -I"$folder" -fsyntax-only \
        "$work/list.cpp" > "$work/said" 2>&1
    number=1
    while read -r line; do
        number=$((number + 1))
        complains $number
        tap_ok $? "does not compile: $(echo "$line" | sed 's/ *##.*//')"
        case $line in
        *\#\#*)
            grep -q -F "${line#*## }" "$work/said"
            tap_ok $? "the compiler says: ${line#*## }"
            ;;
        esac
    done < "$list"
}

grep -v '^#' "$folder/does_not_compile.txt" | grep -v '^+' > "$work/refused"
sed -n 's/^+ //p' "$folder/does_not_compile.txt" > "$work/taken"
statements "$work/taken"
# shellcheck disable=SC2086
{
    compile $cxx -std=c++17 -fsyntax-only "$work/list.cpp"
    tap_empty "$work/faults" "statements like those that must not compile do"
    limit=-fmax-errors=0
    works $cxx $limit || limit=-ferror-limit=0
    refuse "$work/refused" $cxx $limit
    for text in '(void)bl::add(v, v);' '(void)bl::add(v, v, ctx);' '(void)x.flip(0);' '(void)e.eval();' '(void)bl::sum(x, 0, ctx);' \
        'bl::lazy::plan p(e);'; do
        echo "$text" > "$work/throwing"
        statements "$work/throwing"
        ! $cxx -std=c++17 -fno-exceptions $headers -I"$folder" -fsyntax-only "$work/list.cpp" \
            > "$work/said" 2>&1 && grep -q 'give the call a std::error_code' "$work/said"
        tap_ok $? "does not compile without exceptions: $text"
    done
}
tap_done
