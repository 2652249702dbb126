# SPDX-License-Identifier: BSD-3-Clause
# The public headers, read into blocks: a comment at the left margin and the declarations under
# it, up to the next comment.  A header's first comment is its introduction; a comment with no
# declarations is about all blocks after it, up to the next such comment.
#
# Input is a stream: "@header broadloom/x.h" and the header, "@op ..." and other rows, which
# pages.awk reads, one a line with tabs between.
#
# Of block b:   text[b], group[b] (the comment on several blocks), header_of[b], names[b],
#               code[b, i] and kind[b, i] (function, type or macro) of name[b, i]
# Of a header:  intro[h]; block 0 of a header, orphans[h], has what follows the introduction
# Of a name:    block_of[name]; opaque types have none, header_of_type[name] instead, and are
#               opaque_type[1] to [opaque_types] in the headers' order

function start_header(h) {
    header = h
    headers[++header_count] = h
    is_header[h] = 1
    comment = shared = ""
    state = "intro"
}

# Remember a declaration in the block of the last comment.
function declare(what, symbol, source,    i) {
    if (symbol ~ /_$/ || symbol ~ /^BL_(NAMED|API|INLINE|MUST_CHECK|PRINTF|BEGIN_DECLS|END_DECLS)$/) {
        if (state == "comment")
            state = "skipped"
        return
    }
    if (state != "open") {
        block = ++blocks
        header_of[block] = header
        text[block] = state == "comment" ? comment : ""
        group[block] = shared == comment ? "" : shared
        if (state != "comment")
            orphans[header] = block
        state = "open"
    }
    i = ++names[block]
    name[block, i] = symbol
    kind[block, i] = what
    code[block, i] = source
    if (!(symbol in block_of))
        block_of[symbol] = block
}

function end_comment(    heading) {
    sub(/\n+$/, "", comment)
    if (state == "intro") {
        intro[header] = comment
        state = "none"
        return
    }
    heading = sub(/^ *---- [^\n]* ----\n*/, "", comment)
    if (heading)
        shared = comment
    state = "comment"
}

# The name that a declaration gives.
function declared(source) {
    if (source !~ /[{]/ && match(source, /\(\*[a-z0-9_]+\)/))
        return substr(source, RSTART + 2, RLENGTH - 3)
    sub(/;[^;]*$/, "", source)
    if (source ~ /^struct/) {
        sub(/^struct /, "", source)
        sub(/[ \n{].*/, "", source)
    }
    sub(/.*[ \n}*]/, "", source)
    return source
}

function finish(what, source,    symbol) {
    if (what == "function") {
        gsub(/BL_(API|MUST_CHECK|NAMED|INLINE) */, "", source)
        gsub(/BL_PRINTF\([^)]*\)/, "", source)
        gsub(/[ \n]+/, " ", source)
        sub(/ *[;{].*/, "", source)
        symbol = source
        sub(/\(.*/, "", symbol)
        sub(/.*[ *]/, "", symbol)
    } else if (source ~ /^typedef struct [a-z_]+ [a-z_]+;/) {
        opaque_type[++opaque_types] = declared(source)
        header_of_type[declared(source)] = header
        return
    } else {
        symbol = declared(source)
    }
    declare(what, symbol, source)
}

/^@header / { start_header($2); next }
/^@/ { row($0); next }
header == "" { next }

# ---- comments ----

in_comment {
    line = $0
    in_comment = line !~ /\*\/$/
    sub(/ *\*\/$/, "", line)
    sub(/^( \* ?|   )/, "", line)
    comment = comment line "\n"
    if (!in_comment)
        end_comment()
    next
}
/^\/\* SPDX/ { next }
/^\/\*/ {
    # The comment before had no declarations: it is about what follows.
    if (state == "comment")
        shared = comment
    line = $0
    in_comment = line !~ /\*\/$/
    sub(/^\/\* ?/, "", line)
    sub(/ ?\*\/$/, "", line)
    comment = line == "" ? "" : line "\n"
    if (!in_comment)
        end_comment()
    next
}

# ---- declarations ----

in_body { in_body = !/^[}]/; next }
what != "" {
    source = source "\n" $0
}
what == "" && /^#define BL_[A-Z]/ { what = "macro"; source = $0 }
what == "" && /^(BL_API|BL_MUST_CHECK|BL_NAMED)( |$)/ { what = "function"; source = $0 }
what == "" && /^(typedef|struct) / { what = "type"; source = $0 }
/^#include <broadloom\// {
    line = $2
    gsub(/[<>]/, "", line)
    includes[header] = includes[header] " " line
}
what == "macro" && !/\\$/ {
    line = source
    sub(/^#define /, "", line)
    match(line, /^[A-Z0-9_]+(\([^)]*\))?/)
    symbol = substr(line, 1, RLENGTH)
    is_value = symbol !~ /\(/ && source !~ /\n/
    line = symbol
    sub(/\(.*/, "", symbol)
    if (symbol != "BL_VERSION_MAJOR" && source !~ /\n/ && is_value)
        line = source
    declare("macro", symbol, line)
    what = ""
}
what == "function" && /[;{]$/ {
    in_body = /[{]$/
    finish(what, source)
    what = ""
}
what == "function" && /^[{]/ {
    in_body = 1
    finish(what, source)
    what = ""
}
what == "type" {
    # Braces of comments and initialisers are paired.
    opened = gsub(/[{]/, "{", source)
    closed = gsub(/[}]/, "}", source)
    if (opened == closed && /;/ && source ~ /;[^;}]*$/) {
        finish(what, source)
        what = ""
    }
}
