# SPDX-License-Identifier: BSD-3-Clause
# Write the pages of section3.pages, each to its own file.
# usage: awk -v folder=DIR -f unpack.awk section3.pages

/^@page / {
    if (file != "")
        close(file)
    file = folder "/" $2
    next
}
{ print > file }
