# SPDX-License-Identifier: BSD-3-Clause

# Print `start`, then `text` as a comment, within 88 columns.
function say(start, text,    word, line, indent, n, i) {
    line = start "/*"
    indent = sprintf("%" length(line) "s", "")
    n = split(text " */", word, " ")
    for (i = 1; i <= n; i++) {
        # The end of the comment stays on the line of the last word.
        if (i < n && length(line " " word[i] (i == n - 1 ? " */" : "")) > 88) {
            print line
            line = indent
        }
        line = line " " word[i]
    }
    print line
}

# The last field of a row: a string, without its quotes.
function text_of(row) {
    sub(/^.*, "/, "", row)
    sub(/"$/, "", row)
    return row
}
