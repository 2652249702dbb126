#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One vocabulary: names that were replaced do not come back, and comments and documents
# use the field's terms.  NEWS may name what was renamed.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/harness/files.sh"
lists=tests/quality

edited_files |
    grep -v -E '(^|/)(NEWS|words_[a-z]*\.txt|words\.t\.sh)$|\.(npy|png|pgm|ppm)$' > "$work/files"

# Whole identifiers and names of files that are gone, in FILES.
gone() {
    each "$1" "${AWK:-awk}" '
        FNR == NR { if (!/^#/ && NF) gone[$1] = 1; next }
        {
            rest = $0
            while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
                word = substr(rest, RSTART, RLENGTH)
                if (word in gone) print FILENAME ":" FNR ": " word
                rest = substr(rest, RSTART + RLENGTH)
            }
        }' "$lists/words_gone.txt"
}

# Phrases in a private sense, in comments and documents of FILES.
phrases() {
    grep -v '^#' "$lists/words_phrases.txt" > "$work/phrases"
    each "$1" grep -n -I -i -E -f "$work/phrases"
}

gone "$work/files" > "$work/faults"
tap_empty "$work/faults" "no identifier that was replaced"

sed 's/.*\///' "$work/files" | sort -u > "$work/names"
grep '^# file ' "$lists/words_gone.txt" | sed 's/^# file //' | sort -u |
    comm -12 - "$work/names" > "$work/faults"
tap_empty "$work/faults" "no name of a file that was replaced"

phrases "$work/files" > "$work/faults"
tap_empty "$work/faults" "no phrase in a private sense"

echo 'bli_few_run(&plan);' > "$work/planted.c"
echo "$work/planted.c" > "$work/one"
gone "$work/one" > "$work/planted"
tap_found "$work/planted" "a replaced identifier is found"
echo '/* The result goes past the caches. */' > "$work/planted.c"
phrases "$work/one" > "$work/planted"
tap_found "$work/planted" "a private phrase is found"
tap_done
