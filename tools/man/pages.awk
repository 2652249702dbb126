# SPDX-License-Identifier: BSD-3-Clause
# Section 3 of the manual: a page for each block of the public headers (blocks.awk), and one for
# each header.  Pages are printed one after another, each behind a line "@page NAME.3"; further
# names of a page are pages that include it.

# Rows of the stream; templates are read as they are.
function row(line,    field, n) {
    n = split(line, field, "\t")
    if (field[1] == "@version") {
        version = field[2]
        split(field[3], date, "-")
        split("January February March April May June July August September October November December", month, " ")
        dated = month[date[2] + 0] " " (date[3] + 0) ", " date[1]
    } else if (field[1] == "@table") {
        rows[field[2], field[3]] = line
    } else if (field[1] == "@note") {
        for (n = split(field[3], names_of, " "); n > 0; n--)
            note[field[2], names_of[n]] = note[field[2], names_of[n]] field[4] "\n\n"
    } else if (field[1] == "@template") {
        template[field[2]] = template[field[2]] field[3] "\n"
    }
}

function page_of_header(h) {
    sub(/\.h$/, "", h)
    sub(/^broadloom\//, "broadloom_", h)
    return h
}

# What <broadloom.h> includes, by whatever way.
function reach(h,    part, n, i) {
    if (h in reached)
        return
    reached[h] = 1
    n = split(includes[h], part, " ")
    for (i = 1; i <= n; i++)
        reach(part[i])
}

function include_of(h) { return h in reached ? "broadloom.h" : h }

function begin_page(page,    i) {
    this_page = page
    page_text = filled = ""
    split("", seen)
    print "@page " page ".3"
    put(".\\\" SPDX-License-Identifier: BSD-3-Clause")
    put(".\\\" Made by tools/dev/generate of the public headers.")
    put(".Dd " dated)
    put(".Dt " toupper(page) " 3")
    put(".Os Broadloom " version)
    put(".Sh NAME")
}

# SEE ALSO: what the text named, pages of section 3, and the overview, sorted.
function end_page(also,    list, part, n, i, k, key, swap) {
    n = split(also, part, " ")
    for (i = 1; i <= n; i++)
        see(part[i], 3)
    see("broadloom", 7)
    delete seen["3 " this_page]
    n = 0
    for (key in seen)
        list[++n] = key
    for (i = 2; i <= n; i++)
        for (k = i; k > 1 && tolower(list[k]) < tolower(list[k - 1]); k--) {
            swap = list[k]
            list[k] = list[k - 1]
            list[k - 1] = swap
        }
    put(".Sh SEE ALSO")
    for (i = 1; i <= n; i++)
        put(".Xr " substr(list[i], 3) " " substr(list[i], 1, 1) (i < n ? " ," : ""))
    printf "%s", page_text
}

function put_names(b,    i) {
    for (i = 1; i <= names[b]; i++)
        if (block_of[name[b, i]] == b)
            put(".Nm " name[b, i] (more_names(b, i) ? " ," : ""))
}

# The name of a block's page: its first function or type, else a macro.
function first_name(b,    i, macro) {
    for (i = names[b]; i > 0; i--)
        if (block_of[name[b, i]] == b && kind[b, i] == "macro")
            macro = name[b, i]
    for (i = 1; i <= names[b]; i++)
        if (block_of[name[b, i]] == b && kind[b, i] != "macro")
            return name[b, i]
    return macro
}

function more_names(b, i) {
    while (++i <= names[b])
        if (block_of[name[b, i]] == b)
            return 1
    return 0
}

function put_function(source,    result, parms, part, n, i) {
    match(source, /[a-z_0-9]+\(/)
    result = substr(source, 1, RSTART - 1)
    sub(/ +$/, "", result)
    put(".Ft " (result ~ / / ? "\"" result "\"" : result))
    put(".Fo " substr(source, RSTART, RLENGTH - 1))
    parms = substr(source, RSTART + RLENGTH)
    sub(/\) *$/, "", parms)
    n = split(parms, part, / *, */)
    for (i = 1; i <= n; i++)
        put(".Fa \"" part[i] "\"")
    put(".Fc")
}

function put_synopsis(b,    i, n, part, in_literal) {
    for (i = 1; i <= names[b]; i++) {
        if (kind[b, i] == "function") {
            if (in_literal) { put(".Ed"); in_literal = 0 }
            put_function(code[b, i])
            continue
        }
        if (!in_literal)
            put(".Bd -literal")
        else if (code[b, i] ~ /\n/)
            put("")
        in_literal = 1
        n = split(code[b, i], part, "\n")
        for (k = 1; k <= n; k++)
            verbatim((k == 1 && kind[b, i] == "macro" && part[k] !~ /^#/ ? "#define " : "") part[k])
    }
    if (in_literal)
        put(".Ed")
}

# Types in the declarations of a block that have pages.
function types_of(b,    i, n, part, list) {
    for (i = 1; i <= names[b]; i++) {
        n = split(code[b, i], part, /[^a-z0-9_]+/)
        for (k = 1; k <= n; k++)
            if (part[k] ~ /^bl_/ && part[k] !~ /^bl_(status|context)$/ && part[k] in page_of)
                list = list " " page_of[part[k]]
    }
    return list
}

function returns_status(b,    i) {
    for (i = 1; i <= names[b]; i++)
        if (kind[b, i] == "function" && code[b, i] ~ /^bl_status /)
            return 1
    return 0
}

function start_block(b, what_it_is) {
    begin_page(first_name(b))
    put_names(b)
    put(".Nd " plain(what_it_is))
    put(".Sh SYNOPSIS")
    put(".In " include_of(header_of[b]))
    put_synopsis(b)
}

function write_block(b,    i, also) {
    start_block(b, about(b))
    put(".Sh DESCRIPTION")
    put_text(text[b])
    if (group[b] != "") {
        put(".Pp")
        put_text(group[b])
    }
    if (kind[b, names[b]] == "function" && intro[header_of[b]] ~ /\n\n[^G]/) {
        put(".Pp")
        put_text(page_of_header(header_of[b]) "(3) says what holds for all functions of <" header_of[b] ">.")
    }
    if (returns_status(b)) {
        put(".Sh RETURN VALUES")
        put(".Dv BL_OK ,")
        put("or another")
        put(".Xr bl_status 3 ;")
        put("then")
        put(".Xr bl_error_message 3")
        put("says what was wrong.")
    }
    for (i = 1; i <= names[b]; i++)
        if (name[b, i] ~ /^bl_tensor_/ && ("bl_layout_" substr(name[b, i], 11)) in page_of)
            also = also " " page_of["bl_layout_" substr(name[b, i], 11)]
    end_page(also types_of(b) " " page_of_header(header_of[b]))
}

# Further names of a block.
function write_aliases(b, page,    i) {
    for (i = 1; i <= names[b]; i++)
        if (block_of[name[b, i]] == b && name[b, i] != page)
            printf "@page %s.3\n.so man3/%s.3\n", name[b, i], page
}

# A header: its introduction, and what it declares.
function write_header(h,    b, o, i, page, words, opaque) {
    page = page_of_header(h)
    begin_page(page)
    put(".Nm " page)
    words = intro[h]
    sub(/\n\nGenerated by .*/, "", words)
    put(".Nd " plain(summary(words)))
    put(".Sh SYNOPSIS")
    put(".In " include_of(h))
    o = orphans[h]
    if (o)
        put_synopsis(o)
    put(".Sh DESCRIPTION")
    put_text(words)
    put(".Pp")
    if (h == headers[1]) {
        put("These are the headers:")
    } else {
        put("The header")
        put(".In " h)
        put("declares:")
    }
    put(".Bl -tag -width Ds")
    for (i = 1; i <= opaque_types; i++) {
        opaque = opaque_type[i]
        if (header_of_type[opaque] == h && !(opaque in block_of)) {
            put(".It Vt " opaque)
            put("an opaque type, described above.")
        }
    }
    for (b = 1; b <= blocks; b++)
        if (header_of[b] == h && b != o && first_name(b) != "") {
            put(".It Xo")
            for (i = 1; i <= names[b]; i++)
                if (block_of[name[b, i]] == b)
                    put(".Xr " name[b, i] " 3" (more_names(b, i) ? " ," : ""))
            put(".Xc")
            put(plain(about(b)))
        }
    for (i = 2; h == headers[1] && i <= header_count; i++) {
        page = page_of_header(headers[i])
        put(".It Xr " page " 3")
        put(plain(summary(intro[headers[i]])))
    }
    put(".El")
    end_page("")
    write_aliases(o, page)
    for (i = 1; i <= opaque_types; i++)
        if (page_of[opaque_type[i]] == page)
            printf "@page %s.3\n.so man3/%s.3\n", opaque_type[i], page
}

# One line on a block; of a row of a table, what follows its name, as in "add: sum".
function about(b,    line, word) {
    line = text[b]
    if (match(line, /^[a-z0-9_]+: /)) {
        word = substr(line, 1, RLENGTH - 2)
        if (first_name(b) ~ ("_" word "$"))
            return substr(line, RLENGTH + 1)
    }
    return summary(line)
}

END {
    for (i = 1; i <= header_count; i++) {
        page_of[page_of_header(headers[i])] = page_of_header(headers[i])
    }
    reach("broadloom.h")
    for (b = 1; b <= blocks; b++)
        for (i = 1; i <= names[b]; i++)
            if (block_of[name[b, i]] == b)
                page_of[name[b, i]] = b == orphans[header_of[b]] ? page_of_header(header_of[b]) : first_name(b)
    for (opaque in header_of_type)
        if (!(opaque in page_of))
            page_of[opaque] = page_of_header(header_of_type[opaque])
    for (i = 1; i <= header_count; i++)
        write_header(headers[i])
    for (b = 1; b <= blocks; b++) {
        if (b == orphans[header_of[b]] || first_name(b) == "")
            continue
        if (row_of(b) != "")
            write_row(b)
        else
            write_block(b)
        write_aliases(b, first_name(b))
    }
}
