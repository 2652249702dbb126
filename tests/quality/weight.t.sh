#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What kernels weigh, as GCC compiles them with -O2: the library's text, beside that of
# whole expressions and of their register machines; the number of kernels, and what one binary
# operator adds to all instruction sets.

. "${srcdir:-.}/tests/harness/tap.sh"

build=${top_builddir:-.}
library=$build/lib/.libs/libbroadloom.so.1
objects=$build/lib/kernels
most_text=4000000
most_machines=120000
most_kernels=530

# The object of an instruction set's operators: those of avx2 are a library of their own.
operators_of() { # ISA KIND
    case $1 in
    avx2) echo "$objects/.libs/libbli_avx2_operators_la-kernels_$2.o" ;;
    *) echo "$objects/.libs/libbli_$1_la-kernels_$2.o" ;;
    esac
}

# The objects of its register machines.
machines_of() { # ISA
    echo "$objects/registers/.libs/libbli_$1_la-machines.o"
    case $1 in
    avx2) echo "$objects/registers/.libs/libbli_avx2_trees_la-trees.o" ;;
    *) echo "$objects/registers/.libs/libbli_$1_la-trees.o" ;;
    esac
}

for isa in base avx2 avx512; do
    [ -f "$(operators_of $isa integers)" ] || why="no kernels of $isa"
done
strings -a "$library" 2> /dev/null | grep -q '^GCC: ' || why="not GCC's, or no library"
case "${CFLAGS:--O2}" in *-O2*) ;; *) why="CFLAGS=$CFLAGS" ;; esac
if [ -n "$why" ]; then
    tap_skip "the weight of kernels" "$why"
    tap_done
    exit
fi

text_of() { # FILE
    size "$1" | "${AWK:-awk}" 'NR == 2 { print $1 }'
}

text=$(text_of "$library")
for isa in base avx2 avx512; do
    bytes=0
    for object in $(machines_of $isa); do
        bytes=$((bytes + $(text_of "$object")))
    done
    text=$((text - bytes))
    [ "$bytes" -gt 0 ] && [ "$bytes" -le $most_machines ]
    tap_ok $? "the register machines of $isa have $bytes bytes, at most $most_machines"
done
for object in "$build"/lib/expr/.libs/*.o; do
    text=$((text - $(text_of "$object")))
done
[ "$text" -le $most_text ]
tap_ok $? "libbroadloom.so has $text bytes of text beside expressions, at most $most_text"

for isa in base avx2 avx512; do
    # shellcheck disable=SC2086 # it may have options
    ${NM:-nm} -S "$(operators_of $isa integers)" "$(operators_of $isa inexact)" > "$work/$isa"
    count=$(grep -c ' t dense_' "$work/$isa")
    [ "$count" -gt 0 ] && [ "$count" -le $most_kernels ]
    tap_ok $? "$isa has $count kernels, at most $most_kernels"
done

# Symbols of an operator, ..._<operator>_<dtype>, have their sizes in hexadecimal.
for bound in copysign:11500 bitwise_xor:11000 add:25000 maximum:30000 heaviside:40000 eq:52000; do
    name=${bound%:*}
    most=${bound#*:}
    bytes=$(cat "$work/base" "$work/avx2" "$work/avx512" | "${AWK:-awk}" -v name="$name" '
        function number(hex,   n, k) {
            for (k = 1; k <= length(hex); k++)
                n = 16 * n + index("0123456789abcdef", substr(hex, k, 1)) - 1
            return n
        }
        NF == 4 && $4 ~ "^(dense|single|kernel|loops|layout)_" name "_[a-z0-9]+$" {
            bytes += number($2)
        }
        END { print bytes + 0 }')
    [ "$bytes" -gt 0 ] && [ "$bytes" -le "$most" ]
    tap_ok $? "$name has $bytes bytes in three instruction sets, at most $most"
done
tap_done
