# SPDX-License-Identifier: BSD-3-Clause
# Rows of a .def table as a table of the manual, for tbl(1): the name with its inputs, if
# they are in a field, classes of dtypes, the result where it has a word, what it is.
# Which fields they are in: inputs (0: there are none), domain, result.

BEGIN {
    n = split("UNARY=(a) CONVERT=(a) BINARY=(a,b) TERNARY=(a,b,c) QUATERNARY=(a,b,c,d) " \
              "SELECT=(c,a,b) ALL=bifc NUMBER=ifc ORDERED=if REAL=bif INEXACT=fc " \
              "FLOAT=f COMPLEX=c INT=i BITS=bi BOOL=bool REAL_PART=real WIDE=wide TRUTH=truth", pair, " ")
    for (i = 1; i <= n; i++) {
        key = pair[i]
        sub(/=.*/, "", key)
        sub(/.*=/, "", pair[i])
        gsub(/,/, ", ", pair[i])
        words[key] = pair[i]
    }
    print ".TS\nl2 l2 l2 lx.\nname\ttakes\tgives\twhat\n_"
}
{
    text = text_of($0)
    gsub(/-/, "\\-", text)
    name = $1 (inputs ? words[$inputs] : "")
    printf "%s\t%s\t%s\tT{\n.na\n%s\nT}\n", name, words[$domain], words[$result], text
}
END {
    print ".TE"
}
