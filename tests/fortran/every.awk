# SPDX-License-Identifier: BSD-3-Clause
# A Fortran program that calls every procedure of operators and reductions, and compares the
# bytes of results with those of the C interface.  Input: ops.def and reductions.def.

BEGIN {
    FS = ", *"
    count["UNARY"] = count["CONVERT"] = 1
    count["BINARY"] = 2
    count["TERNARY"] = count["SELECT"] = 3
    count["QUATERNARY"] = 4
    code["r"] = 13
    code["n"] = 7
    code["m"] = 1
    print "program every\n  use broadloom\n  use every_types\n  implicit none"
}

# Compare what both have written to variables x and y of a kind, which `before` has set.
function compare(name, before, call_fortran, call_c, kind) {
    print "  call " before "()\n  call " call_fortran "\n  status = " call_c
    print "  call compare('" name "', " kind "x, " kind "y)"
}

/^BL_OP\(/ {
    name = $1
    sub(/BL_OP\( */, "", name)
    kind = $3
    sub(/ *$/, "", kind)
    in_ = $4 ~ /^(INT|BITS) *$/ ? "n" : "r"
    out = $5 ~ /^BOOL *$/ ? "m" : in_
    n = count[kind]
    list = data = dtypes = ""
    for (k = 1; k <= n; k++) {
        of = kind == "SELECT" && k == 1 ? "m" : in_
        list = list (k > 1 ? ", " : "") of k
        data = data (k > 1 ? ", " : "") "c_loc(" of k ")"
        dtypes = dtypes (k > 1 ? ", " : "") code[of]
    }
    c = "c_apply(" $2 ", " n ", [" dtypes "], ["
    compare("bl_" name, "reset", "bl_" name "(" list ", " out "x)",
            c data "], " code[out] ", c_loc(" out "y))", out)
    if (kind == "CONVERT" || kind == "SELECT" || $5 !~ (kind == "BINARY" ? "^(SAME|BOOL) *$" : "^SAME *$"))
        next
    sub(/^[a-z]1/, in_ "x", list)
    sub(/[a-z]1/, in_ "y", data)
    compare("bl_" name "_inplace", "copy", "bl_" name "_inplace(" list ")", c data "], 0, c_null_ptr)", in_)
}

/^BL_REDUCTION\(/ {
    name = $1
    sub(/BL_REDUCTION\( */, "", name)
    out = $4 ~ /^TRUTH *$/ ? "m" : "r"
    compare("bl_" name, "reset", "bl_" name "(r1, " out "x(1))",
            "c_reduce(" $2 ", " code["r"] ", c_loc(r1), " code[out] ", c_loc(" out "y))", out)
}

END {
    print "  print '(i0)', compared\nend program"
}
