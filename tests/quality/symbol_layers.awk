# SPDX-License-Identifier: BSD-3-Clause
# Print every use of a symbol that goes against the layers, and every circle among files
# and among folders.  Input: for each object a line "object SOURCE", with the source named
# from the top of the tree, and what `nm -P -g` prints.  -v list: tests/quality/layers.txt.

BEGIN { read_layers(list) }

$1 == "object" { source = $2; next }
$2 ~ /^[ABCDGRST]$/ { home[$1] = source; next }
$2 == "U" { use[source, $1] = 1 }

END {
    for (key in use) {
        split(key, part, SUBSEP)
        if ((part[2] in home) && home[part[2]] != part[1])
            take(part[1], home[part[2]], part[2])
    }
    print_circles(files, symbols, "circle of files")
    print_circles(folders, examples, "circle of folders")
}

# One file uses a symbol of another one.
function take(from, to, symbol,    above, other) {
    above = layer_of(from)
    other = layer_of(to)
    symbols[from, to] = symbols[from, to] " " symbol
    files[from] = files[from] " " to
    if (above == other)
        return
    folders[above] = folders[above] " " other
    examples[above, other] = examples[above, other] " " symbol
    if (!((above, other) in may) && !((above, "public") in may && symbol ~ /^_?(bl|TH)_/))
        printf "%s -> %s: %s must not use %s: %s\n", from, to, above, other, symbol
}

# Mark in reached[start, ...] all that `node` leads to in a graph of lists of names.
function reach(graph, start, node,    names, count, i) {
    count = split(graph[node], names, " ")
    for (i = 1; i <= count; i++) {
        if (!((start, names[i]) in reached)) {
            reached[start, names[i]] = 1
            reach(graph, start, names[i])
        }
    }
}

# Print the edges between nodes that lead to each other, with what makes them.
function print_circles(graph, labels, what,    node, key, pair) {
    split("", reached)
    for (node in graph)
        reach(graph, node, node)
    for (key in labels) {
        split(key, pair, SUBSEP)
        if ((pair[2], pair[1]) in reached)
            printf "%s: %s -> %s:%s\n", what, pair[1], pair[2], shorten(labels[key])
    }
}

# The first few of a list of names.
function shorten(names,    word, count, i, text) {
    count = split(names, word, " ")
    for (i = 1; i <= count && i <= 4; i++)
        text = text " " word[i]
    return count > 4 ? text " and " (count - 4) " more" : text
}
