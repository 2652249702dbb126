# SPDX-License-Identifier: BSD-3-Clause
# Reads tests/quality/layers.txt, for the tests on includes and on symbols:
#   below[layer]           what its row lists
#   may[layer, other]      set where a layer may use another one, or `public`

function read_layers(list,    line, row, names, count, i) {
    while ((getline line < list) > 0) {
        if (line ~ /^#/ || split(line, row, ": *") < 2)
            continue
        below[row[1]] = row[2]
        may[row[1], row[1]] = 1
        count = split(row[2], names, " ")
        for (i = 1; i <= count; i++)
            allow(row[1], names[i])
    }
    close(list)
}

# A layer may use another one and, since rows come lowest first, all that it may use.
function allow(layer, other,    key, pair, found) {
    may[layer, other] = 1
    for (key in may) {
        split(key, pair, SUBSEP)
        if (pair[1] == other && pair[2] != "public")
            found[layer, pair[2]] = 1
    }
    for (key in found)
        may[key] = 1
}

# The layer of a file that is named from the top of the tree.
function layer_of(file,    part) {
    split(file, part, "/")
    return part[1] == "lib" || part[1] == "compat" ? part[2] : part[1]
}
