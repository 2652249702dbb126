#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The installed examples and the tutorial, with an installation that was moved, by the system's
# compiler.  `make installcheck` tries them with GCC and with Clang.

. "${srcdir:-.}/tests/harness/tap.sh"
read -r prefix rest <<EOF
$(MAKEFLAGS= "${MAKE:-make}" -s --no-print-directory -C "$here" list-folders)
EOF
cp -RP "$here/tests/examples/stage$prefix" "$work/moved"
examples=$(dirname "$(find "$work/moved" -path '*/examples/check')")

# Its results become those of this test.
COMPILERS=cc "$examples/check" "$work/moved" > "$work/results"
while IFS= read -r line; do
    name=${line#* - }
    case $line in
    ok*' # SKIP '*) tap_skip "${name% # SKIP *}" "${name#* # SKIP }" ;;
    ok*) tap_ok 0 "$name" ;;
    not*) tap_ok 1 "$name" ;;
    1..*) ;;
    *) echo "$line" ;;
    esac
done < "$work/results"
test "$(grep -c -E '^(not )?ok' "$work/results")" -eq "$(grep -c '^[^#]' "$examples/list.txt")"
tap_ok $? "each line of list.txt was tried"

cp -R "$examples" "$work/copy"
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name broadloom.pc)") COMPILERS=cc \
    "$work/copy/check" "$work" heat.c > "$work/results"
grep -q '^ok [^#]*$' "$work/results"
passed=$?
tap_ok "$passed" "a copy of the examples finds the library by pkg-config"
[ "$passed" -eq 0 ] || tap_note < "$work/results"

sed -i.old s/3/4/ "$examples/expected/heat.txt" "$examples/tutorial.md"
COMPILERS=cc "$examples/check" "$work/moved" heat.c tutorial.md > "$work/planted"
grep -q '^not ok' "$work/planted" && ! grep -q '^ok [^#]*$' "$work/planted"
tap_ok $? "outputs that differ are found"
tap_done
