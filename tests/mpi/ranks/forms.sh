# SPDX-License-Identifier: BSD-3-Clause
# broadloom-mpi, a part of tests/mpi/ranks.t.sh, after tool.sh: every function of the library's
# tables and every form of the grammar has the bytes that broadloom eval writes, and what that
# refuses is refused with its text.  In short runs each MPI tries a share of them.

# Forms, of one result each; a line "--" parts those that need expressions of their own.
forms() {
    cat << 'END'
-x + +b
~i & k | i ^ 3
i << 1 >> (k & 3)
x // b % c
-x ** 2 ** 0.5
x - b * c / 3
(x - b) * (c / 3)
(x < b) + (x <= 0) + (x > c) + (x >= b)
(x == x) ^ (i != k)
2 * pi
1e-3
inf - x * nan
e * x
x
x; x
p1 = x - b; p1 * p1
p2 = 3; p3 = p2 * 2; x * p3
max(2, 5) + x
max(x, 0) - max(x, b)
max(x, 0, keepdim) * min(x, -1, keepdim)
sqrt(var(x, 0, keepdim) + 1e-5)
x - mean(x, 0, keepdim) - mean(x, 1, keepdim) + mean(x)
sum(sum(t, 0) * t, 1)
f16(x) * 1.5 + bf16(c) + f32(k)
where(x > mean(b), c, -x)
s * x + sum(s) + s
e3 * e3
sum(e3) + s
mean(o) + o
o * i
u * o + u
c128(x) * (c64(b) + 1)
abs(c128(x) - b)
sum(f, 1, keepdim) + f
f - x
w - w
masked_fill(f, f > 0, 0)
clip(x, -1, 2)
isclose(x, b)
--
dist(x, b) + dist(x, c, 1)
dist(x, f, 0) * dist(t, 2.5, 3) + dist(2.5, 3)
dist(x, b, inf) - dist(x, c, -inf)
dist(c128(x), x * 2, s)
sum_to(x, b)
sum_to(x, c) + sum_to_size(i, k) - sum_to(i, i)
sum_to(x, s) + sum_to(-0.0 * x, x)
sum_to(t, s) * x
--
x - sum_to(x * sum_to(x, b), b) / 90
p4 = x - b; p5 = dist(p4, c); sum_to(p4 * p5, b)
--
masked_select(x, x > b)
masked_select(x, c > 0.5) * 2
masked_select(t, t > 1e9)
masked_select(o, x > 0) + masked_select(s, x > 0)
masked_select(i, k > 60)
masked_select(e3, e3 > 0)
--
sum(masked_select(x, x > 3)) * x
masked_scatter(x, x < b, x * 2)
masked_scatter(c, x < 0, f32(f))
masked_scatter(i, i > k, i ^ 1) + k
masked_scatter(s, x > 1e9, t)
masked_scatter(x, x > 0, masked_select(f * 2, x > 0))
masked_select(masked_scatter(t, t > 1, -t), t > 0)
END
}

# Expressions that are refused, after options.
refused_forms() {
    cat << 'END'
x + t
x & b
i // (k - k)
sum(x, 2)
max(e3)
x +
nothing(x)
x + y
dist(x, t)
dist(i, k)
dist(x, b, c)
dist(x)
sum_to(x, t)
masked_select(x, i)
masked_select(x, t > 0)
masked_scatter(x, x > b, i)
masked_scatter(x, x == x, b)
--rules strict@x - b
--rules paddle --axis 5@x - b
END
}

# Expressions by other rules and grids; all over ranks.
other_forms() {
    cat << 'END'
--rules legacy@x + w; where(x > 0, w, x)
--rules transitional@x * w
--rules paddle --axis 0@x + u; x - 1; sum(x, 0)
--rules modern@x + b
END
}

