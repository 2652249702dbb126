#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# structs.def has every struct of the headers with all members in their order; those whose
# first member is `size` may grow, and the others are the list of frozen ones in base.h.

. "${srcdir:-.}/tests/harness/tap.sh"
headers=${srcdir:-.}/include/broadloom
table=${srcdir:-.}/tests/abi/structs.def

# Each struct of the headers, "STRUCT MEMBER" a line: comments and nested braces are
# dropped, a member's name is the last word of its declaration, of a function's the first.
for header in "$headers"/*.h; do
    case $header in */mpi*.h) ;; *) cat "$header" ;; esac # of a library of their own
done | tr '\n' ' ' | sed 's,/\*,\n/*,g; s,\*/,*/\n,g' | grep -v '^/\*' |
    tr '\n' ' ' | awk '
    {
        while (match($0, /struct bl_[a-z0-9_]+ *\{/)) {
            name = substr($0, RSTART + 7, RLENGTH - 7)
            sub(/ *\{/, "", name)
            $0 = substr($0, RSTART + RLENGTH)
            body = ""
            for (depth = 1; depth > 0; $0 = substr($0, 2)) {
                c = substr($0, 1, 1)
                depth += (c == "{") - (c == "}")
                if (depth == 1 && c != "}")
                    body = body c
            }
            n = split(body, member, ";")
            for (i = 1; i < n; i++) {
                text = member[i]
                if (match(text, /\(\*[a-z_]+\)/))
                    text = substr(text, RSTART + 2, RLENGTH - 3)
                gsub(/\[[^]]*\]/, "", text)
                gsub(/ +$/, "", text)
                sub(/.*[ *]/, "", text)
                print name, text
            }
        }
    }' | sort -s -k 1,1 > "$work/declared"
sed -n 's/^ABI_MEMBER( \([a-z0-9_]*\), \([a-z0-9_]*\),.*/\1 \2/p' "$table" |
    sort -s -k 1,1 > "$work/listed"
[ "$(wc -l < "$work/declared")" -gt 100 ] || echo "too few members" > "$work/faults"
diff "$work/listed" "$work/declared" >> "$work/faults"
tap_empty "$work/faults" "structs.def lists every member of every struct in its order"

awk '$1 != last { print ($2 == "size" ? "SIZED" : "FROZEN"), $1; last = $1 }' \
    "$work/declared" | sort > "$work/kinds"
sed -n 's/^ABI_\(FROZEN\|SIZED\)( \([a-z0-9_]*\),.*/\1 \2/p' "$table" | sort |
    diff - "$work/kinds" > "$work/faults"
tap_empty "$work/faults" "structs.def says which structs may grow"

tr -d '\n' < "$headers/base.h" | sed 's/.*These have no such member//; s/\. .*//' |
    grep -o 'bl_[a-z_]*' | sort > "$work/promised"
sed -n 's/^FROZEN //p' "$work/kinds" | diff "$work/promised" - > "$work/faults"
tap_empty "$work/faults" "base.h lists every frozen struct"
tap_done
