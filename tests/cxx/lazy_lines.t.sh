#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lazy expressions, formulas and plans warn of the program's lines, never the headers',
# also without optimisation: each line marked "here" of a program is in the report.

. "${srcdir:-.}/tests/harness/tool.sh"
. "$source/tests/cxx/cxx.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_KEEPDIM_WARNING OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID

cat > "$work/lines.cpp" << 'END'
#include <broadloom/broadloom.hpp>
namespace lazy = broadloom::lazy;
static float a[4] = {0, 1, 2, 3}, b[4] = {0, 10, 20, 30}, c[16], d[16];

static broadloom::tensor returned(const lazy::expr &e)
{
    return e; // here
}
int main()
{
    const auto column = broadloom::view(a, 4, 1);
    const auto row = broadloom::view(b, 4);
    const auto out = broadloom::view(c, 4, 4), other = broadloom::view(d, 4, 4);
    const lazy::expr e = lazy::expr(column) - row;
    const lazy::formula f = lazy::parse("x - y"), g = lazy::parse("x - y; x + 1");
    const lazy::plan held(e), given(f, {column, row});

    broadloom::tensor y = e; // here
    y = e; // here
    y = lazy::expr(row) * column; // here
    y = e.eval(); // here
    e.eval_out(out); // here
    (void)lazy::eval({e, e + 1}); // here
    lazy::eval_out({out, other}, {e, e + 1}); // here
    y = f.eval({column, row}); // here
    (void)g.eval<2>({column, row}); // here
    f.eval_out({out}, {column, row}); // here
    held.execute_out({out}); // here
    held.execute_out({out}, {column, row}); // here
    given.execute_out({out}, {column, row}); // here
    y = broadloom::add(y, lazy::exp(e).eval()); // here
    y = returned(e);
}
END
grep -n '// here' "$work/lines.cpp" | cut -d: -f1 > "$work/wanted"

for options in '-O0' '-O0 -DBROADLOOM_CALL_SITES' '-O2'; do
    # shellcheck disable=SC2086 # a compiler with options is words
    if ! command -v addr2line > "$work/said" 2>&1 ||
        ! $cxx -std=c++17 -g $options $headers -o "$work/lines" "$work/lines.cpp" $link > "$work/said" 2>&1; then
        tap_skip "lines with $options" "no program can be linked, or no addr2line"
        continue
    fi
    "$tool" migrate -o "$work/table" run -- "$work/lines" > "$work/said" 2>&1
    {
        sed -n 's/.*lines.cpp:\([0-9]*\).*/\1/p' "$work/table" | sort -n -u | diff "$work/wanted" -
        grep -e '\.hpp' -e '+0x' "$work/table"
    } > "$work/faults"
    tap_empty "$work/faults" "all places are lines of the program: $options"
done
tap_done