# Results of each form, by one process and over ranks; of many forms at a time.
form_groups() {
    {
        "${AWK:-awk}" -f "$source/tests/mpi/ranks/forms.awk" "$source/lib/core/tables/ops.def" \
            "$source/lib/expr/functions.def" "$source/lib/core/tables/reductions.def" \
            "$source/lib/core/tables/dtypes.def"
        echo --
        forms
    } | "${AWK:-awk}" '
        function end() { if (text) print text; text = ""; count = 0 }
        $0 == "--" || count >= 55 { end() }
        $0 != "--" { text = text (text ? "; " : "") $0; count += gsub(/;/, ";") + 1 }
        END { end() }'
    other_forms
}

# The arguments of an expression that has options before "@", as words of $words: with one -o for
# each result, in files that begin so, unless that is empty.
form_words() { # LINE BEGIN
    text=${1#*@} words=
    case $1 in *@*) words=${1%%@*} ;; esac
    words="$words $(files "$text") $([ -z "$2" ] || outputs "$text" "$2")"
}

# All of them by one process; form.N is an expression, refused.N another one.
evaluate_forms_apart() {
    array "$work/arrays/k.npy" '37,' 37 "$((seed + 3))"
    array "$work/arrays/u.npy" '90,' 90 "$((seed + 4))"
    array "$work/arrays/e3.npy" '0, 37' 0 1
    array "$work/arrays/s.npy" '' 1 "$((seed + 5))"
    array "$work/arrays/o.npy" '1, 1' 1 "$((seed + 6))"
    array "$work/arrays/w.npy" '3330,' 3330 "$((seed + 7))"
    array "$work/arrays/t.npy" '6, 5, 7' 210 "$((seed + 8))"
    (
        cd "$work/arrays" || exit 1
        for name in w s o t e3; do
            "$tool" eval "f64($name) / 9 - 3" $name=$name.npy -o new.npy && mv new.npy $name.npy
        done
        # The same elements by columns.
        "$tool" eval 'i / f64(7)' i=i.npy -o f.npy &&
            LC_ALL=C sed "s/'fortran_order': False/'fortran_order': True /" f.npy > new.npy && mv new.npy f.npy
        form_groups > forms
        refused_forms > refused
        number=0
        while read -r line; do
            number=$((number + 1))
            form_words "$line" "form.$number"
            # shellcheck disable=SC2086 # words
            "$tool" eval "$text" $words
        done < forms
        number=0
        while read -r line; do
            number=$((number + 1))
            form_words "$line" ''
            # shellcheck disable=SC2086 # words
            "$tool" eval "$text" $words > "refused.$number" 2>&1 && echo "$text is taken"
        done < refused
    ) > "$work/log" 2>&1
    [ ! -s "$work/log" ]
    tap_ok $? "every function and form by one process"
    tap_note < "$work/log"
}

check_forms() { # END RANKS...
    end=$1
    shift
    for count; do
        number=0
        : > "$work/faults"
        while read -r line; do
            number=$((number + 1))
            $is_long || [ $(((number + turn) % 2)) -eq 0 ] || continue
            form_words "$line" "many.$number"
            rm -f "$work"/arrays/many.*
            # shellcheck disable=SC2086 # words
            over "$end" "$count" eval "$text" $words >> "$work/faults" 2>&1
            for file in "$work/arrays/form.$number".*; do
                cmp "$file" "$work/arrays/many.${file#*/form.}" >> "$work/faults" 2>&1 ||
                    echo "$text" | tr ';' '\n' | sed -n "${file##*.$number.}p"
            done
        done < "$work/arrays/forms"
        tap_empty "$work/faults" "${end#.}: every function and form on $count ranks writes what one process does"
    done
}

# What one process refuses, in its words.
check_refused_forms() { # END RANKS
    number=0
    while read -r line; do
        number=$((number + 1))
        $is_long || [ $(((number + turn + seed) % 4)) -eq 0 ] || continue
        form_words "$line" ''
        # shellcheck disable=SC2086 # words
        over "$1" "$2" eval "$text" $words > "$work/printed" 2>&1 && echo "$text is taken"
        grep -E '^(broadloom|    )' "$work/printed" | sed 's/^broadloom-mpi:/broadloom:/' |
            diff "$work/arrays/refused.$number" -
    done < "$work/arrays/refused" > "$work/faults" 2>&1
    tap_empty "$work/faults" "${1#.}: what one process refuses is refused in its words"
}
