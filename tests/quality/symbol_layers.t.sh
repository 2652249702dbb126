#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the objects of the library define and use follows the layers, there is no circle
# among files or folders, lib/README.md shows the layers as they are, and the check itself
# finds faults.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/harness/files.sh"
nm=${NM:-nm}
quality=$(pwd)/tests/quality
list=$quality/layers.txt

# Edges of the list, one a line: "plan shape".
edges() {
    sed -n 's/^\([a-z0-9]*\): */\1 /p' "$list" | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort
}

# Those of the diagram in lib/README.md, whose lines are chains: "a, b → c, d → e".
drawn() {
    sed -n '/^## Layers/,/^## One call/s/^    \(.*→.*\)/\1/p' lib/README.md | sed 's/→/>/g; s/,/ /g' |
        awk -F '>' '{
            for (i = 1; i < NF; i++) {
                above = split($i, from, " ")
                below = split($(i + 1), to, " ")
                for (a = 1; a <= above; a++)
                    for (b = 1; b <= below; b++) print from[a], to[b]
            }
        }' | sort -u
}

edges > "$work/edges"
drawn | diff "$work/edges" - > "$work/faults"
tap_empty "$work/faults" "lib/README.md draws the layers of layers.txt"
sed -n 's/^\([a-z0-9]*\):.*/\1/p' "$list" | sort > "$work/layers"
ls -d lib/*/ compat/*/ | sed 's,/$,,; s,.*/,,' | sort | diff "$work/layers" - > "$work/faults"
tap_empty "$work/faults" "every folder of lib and compat is a layer"
sed -n 's/^| \[*`\([a-z0-9]*\)\/`.*/\1/p' lib/README.md | sort > "$work/table"
ls -d lib/*/ | sed 's,/$,,; s,.*/,,' | sort | diff "$work/table" - > "$work/faults"
tap_empty "$work/faults" "the table of lib/README.md has every folder"

if ! $nm --version > /dev/null 2>&1; then
    tap_skip "symbols of objects" "no nm"
    tap_done
    exit
fi

# Global symbols of the objects that were compiled from sources, whose names are read, in a
# build folder.  Kernels have an object for each instruction set.  Sources without one are
# written to "missing".  One nm reads all: where LLVM's plugin is installed, each that reads an
# object loads it first, in 60 ms.
symbols() { # BUILD
    build=$1
    while read -r source; do
        folder=${source%/*}
        name=${source##*/}
        set -- "$build/$folder"/.libs/*_la-"${name%.c}.o"
        [ -e "$1" ] || set -- "$build/$folder"/*_la-"${name%.c}.o"
        [ -e "$1" ] || echo "$source" >> "$work/missing"
        for object in "$@"; do
            [ ! -e "$object" ] || echo "$source ${object#"$build"/}"
        done
    done > "$work/objects"
    # shellcheck disable=SC2086 # nm and its options
    cut -d ' ' -f 2 "$work/objects" | (cd "$build" && xargs $nm -A -P -g 2> /dev/null) |
        "${AWK:-awk}" -v list="$work/objects" '
            BEGIN { while ((getline line < list) > 0) { split(line, at); source[at[2] ":"] = at[1] } }
            $1 != last { print "object", source[last = $1] }
            { print $2, $3 }'
}

# Faults of symbols that are read.
check() {
    "${AWK:-awk}" -v list="$list" -f "$quality/layers_read.awk" \
        -f "$quality/symbol_layers.awk" | sort
}

: > "$work/missing"
project_files | grep -E '^(lib|compat)/.*\.c$' > "$work/all"
# A library that this build does not have has no objects.
optional='mpi/\(carry\|entry\)'
ls "$here"/lib/libbroadloom-mpi*.la > "$work/built" 2>&1 && optional=none
[ -e "$here/lib/libbroadloom-hdf5.la" ] || optional="$optional\|hdf5"
grep -v "^lib/\($optional\)/" "$work/all" > "$work/sources"
symbols "$here" < "$work/sources" > "$work/symbols"
if grep -q '^bl_apply T' "$work/symbols"; then
    tap_empty "$work/missing" "every source has an object"
    check < "$work/symbols" > "$work/faults"
    tap_empty "$work/faults" "symbols follow the layers, without a circle"
else
    tap_skip "symbols follow the layers" "nm does not read these objects"
fi

# ---- planted faults ----

# plant FILE NAME USED: a source, and its object, of a function that calls another one if
# that is not empty.
plant() {
    mkdir -p "$work/tree/${1%/*}"
    echo "$1" >> "$work/tree/sources"
    printf 'int %s(void);\nint %s(void);\nint %s(void)\n{\n    return %s;\n}\n' \
        "$2" "${3:-$2}" "$2" "${3:+$3() + }1" > "$work/tree/$1"
    object=$work/tree/${1%/*}/lib_la-${1##*/}
    ${CC:-cc} -c -o "${object%.c}.o" "$work/tree/$1"
}

# tree FILE NAME USED...: the faults of a tree of such sources.
tree() {
    rm -rf "$work/tree"
    while [ $# -ge 3 ]; do
        plant "$1" "$2" "$3"
        shift 3
    done
    symbols "$work/tree" < "$work/tree/sources" | check
}

tree lib/plan/a.c bli_plan bli_shape lib/shape/b.c bli_shape bli_core lib/core/c.c bli_core '' \
    lib/io/d.c bl_npy bl_apply lib/call/e.c bl_apply bli_plan > "$work/faults"
tap_empty "$work/faults" "nothing is found in a tree without faults"
[ ! -s "$work/missing" ]
tap_ok $? "and every source of it has an object"

tree lib/core/a.c bli_core bli_shape lib/shape/b.c bli_shape '' > "$work/planted"
tap_found "$work/planted" "a use of a higher layer is found"
tree lib/shape/a.c bli_shape bl_kernel lib/kernels/b.c bl_kernel '' > "$work/planted"
tap_found "$work/planted" "a use of a layer beside it is found, of a public function too"
tree lib/io/a.c bli_npy bli_call lib/call/b.c bli_call '' > "$work/planted"
tap_found "$work/planted" "a private function used by files is found"
tree lib/plan/a.c bli_a bli_b lib/plan/b.c bli_b bli_c lib/plan/c.c bli_c bli_a > "$work/planted"
grep -q 'files: lib/plan/c.c -> lib/plan/a.c: bli_a' "$work/planted"
tap_ok $? "a circle of three files is found, with its symbols"
tree lib/context/a.c bl_a bl_b compat/rules/b.c bl_b '' compat/rules/c.c bl_c bl_d \
    lib/context/d.c bl_d '' > "$work/planted"
grep -q 'folders: context -> rules: bl_b' "$work/planted"
tap_ok $? "a circle of folders is found where there is none of files"
echo lib/plan/none.c | symbols "$work/tree" > "$work/planted"
tap_found "$work/missing" "a source without an object is found"
tap_done
