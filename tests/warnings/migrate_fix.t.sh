#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate fix: ten programs of varied forms are built, run, patched and built
# again.  As it was: under modern rules they print what they printed under legacy rules.
# Broadcast: they print what modern rules give, without a warning; PyTorch 1.13 gave
# what programs for TH are to print (fixes/*.modern).

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_KEEPDIM_WARNING OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID
samples=$source/tests/warnings/fixes

# build FOLDER NAME FLAG...: a program of the sources there, linked as a user's is.
build() {
    folder=$1 name=$2
    shift 2
    case $name in
        *.cpp) set -- ${CXX:-c++} -std=c++17 "$@" ;;
        *) set -- ${CC:-cc} -std=gnu11 "$@" ;;
    esac
    (cd "$work/$folder" && "$@" -g -Wall $headers $th_headers -I. -o program "$name" \
        ${MIGRATE_FIX_LIBS--L"$here/compat/.libs" -Wl,-rpath,"$here/compat/.libs" -lbroadloom-th \
        -L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} -lm) > "$work/faults" 2>&1
}

# run FOLDER RULES: what the program prints, and its report.
run() {
    (cd "$work/$1" && rm -f report && BROADLOOM_RULES=$2 BROADLOOM_BROADCAST_WARNING=precise \
        BROADLOOM_COMPAT_REPORT=report ./program 2> said)
}

# fix FOLDER OPTION...: write the patch, and copy the folder to `fixed` with it.
fix() {
    folder=$1
    shift
    (cd "$work/$folder" && "$tool" migrate fix "$@" -o patch report) > "$work/faults" 2>&1
    tap_ok $? "$name: fix $*"
    rm -rf "$work/fixed"
    cp -R "$work/$folder" "$work/fixed"
    (cd "$work/fixed" && patch -s -p1 < patch) > "$work/faults" 2>&1
    tap_empty "$work/faults" "$name: the patch applies"
}

# prints FILE RULES WHAT: the patched program prints that, and nothing is found.
prints() {
    run fixed "$2" > "$work/got"
    diff "$1" "$work/got" > "$work/faults" 2>&1
    tap_empty "$work/faults" "$name: $3"
    (cd "$work/fixed" && "$tool" migrate report report) > "$work/table" 2>&1
    grep -v '^nothing was found' "$work/table" > "$work/faults"
    tap_empty "$work/faults" "$name: no warning is left"
}

# as_it_was: programs for TH are also linked with rules that are modern.
as_it_was() {
    run old legacy > "$work/legacy"
    run old transitional > "$work/got"
    fix old --as-it-was
    case $name in
        th_*) build fixed "$name" "$@" -Wno-unused-function modern.c ;;
        *) build fixed "$name" "$@" ;;
    esac
    tap_empty "$work/faults" "$name: the result compiles without a warning"
    prints "$work/legacy" modern 'as it was, it prints what it did'
}

broadcast() {
    run old modern > "$work/modern"
    if [ -e "$samples/${name%.*}.modern" ]; then
        sed 1d "$samples/${name%.*}.modern" > "$work/modern"
    fi
    fix old --broadcast
    build fixed "$name" "$@"
    tap_empty "$work/faults" "$name: the result compiles without a warning"
    prints "$work/modern" modern 'broadcast, it prints what modern rules give'
}

sample() {
    name=$1 level=$2 choices=$3
    case $name$level in
        bl_*-O2) set -- -O2 -DBROADLOOM_CALL_SITES ;; # calls in return are jumps
        *) set -- "$level" ;;
    esac
    rm -rf "$work/old"
    cp -R "$samples" "$work/old"
    chmod -R u+w "$work/old"
    if ! build old "$name" "$@"; then
        tap_skip "$name" "it cannot be built: $(head -n 1 "$work/faults")"
        return
    fi
    case $choices in *keep*) as_it_was "$@" ;; esac
    case $choices in *broadcast*) broadcast "$@" ;; esac
}

if ! command -v addr2line patch > "$work/found" 2>&1; then
    tap_skip 'programs' 'there is no addr2line, or no patch'
    tap_done
    exit
fi
# Those without "broadcast" have calls that do not broadcast, or that it cannot change.
while read -r name choices; do
    if [ -n "${BROADLOOM_TEST_LONG-}" ]; then
        sample "$name" -O0 "$choices"
        sample "$name" -O2 "$choices"
    else
        level=$([ "${level--O2}" = -O2 ] && echo -O0 || echo -O2)
        sample "$name" "$level" "$choices"
    fi
done << 'END'
th_calls.c keep,broadcast
th_template.c keep
th_values.c keep,broadcast
th_types.c keep
th_program.cpp keep,broadcast
bl_tensors.c keep,broadcast
bl_views.c keep
bl_arrays.c keep,broadcast
bl_inplace.c keep
cxx.cpp keep
END
tap_done
