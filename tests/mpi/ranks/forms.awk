# SPDX-License-Identifier: BSD-3-Clause
# Calls of every operator, function, reduction and dtype of the library's tables, as expressions
# of one result each, from ops.def, functions.def, reductions.def and dtypes.def in this order.
# The variables are x and f, f64[90,37], by rows and by columns; t, f64[6,5,7]; b, f64[37]; c, f32[90,1];
# i, u8[90,37]; k, u8[37].

BEGIN { FS = "[(,][ \t]*" }

# A call with so many arguments of what an operator takes.
function call(name, domain, count) {
    if (domain ~ /^(INT|BITS)/)
        print name "(" substr("i, k, i", 1, 3 * count - 2) ")"
    else
        print name "(" substr("x, b, f, 2", 1, 3 * count - 2) ")"
}

/^BL_OP\(/ {
    gsub(/"/, "", $2)
    domain[toupper($2)] = $5
    counts["UNARY"] = counts["CONVERT"] = 1
    counts["BINARY"] = 2
    counts["TERNARY"] = 3
    counts["QUATERNARY"] = 4
    if ($4 == "SELECT")
        print $2 "(x > b, x, c)"
    else
        call($2, $5, counts[$4])
}

/^FUNCTION\(/ {
    split($0, word, "\"")
    count = index(word[4], "c") ? 3 : index(word[4], "b") ? 2 : 1
    if ($3 == "WHERE")
        print word[2] "(x, x > b, 2)"
    else
        call(word[2], domain[$3], count)
}

/^BL_REDUCTION\(/ {
    print $2 "(x)"
    print $2 "(x, 0)"
    print $2 "(x, -1, keepdim)"
    print $2 "(t, 0, 2)"
    print $2 "(c, 0, 1, keepdim)"
}

/^BL_DTYPE\(/ && $2 == "bf16" { # which NumPy lacks
    print "f32(bf16(x))"
    print "f32(bf16(x) * bf16(b))"
}
/^BL_DTYPE\(/ && $2 != "bf16" {
    print $2 "(abs(x))"
    print $2 "(i) + " $2 "(k)"
}
