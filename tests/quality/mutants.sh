#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Mutation testing: each fault of mutants.tsv is planted into a copy of the sources, one at a
# time, and one of the test programs that its row names must fail.  There are as many copies
# as processors, so several faults are tried at once: results come in any order.
# usage: mutants.sh [WORD]   only the faults whose row contains WORD
# BROADLOOM_TEST_SHARE=K/N: only every N-th of them; tree.t.sh reads the rows of all.

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
: > "$work/tree/config.h"
cd "$work/tree" || exit 99
export srcdir=.

awk -F '\t' -v word="$word" '!/^#/ && NF && index($1 " " $5, word)' "$list" > "$work/all"
share=${BROADLOOM_TEST_SHARE:-0/1}
awk -v part="${share%/*}" -v parts="${share#*/}" 'NR % parts == part' "$work/all" > "$work/faults"
programs=$(cut -f 4 "$work/faults" | tr ' ' '\n' | sort -u)
# Libraries of their own are left out.
library=$(find lib compat/rules -name '*.c' ! -path 'lib/fortran/*' ! -path 'lib/hdf5/*' ! -path 'lib/mpi/carry/*' \
    ! -path 'lib/mpi/entry/*' | sort)
support=$(grep -L '^int main(' tests/*/*.c |
    grep -v -e tests/th/ -e tests/fortran/ -e tests/hdf5/ -e tests/mpi/ranks/ -e /accuracy_ -e /stack_)
kernels=$(sed -n '/^operator_sources/,/^kernel_sources/s/^[[:blank:]]*\(lib[^ ]*\.c\).*/\1/p' \
    lib/kernels/Makefile.inc)

cat > Makefile << EOF
CC = ${CC:-gcc}
FLAGS = -std=c11 -D_GNU_SOURCE -DNDEBUG -w -fPIC -fopenmp -ffp-contract=off -MMD -I. -Iinclude -Ilib -Icompat -Itests \
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
	\$(CC) -fopenmp -o \$@ \$< -L. -lsupport -lmutant -Wl,-rpath,'\$\$ORIGIN/../..' \$(LIBS)
\$(KERNELS:.c=.o): %.o: %.c
	\$(CC) \$(FLAGS) -O0 -fwrapv -DBLI_ISA_NAME=base -DBLI_ISA_IS_FIRST -c -o \$@ \$<
%.o: %.c
	\$(CC) \$(FLAGS) -O1 -c -o \$@ \$<
-include \$(LIBRARY:.c=.d) \$(SUPPORT:.c=.d)
EOF

build() { # JOBS
    make -s -j"$1" all > build.log 2>&1
}

# passes PROGRAM: false as soon as it reports a failure, or where it crashes or hangs: on a busy
# machine, minutes do not mean that. The line that says so is in the file `noticed`.
passes() {
    { ulimit -t 60
      OMP_NUM_THREADS=2 BROADLOOM_TEST_SEED=1 TMPDIR=$work timeout 300 "./tests/$1.t" 2> /dev/null < /dev/null
      echo "status $?"
    } | grep -m 1 -E '^not ok|^status [1-9]' > noticed
    ! [ -s noticed ]
}

if ! build "$jobs"; then
    tap_note < build.log
    tap_ok 1 "the unchanged sources build"
    tap_done
    exit 1
fi

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
        END { exit !done }' "../tree/$1" > planted && cp planted "$1"
}

# caught PROGRAM...: whether one of them fails.
caught() {
    for program in "$@"; do
        passes "$program" || return 0
    done
    return 1
}

# Take back a fault, with what was built of it, which would be compiled once more.
restore() { # FILE
    cp -p "../tree/$1" "$1"
    find . -type f -newer started ! -name build.log ! -name planted ! -name noticed | while read -r file; do
        cp -p "../tree/$file" "$file" 2> /dev/null
    done
}

# try NUMBER FILE OLD NEW PROGRAMS WHAT: one row; FILE is "-" where nothing is planted.
try() {
    results=$(($1 - 1))
    if [ "$2" = - ]; then
        passes "$5"
        tap_ok $? "$5 passes on the unchanged sources"
        tap_note < noticed
        return
    fi
    : > started
    if ! plant "$2" "$3" "$4"; then
        tap_ok 1 "$2: $6"
        echo "the row's text is not in the file: $3" | tap_note
    elif ! build 1; then
        tap_ok 1 "$2: $6"
        grep error build.log | head -n 3 | tap_note
    else
        # shellcheck disable=SC2086 # programs are words
        caught $5
        tap_ok $? "$2: $6"
    fi
    restore "$2"
}

# Try the rows that no other worker has taken, in a copy of the tree.
work_off() { # COPY
    cp -a ../tree "../$1" && cd "../$1" || return
    number=0
    while IFS="$tab" read -r file old new noticing what; do
        number=$((number + 1))
        mkdir "../taken.$number" 2> /dev/null || continue
        said=$(try $number "$file" "$old" "$new" "$noticing" "$what" < /dev/null)
        printf '%s\n' "$said"
    done < "$work/rows"
}

# Kernels' faults take longest.
{
    for program in $programs; do
        printf -- '-\t-\t-\t%s\t-\n' "$program"
    done
    grep -E '^lib/(kernels|core/tables)/' "$work/faults"
    grep -v -E '^lib/(kernels|core/tables)/' "$work/faults"
} > "$work/rows"
for copy in $(seq "$jobs"); do
    work_off "copy.$copy" &
done
wait
results=$(wc -l < "$work/rows")
tap_done
