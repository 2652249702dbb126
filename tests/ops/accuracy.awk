# SPDX-License-Identifier: BSD-3-Clause
# Insert the worst errors that `tests/ops/accuracy.t --table` prints, the first file, into the
# manual, the second, between its marker lines; prints the manual.

function cell(op, column) {
    return ((op, column) in worst) ? sprintf("%.2f", worst[op, column]) : "-"
}

function table(    i, op) {
    printf "%-12s%7s%7s%7s%10s%8s%7s\n", "operator", "bound", "f32", "f64",
           "f64 base", "c64", "c128"
    for (i = 1; i <= ops; i++) {
        op = name[i]
        printf "%-12s%7s%7s%7s%10s%8s%7s\n", op,
               (op in bound) ? bound[op] : bound_complex[op], cell(op, "f32"),
               cell(op, "f64"), cell(op, "f64base"), cell(op, "c64"), cell(op, "c128")
    }
}

BEGIN { FS = "\t" }

FNR == NR {
    column = $2 == "f64" && $3 == "base" ? "f64base" : $2
    if (!($1 in seen)) {
        seen[$1] = 1
        name[++ops] = $1
    }
    if ($2 == "f32")
        bound[$1] = $5
    bound_complex[$1] = $5
    if (!(($1, column) in worst) || $4 > worst[$1, column])
        worst[$1, column] = $4
    next
}

/^\.\\" accuracy: end/ { skipped = 0 }
!skipped { print }
/^\.\\" accuracy: begin/ {
    skipped = 1
    table()
}
