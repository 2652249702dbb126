# SPDX-License-Identifier: BSD-3-Clause
# A page of mandoc's HTML with links to the pages that there are, and to no others: mandoc links
# all cross references of mdoc(7), and none of man(7).
# usage: ls *.html | awk -f links.awk - FILE

FNR == NR { exists[$0] = 1; next }
{
    sub(/<body>/, "&<nav><a href=\"index.html\">Broadloom: all pages</a></nav>")
    done = ""
    while (match($0, /<a class="Xr" href="[^"]*">[^<]*<\/a>|<b>[a-z_-]+<\/b>\([1-8]\)/)) {
        link = substr($0, RSTART, RLENGTH)
        before = substr($0, 1, RSTART - 1)
        $0 = substr($0, RSTART + RLENGTH)
        text = link
        gsub(/<[^>]*>/, "", text)
        page = text
        sub(/\(/, ".", page)
        sub(/\)/, ".html", page)
        if (page in exists)
            link = "<a class=\"Xr\" href=\"" page "\">" text "</a>"
        else if (link ~ /^<a/)
            link = text
        done = done before link
    }
    print done $0
}
