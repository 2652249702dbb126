#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs of earlier releases: those in tests/abi/VERSION are compiled against that
# release's headers, as kept in its folder, and run with the library that was just built.
# Together they refer to every function that the kept headers declare.  They are linked as
# old linkers do, at a fixed address, where data of a library would be copied into programs.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/harness/files.sh"
nm=${NM:-nm}
source=$(pwd)
cd "$work" || exit 1

# Link an object with the libraries as built; it runs where they are.  Static ones need the
# OpenMP runtime of the program.
[ -e "$here/lib/.libs/libbroadloom.so" ] && OPENMP_CFLAGS=
link() { # PROGRAM
    (cd "$here" && sh ./libtool --silent --tag=CC --mode=link ${CC:-cc} ${CFLAGS-} \
        ${OPENMP_CFLAGS-} -no-pie -no-install -o "$work/$1" "$work/$1.o" \
        compat/libbroadloom-th.la lib/libbroadloom.la -lm)
}

# Functions and data that the kept headers declare: the word before the first parenthesis
# after the mark of an exported name.  TH's names that are left out have another label.
declared() { # INCLUDE
    {
        (cd "$1" && ls broadloom/*.h) | sed 's/.*/#include <&>/'
        echo '#include <TH/TH.h>'
    } > declared.c
    ${CC:-cc} -E -P -I"$1" -I"$1/broadloom-th" declared.c | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        sed -n '/__asm__/d; s/.*\(visibility *("default")\|gnu_inline\)/@/p' |
        sed 's/^@[^)]*))//; s/__attribute__ *((\([^()]*\|([^()]*)\)*))//g; s/ *(.*//; s/.*[ *]//' |
        LC_ALL=C sort -u
}

# Names of a list that no object refers to.
forgotten() { # LIST OBJECT...
    list=$1
    shift
    $nm -P -u "$@" | cut -d ' ' -f 1 | LC_ALL=C sort -u | LC_ALL=C comm -23 "$list" -
}

for kept in "$source"/tests/abi/[0-9]*; do
    version=${kept##*/}
    include=$kept/include
    rm -f ./*.o
    sed -n 's/^\(bl_[a-z0-9_]*\) BROADLOOM_/\1 /p' "$source/lib/abi.txt" |
        "${AWK:-awk}" -v version="$version" '
            function number(release,    part) {
                split(release, part, ".")
                return 1000 * part[1] + part[2]
            }
            number($2) <= number(version) { print $1 }' > released
    for program in "$kept"/*.c; do
        name=${program##*/}
        name=${name%.c}
        if ! ${CC:-cc} -std=gnu11 ${CFLAGS-} -fno-pie -I"$include" \
            -I"$include/broadloom-th" -I"$kept" -c -o "$name.o" "$program" > faults 2>&1; then
            echo "does not compile" >> faults
        elif ! link "$name" > faults 2>&1; then
            echo "does not link" >> faults
        else
            "./$name" > faults 2>&1 || echo "exit status $?" >> faults
        fi
        tap_empty faults "$version: $name"
    done
    declared "$include" > declared
    grep '^bl_' declared | diff - released > faults
    tap_empty faults "$version: headers declare what lib/abi.txt has of this release and before"
    if $nm --version > /dev/null 2>&1; then
        forgotten declared ./*.o > faults
        tap_empty faults "$version: programs call each function that the headers declare"
        forgotten declared ./apply.o > faults
        tap_found faults "$version: functions that no program calls are found"
    else
        tap_skip "$version: programs call each function that the headers declare" "no nm"
    fi

    # Frozen, of TH's own.
    name="$version: no program has a copy of the library's data"
    if readelf --version > /dev/null 2>&1; then
        for object in ./*.o; do readelf -rW "${object%.o}"; done |
            awk '/_COPY / && $5 ~ /^(bl|TH)/ { print $5 }' | sort -u |
            grep -v -x -E 'THDefaultAllocator|THLog2Pi|THLogOne|THLogZero' > faults
        tap_empty faults "$name"
    else
        tap_skip "$name" "no readelf"
    fi
done
tap_done
