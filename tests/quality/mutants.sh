#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Mutation testing: each fault of mutants.tsv is planted into a copy of the sources, one at a
# time, and one of the test programs that its row names must fail.
# usage: mutants.sh [WORD]   only the faults whose row contains WORD

set -u
srcdir=${srcdir:-.}
cd "$srcdir" || exit 99
srcdir=.
. tests/harness/tap.sh

list=tests/quality/mutants.tsv
word=${1:-}
tab=$(printf '\t')
jobs=$(nproc 2> /dev/null || echo 2)

# ---- a copy that builds by itself, in seconds: one instruction set, shared libraries ----

mkdir "$work/tree" || exit 99
cp -R include lib compat tests "$work/tree"
[ ! -d "$here/include" ] || cp -R "$here/include" "$work/tree"
cp "$here/build.h" "$work/tree"
mkdir -p "$work/pristine"
cp -R lib compat include "$work/pristine"
: > "$work/tree/config.h"
cd "$work/tree" || exit 99
export srcdir=.

programs=$(awk -F '\t' '!/^#/ && NF { print $4 }' "$list" | tr ' ' '\n' | sort -u)
library=$(find lib compat/rules -name '*.c' | sort)
support=$(grep -L '^int main(' tests/*/*.c | grep -v -e tests/th/ -e /accuracy_ -e /stack_)
kernels=$(sed -n '/^kernel_sources/,/[^\\]$/s/^[[:blank:]]*\(lib[^ ]*\.c\).*/\1/p' lib/kernels/Makefile.inc)

cat > Makefile << EOF
CC = ${CC:-gcc}
FLAGS = -std=c11 -D_GNU_SOURCE -DNDEBUG -w -fPIC -fopenmp -ffp-contract=off -MMD -I. -Iinclude -Ilib -Itests \
    $(${PKG_CONFIG:-pkg-config} --cflags hwloc)
LIBS = $(${PKG_CONFIG:-pkg-config} --libs hwloc) -lm
LIBRARY = $(echo $library)
KERNELS = $(echo $kernels)
SUPPORT = $(echo $support)
PROGRAMS = $(echo $programs)
all: libmutant.so \$(PROGRAMS:%=tests/%.t)
libmutant.so: \$(LIBRARY:.c=.o)
	\$(CC) -shared -fopenmp -o \$@ \$^ \$(LIBS)
libsupport.so: \$(SUPPORT:.c=.o)
	\$(CC) -shared -fopenmp -o \$@ \$^ -lm
tests/%.t: tests/%.o libsupport.so | libmutant.so
	\$(CC) -fopenmp -o \$@ \$< -L. -lsupport -lmutant -Wl,-rpath,'\$(CURDIR)' \$(LIBS)
\$(KERNELS:.c=.o): %.o: %.c
	\$(CC) \$(FLAGS) -O0 -fwrapv -DBLI_ISA_NAME=base -c -o \$@ \$<
%.o: %.c
	\$(CC) \$(FLAGS) -O1 -c -o \$@ \$<
-include \$(LIBRARY:.c=.d) \$(SUPPORT:.c=.d)
EOF

build() {
    make -s -j"$jobs" all > build.log 2>&1
}

# runs PROGRAM: false as soon as it reports a failure, or where it crashes or hangs.
passes() {
    ! { OMP_NUM_THREADS=2 BROADLOOM_TEST_SEED=1 timeout 60 "./tests/$1.t" 2> /dev/null
        echo "status $?"
      } | grep -qE '^not ok|^status [1-9]'
}

if ! build; then
    tap_note < build.log
    tap_ok 1 "the unchanged sources build"
    tap_done
    exit 1
fi
for program in $programs; do
    passes "$program"
    tap_ok $? "$program passes on the unchanged sources"
done

# ---- the faults ----

# plant FILE OLD NEW: replace OLD in the first line that holds it; false if none does.
plant() {
    OLD=$2 NEW=$3 awk '
        !done && (at = index($0, ENVIRON["OLD"])) {
            $0 = substr($0, 1, at - 1) ENVIRON["NEW"] \
                 substr($0, at + length(ENVIRON["OLD"]))
            done = 1
        }
        { print }
        END { exit !done }' "../pristine/$1" > planted && cp planted "$1"
}

# survivors: programs that ran the fault and passed.
caught() {
    for program in $1; do
        passes "$program" || return 0
    done
    return 1
}

while IFS="$tab" read -r file old new noticing what; do
    case $file in '#'* | '') continue ;; esac
    case "$file $what" in *"$word"*) ;; *) continue ;; esac
    if ! plant "$file" "$old" "$new"; then
        tap_ok 1 "$file: $what"
        echo "the row's text is not in the file: $old" | tap_note
    elif ! build; then
        tap_ok 1 "$file: $what"
        grep error build.log | head -n 3 | tap_note
    else
        caught "$noticing"
        tap_ok $? "$file: $what"
    fi
    cp "../pristine/$file" "$file"
done < "$list"
tap_done
