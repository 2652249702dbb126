# SPDX-License-Identifier: BSD-3-Clause
# awk -f installed.awk -v parts=' shared th ' installed.txt FILES: files that are installed
# and not listed, and lines of the list that stand for no file.  The first file is the list.

# The pattern of a line as a regular expression: * stands for anything in one folder.
function pattern(text) {
    gsub(/[.+]/, "[&]", text)
    gsub(/[*]/, "[^/]*", text)
    return "^" text "$"
}
# Whether the installation has all parts of a line, which have commas between.
function holds(list,    part, n, i) {
    n = split(list, part, ",")
    for (i = 1; i <= n; i++)
        if (!index(parts, " " part[i] " "))
            return 0
    return 1
}
FNR == NR {
    if (!/^#/ && NF && holds($2))
        line[++count] = $1
    next
}
{
    listed = 0
    for (i = 1; i <= count; i++)
        if ($0 ~ pattern(line[i]))
            listed = found[i] = 1
    if (!listed)
        print $0 ": installed, not listed"
}
END {
    for (i = 1; i <= count; i++)
        if (!found[i])
            print line[i] ": listed, not installed"
}
