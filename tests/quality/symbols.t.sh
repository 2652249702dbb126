#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The shared library exports what the headers declare, each symbol in the version of the
# release that lib/abi.txt gives it, and imports nothing that prints, ends the process or
# changes the caller's settings.  No program has a copy of its data, which would be too
# short once that data grows.

. "${srcdir:-.}/tests/harness/tap.sh"
abi=${srcdir:-.}/lib/abi.txt
libs=${top_builddir:-.}/lib/.libs
shared=$libs/libbroadloom.so
nm=${NM:-nm}

# lib/abi.txt and most of what follows is about libbroadloom: other libraries have headers of
# their own; that of MPI is tried with each MPI by tests/mpi/ranks.t.sh.
others='hdf5'

# Names that headers declare with BL_API or BL_NAMED: the word before the first
# parenthesis.
declared() { # HEADER...
    cat "$@" | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        sed -n 's/.*[^A-Za-z_]BL_\(API\|NAMED\) \(.*\)/\2/p' | sed 's/ *(.*//; s/.*[ *]//' |
        LC_ALL=C sort -u
}

grep -v '^#' "$abi" > "$work/versions"
grep -v -x -E 'bl_[a-z0-9_]+ BROADLOOM_0\.[0-9]+' "$work/versions" > "$work/faults"
tap_empty "$work/faults" "abi.txt has a symbol and its release a line"
cut -d " " -f 1 "$work/versions" > "$work/abi"
LC_ALL=C sort -u "$work/abi" | diff "$work/abi" - > "$work/faults"
tap_empty "$work/faults" "abi.txt is sorted"

# A row of a table has its named forms in the current release until abi.txt lists them.
declared "$(built include/broadloom/named.h)" "$(built include/broadloom/paddle.h)" \
    "$(built include/broadloom/reductions.h)" > "$work/forms"
declared $(find "$source/include" "$here/include" -name '*.h' ! -name "$others.h" ! -name 'mpi*.h' 2> /dev/null) \
    > "$work/declared"
comm -23 "$work/abi" "$work/declared" > "$work/faults"
tap_empty "$work/faults" "what abi.txt lists is declared"
comm -13 "$work/abi" "$work/declared" | comm -23 - "$work/forms" > "$work/faults"
tap_empty "$work/faults" "what is declared is in abi.txt, or a row's named form"
release=$(sed -n 's/.*BL_VERSION_STRING "\([0-9]*\.[0-9]*\).*/BROADLOOM_\1/p' "$source/include/broadloom/base.h")
comm -13 "$work/abi" "$work/declared" | sed "s/$/ $release/" > "$work/new"
[ ! -s "$work/new" ] || { echo "for abi.txt, at the release:"; cat "$work/new"; } | tap_note
sort "$work/versions" "$work/new" > "$work/wanted"

if [ ! -e "$shared" ]; then
    tap_skip "symbols of the shared library" "built without one"
    tap_done
    exit
fi

$nm -D --defined-only "$shared" | awk '$2 != "A" { sub(/@@/, " ", $3); print $3 }' |
    LC_ALL=C sort > "$work/exported"
if grep -q BROADLOOM_0 "$work/exported"; then
    diff "$work/wanted" "$work/exported" > "$work/faults"
else
    diff "$work/declared" "$work/exported" > "$work/faults"
fi
tap_empty "$work/faults" "the shared library exports that, and in these versions"
$nm -D --defined-only "$shared" | awk '$2 !~ /^[AT]$/' > "$work/faults"
tap_empty "$work/faults" "it exports functions alone, no data"

$nm -g --defined-only "$libs/libbli.a" 2> /dev/null |
    awk 'NF == 3 && $3 !~ /^bli?_/ { print $3 }' > "$work/faults"
tap_empty "$work/faults" "names of the archive begin with bl_ or bli_"

for other in $others; do
    name="libbroadloom-$other exports what its header declares"
    if [ -e "$libs/libbroadloom-$other.so" ]; then
        declared "$source/include/broadloom/$other.h" > "$work/wanted"
        $nm -D --defined-only "$libs/libbroadloom-$other.so" | awk '$2 != "A" { print $3 }' |
            LC_ALL=C sort | diff "$work/wanted" - > "$work/faults"
        tap_empty "$work/faults" "$name"
    else
        tap_skip "$name" "it is not built"
    fi
done

# The debug library asserts.
forbidden='_?exit|quick_exit|_Exit|abort|(__)?v?f?printf(_chk)?|puts|putchar|perror'
forbidden="$forbidden|stderr|stdout|setenv|putenv|unsetenv|setlocale|fesetround"
forbidden="$forbidden|s?rand|omp_set_[a-z_]*|signal|sigaction"
case ${LIB_CPPFLAGS-} in *NDEBUG*) forbidden="$forbidden|__assert_fail" ;; esac
$nm -D --undefined-only "$shared" | awk '{ sub(/@.*/, "", $2); print $2 }' |
    grep -E -x "$forbidden" > "$work/faults"
tap_empty "$work/faults" "it imports nothing that prints, exits or changes settings"

# Copy relocations of data of the library's in the programs FILES..., "FILE: NAME" a line, except
# those that are linked with the tests' own library, which exports internal data.
copies() {
    for program in "$@"; do
        ! readelf -dW "$program" 2> /dev/null | grep -q 'NEEDED.*libinternal' || continue
        readelf -rW "$program" 2> /dev/null | grep 'R_[A-Z0-9_]*_COPY' |
            grep -o '\<bli\{0,1\}_[a-z0-9_]*' | sed "s,^,$program: ,"
    done
}
name="no program has a copy relocation of the library's data"
if command -v readelf > /dev/null; then
    echo 'int bl_planted = 1;' > "$work/data.c"
    echo 'extern int bl_planted; int main(void) { return bl_planted; }' > "$work/use.c"
    ${CC:-cc} -shared -fPIC -o "$work/libdata.so" "$work/data.c" &&
        ${CC:-cc} -fno-pie -no-pie -o "$work/use" "$work/use.c" "$work/libdata.so" &&
        copies "$work/use" > "$work/planted" 2> /dev/null
    if [ -e "$work/use" ] && readelf -rW "$work/use" | grep -q _COPY; then
        tap_found "$work/planted" "a copy relocation is found"
    else
        tap_skip "a copy relocation is found" "the compiler makes none"
    fi
    # shellcheck disable=SC2046 # names without spaces
    copies $(cd "${top_builddir:-.}" && find "$PWD/.libs" "$PWD/tools" "$PWD/tests" \
        -type f -perm -u+x ! -name '*.sh' 2> /dev/null) > "$work/faults"
    tap_empty "$work/faults" "$name"
else
    tap_skip "$name" "no readelf"
fi

# Read without a call: part of what each thread has from its start, where there is room for
# some hundred bytes of all libraries that are loaded late.
name="thread-local data of at most 200 bytes"
if readelf -lW "$shared" > "$work/segments" 2> /dev/null; then
    awk '$1 == "TLS" { print $6 }' "$work/segments" | while read -r bytes; do
        [ $((bytes)) -le 200 ] || echo "$((bytes)) bytes"
    done > "$work/faults"
    tap_empty "$work/faults" "$name"
else
    tap_skip "$name" "no readelf"
fi
tap_done
