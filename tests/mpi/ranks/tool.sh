# SPDX-License-Identifier: BSD-3-Clause
# broadloom-mpi, a part of tests/mpi/ranks.t.sh: what it computes and writes is byte by byte what
# broadloom eval does.

# In short runs each is tried by every second MPI, on one number of ranks.
expressions() {
    cat << 'END'
x + b
x * c - mean(x, 0, keepdim)
-x / std(x)
d = x - mean(x, -1, keepdim); d / sqrt(mean(d * d, -1, keepdim) + 1e-5)
f32(x) + i ** 2
where(x < 0, -x, b); 2 * 3
sum(x * i, 0)
(i & 6) // 2 << 1
max(x, 1); min(x, 0, keepdim); var(c)
b - c
f16(x + x) == f16(2 * x)
x + mean(f32(i)) - prod(b / b)
END
}

# array FILE SHAPE COUNT SEED: of u8 from 1 to 126.
array() {
    {
        printf '\223NUMPY\001\000v\000'
        printf '%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': ($2), }"
        ${AWK:-awk} -v count="$3" -v seed="$4" \
            'BEGIN { srand(seed); while (count-- > 0) printf "%c", 1 + int(rand() * 126) }'
    } > "$1"
}

# over END RANKS ARGUMENT...
over() {
    mpi=${1#.} at=$work/mpi$1 count=$2
    shift 2
    (cd "$work/arrays" && timeout 60 "mpiexec${mpi:+.}$mpi" -n "$count" "$at/broadloom-mpi" "$@") < /dev/null
}

# Each expression by one process, into a folder of its own.
evaluate_apart() {
    mkdir "$work/arrays"
    array "$work/arrays/i.npy" '90, 37' 3330 "$seed"
    array "$work/arrays/c.npy" '90, 1' 90 "$((seed + 1))"
    array "$work/arrays/b.npy" '37,' 37 "$((seed + 2))"
    (
        cd "$work/arrays" || exit 1
        "$tool" eval 'f64(i) / 7 - 9' i=i.npy -o x.npy &&
            "$tool" eval 'f64(b) / 3; f32(c) / 11' b=b.npy c=c.npy -o B.npy -o C.npy &&
            mv B.npy b.npy && mv C.npy c.npy
        number=0
        expressions | while read -r text; do
            number=$((number + 1))
            # shellcheck disable=SC2046 # files are words
            "$tool" eval "$text" $(files "$text") $(outputs "$text" one.$number)
        done
    ) > "$work/log" 2>&1
    [ ! -s "$work/log" ]
    tap_ok $? "expressions by one process"
    tap_note < "$work/log"
}

# The files that an expression names, and one for each of its results.
files() {
    for name in x b c i k t s e3 o u f w; do
        ! echo "$1" | grep -q "\<$name\>" || echo "$name=$name.npy"
    done
}
outputs() { # TEXT BEGIN
    echo "$1" | tr ';' '\n' | grep -v ' = ' | sed "s/.*/-o $2./" | cat -n |
        sed 's/^ *\([0-9]*\)[^-]*\(.*\)/\2\1.npy/'
}

check_tool() { # END
    number=0
    turn=$((${turn:-0} + 1))
    expressions > "$work/expressions"
    : > "$work/faults"
    while read -r text; do
        number=$((number + 1))
        $is_long || [ $(((number + turn) % 2)) -eq 0 ] || continue
        if $is_long; then counts=$tool_ranks; else counts=$((number / 2 % 4 + 1)); fi
        for count in $counts; do
            grid=
            [ "$count$((number % 3))" != 40 ] || grid="--grid 2x2"
            rm -f "$work"/arrays/many.*
            # shellcheck disable=SC2046,SC2086 # files are words
            over "$1" $count eval "$text" $grid $(files "$text") $(outputs "$text" many.$number) \
                >> "$work/faults" 2>&1
            for file in "$work"/arrays/one.$number.*; do
                cmp "$file" "$work/arrays/many.${file#*/one.}" >> "$work/faults" 2>&1 ||
                    echo "$count ranks: $text" >> "$work/faults"
            done
        done
    done < "$work/expressions"
    tap_empty "$work/faults" "${1#.}: broadloom-mpi writes what broadloom eval writes"

    over "$1" 3 eval 'c - 1.5' c=c.npy > "$work/got" 2>&1
    (cd "$work/arrays" && "$tool" eval 'c - 1.5' c=c.npy) | diff - "$work/got" > "$work/faults"
    tap_empty "$work/faults" "${1#.}: broadloom-mpi prints what broadloom eval prints"

    while IFS='|' read -r wanted arguments; do
        number=$((number + 1))
        $is_long || [ $(((number + turn) % 2)) -eq 0 ] || continue
        # shellcheck disable=SC2086 # words
        over "$1" 2 eval $arguments > "$work/got" 2>&1
        [ $? -ne 0 ] && [ "$(grep -c "^broadloom-mpi: .*$wanted" "$work/got")" -eq 1 ] ||
            { echo "$wanted:" && cat "$work/got"; }
    done > "$work/faults" << 'END'
b=b.npy is given|x x=x.npy b=b.npy
none.npy: cannot be opened|x x=none.npy
no/such.npy: cannot be written|x x=x.npy -o no/such.npy
ZeroDivisionError|i//(i-i) i=i.npy
unknown option|x x=x.npy --fast
eval: the expression has 1 result, and there are 2 -o|x x=x.npy -o y.npy -o z.npy
convert them from and to NPY|x x=x.h5:/x
convert them from and to NPY|x x=x.npy -o y.h5:/y
END
    tap_empty "$work/faults" "${1#.}: broadloom-mpi refuses with one message"
}
