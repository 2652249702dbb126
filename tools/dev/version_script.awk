# SPDX-License-Identifier: BSD-3-Clause
# From lib/abi.txt to a linker's version script: a node for each release, each after the
# one before it; what the first one does not name is local.

/^#/ { next }
!($2 in symbols) { node[++nodes] = $2 }
{ symbols[$2] = symbols[$2] "    " $1 ";\n" }

# Releases by their minor number: 0.10 comes after 0.9.
function minor(name) {
    sub(/.*\./, "", name)
    return name + 0
}

END {
    for (i = 2; i <= nodes; i++)
        for (k = i; k > 1 && minor(node[k]) < minor(node[k - 1]); k--) {
            swapped = node[k]
            node[k] = node[k - 1]
            node[k - 1] = swapped
        }
    for (i = 1; i <= nodes; i++)
        printf "%s {\n  global:\n%s%s}%s;\n", node[i], symbols[node[i]],
            (i == 1 ? "  local:\n    *;\n" : ""), (i == 1 ? "" : " " node[i - 1])
}
