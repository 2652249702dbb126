# SPDX-License-Identifier: BSD-3-Clause
# The index of the manual as HTML: a line for each page of sections 7 and 1, and for each header
# the pages that it lists.
# usage: awk -f html.awk FILE.7 ... FILE.1 broadloom.3 broadloom_HEADER.3 ...

function html(text) {
    gsub(/\\e/, "\\", text)
    gsub(/\\-/, "-", text)
    gsub(/\\&/, "", text)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function link_to(page, section) {
    return "<a href=\"" page "." section ".html\">" page "</a>"
}

function heading(text) {
    if (open)
        print "</dl>"
    print "<h2>" text "</h2>\n<dl>"
    open = 1
}

BEGIN {
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1.0\">"
    print "<link rel=\"stylesheet\" href=\"style.css\">\n<title>Broadloom: all pages</title>"
    print "</head>\n<body class=\"index\">\n<h1>Broadloom</h1>"
    print "<p>Element-wise tensor arithmetic with broadcasting, across cores and NUMA nodes.</p>"
}
FNR == 1 {
    page = FILENAME
    sub(/.*\//, "", page)
    section = substr(page, length(page))
    sub(/\.[0-9]$/, "", page)
    in_name = in_list = 0
    if (section == 7 && !guides++)
        heading("Guides")
    else if (section == 1)
        heading("The command-line tool")
}
section != 3 && /^\.SH NAME/ { in_name = 1; next }
in_name && / \\- / {
    sub(/.* \\- /, "")
    print "<dt>" link_to(page, section) "</dt><dd>" html($0) "</dd>"
    in_name = 0
}
/^\.Nd / {
    sub(/^\.Nd /, "")
    if (section == 3 && page == "broadloom")
        heading("Headers: " link_to(page, 3))
    else if (section == 3)
        heading(link_to(page, 3) " <small>" html($0) "</small>")
    else
        print "<dt>" link_to(page, section) "</dt><dd>" html($0) "</dd>"
}
section == 3 && /^\.It Xr / {
    print "<dt>" link_to($3, 3) "</dt>"
    in_list = 1
    next
}
section == 3 && /^\.It Xo/ { printf "<dt>"; in_names = 1; next }
in_names && /^\.Xr / { printf "%s%s", link_to($2, 3), ($4 == "," ? ", " : "") }
in_names && /^\.Xc/ { print "</dt>"; in_names = 0; in_list = 1; next }
in_list && !/^\./ { print "<dd>" html($0) "</dd>"; in_list = 0 }
END { print "</dl>\n</body>\n</html>" }
