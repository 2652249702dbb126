# SPDX-License-Identifier: BSD-3-Clause

# Print a function that returns a status; `storage` is BL_NAMED or BL_INLINE.
function define(storage, name, parms, body) {
    function_of("BL_MUST_CHECK " storage " bl_status bl_" name "(", parms, body)
}

# Print a function whose first line begins with `line`.  Parameters that do not fit in 88
# columns continue below the first one, or all move to the next line.
function function_of(line, parms, body,    indent, part, wide, n, i) {
    indent = sprintf("%" length(line) "s", "")
    n = split(parms, part, ", ")
    for (i = 1; i <= n; i++) {
        part[i] = part[i] (i < n ? "," : ")")
        if (length(indent part[i]) > 88)
            wide = 1
    }
    if (wide) {
        print line
        line = "   "
        indent = "    "
    }
    for (i = 1; i <= n; i++) {
        if (i > 1 && length(line " " part[i]) > 88) {
            print line
            line = indent part[i]
        } else {
            line = line (i > 1 || wide ? " " : "") part[i]
        }
    }
    printf "%s\n{\n%s\n}\n", line, body
}
