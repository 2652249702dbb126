# SPDX-License-Identifier: BSD-3-Clause
# From lib/abi.txt and the generated headers to a linker's version script: a node for each
# release, each after the one before it; what the first one does not name is local.  Named
# forms of rows that lib/abi.txt does not have yet belong to the release that is being made.
# usage: awk -v version=0.3.0 -f version_script.awk lib/abi.txt HEADER...

BEGIN {
    split(version, part, ".")
    current = "BROADLOOM_" part[1] "." part[2]
}

function add(symbol, release) {
    if (symbol in known)
        return
    known[symbol] = 1
    if (!(release in symbols))
        node[++nodes] = release
    symbols[release] = symbols[release] "    " symbol ";\n"
}

FNR == 1 { files++ }
files == 1 && !/^#/ { add($1, $2) }
files > 1 && match($0, /BL_NAMED [a-z_ ]* bl_[a-z0-9_]*\(/) {
    symbol = substr($0, RSTART, RLENGTH - 1)
    sub(/.* /, "", symbol)
    add(symbol, current)
}

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
