# SPDX-License-Identifier: BSD-3-Clause
# The text of comments as mdoc(7).  Paragraphs are filled; names of documented things become
# cross references, `these` arguments, and BL_THESE constants; items of lists begin with "- ";
# lines that are indented, or have columns, stay as they are.
#
# page_of[name]   the page that documents a name
# this_page       the page that is being written
# seen["3 page"]  set for each page that the text names

function see(page, section) { seen[section " " page] = 1 }

function put(text) {
    page_text = page_text text "\n"
    last_line = text
}

function flush_line() {
    if (filled != "")
        put(filled)
    filled = ""
}

# A literal line.
function verbatim(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/)
        text = "\\&" text
    put(text)
}

function plain(text) {
    gsub(/\\/, "\\e", text)
    if (text ~ /^-[0-9]/)
        text = "\\" text
    return text
}

# The macro for a word without the punctuation around it; "" for a plain word.
function macro_of(core, is_call,    h) {
    if (core ~ /^`.*`$/) {
        gsub(/`/, "", core)
        return (core ~ /[ =]/ ? ".Ql \"" : ".Fa \"") plain(core) "\""
    }
    if (core ~ /^<broadloom[a-z_\/]*\.h>$/) {
        gsub(/[<>]/, "", core)
        if (core in is_header)
            see(page_of_header(core), 3)
        return ".In " core
    }
    if (("broadloom/" core) in is_header) {
        h = page_of_header("broadloom/" core)
        see(h, 3)
        return h == this_page ? ".In broadloom/" core : ".Xr " h " 3"
    }
    if (core ~ /^[a-z][a-z_0-9-]*\([1-8]\)$/) {
        h = core
        sub(/\(.*/, "", h)
        core = substr(core, length(h) + 2, 1)
        see(h, core)
        return ".Xr " h " " core
    }
    if ((core in page_of) && page_of[core] != this_page) {
        see(page_of[core], 3)
        return ".Xr " core " 3"
    }
    if (core in page_of)
        return (is_call ? ".Fn " : core ~ /^BL/ ? ".Dv " : ".Vt ") core
    if (is_call && core ~ /^[a-z][A-Za-z_0-9]*$/)
        return ".Fn " core
    if (core ~ /^BL_[A-Z0-9_]*[A-Z0-9]$/)
        return ".Dv " core
    if (core ~ /^BROADLOOM_[A-Z_]*[A-Z]$/)
        return ".Ev " core
    return ""
}

function put_word(word,    lead, tail, core, macro, is_call, n) {
    core = word
    if (match(core, /^[(["]+/)) {
        lead = substr(core, 1, RLENGTH)
        core = substr(core, RLENGTH + 1)
    }
    # open(2) and sum() have parentheses of their own.
    n = match(core, /[A-Za-z_0-9]\(([1-8])?\)/) ? RSTART + RLENGTH : 1
    is_call = n > 1 && core !~ /\([1-8]\)/
    if (match(substr(core, n), /([]).,;:!?"]|'s)+$/) || n > 1) {
        if (n > 1)
            tail = substr(core, n)
        else
            tail = substr(core, RSTART)
        core = substr(core, 1, length(core) - length(tail))
    }
    if (is_call)
        sub(/\(\)$/, "", core)
    macro = tail ~ /^('s)?[]).,;:!?"]*$/ ? macro_of(core, is_call) : ""
    if (macro == "") {
        word = plain(word)
        if (filled == "" && word ~ /^[.']/)
            word = "\\&" word
        if (length(filled " " word) > 78)
            flush_line()
        filled = filled (filled == "" ? "" : " ") word
        # A sentence ends its line.
        if (word ~ /[.!?][)"]*$/)
            flush_line()
        return
    }
    flush_line()
    if (lead != "") {
        gsub(/"/, "\\(dq", lead)
        macro = ".No \\&" lead " Ns " substr(macro, 2)
    }
    if (sub(/^'s/, "", tail))
        macro = macro " Ns \\(cqs"
    while (tail != "") {
        macro = macro (substr(tail, 1, 1) == "\"" ? " Ns \\(dq" : " " substr(tail, 1, 1))
        tail = substr(tail, 2)
    }
    put(macro)
}

function put_words(text,    part, n, i, word) {
    n = split(text, part, / +/)
    for (i = 1; i <= n; i++) {
        word = part[i]
        # What is in backquotes stays together.
        while (word ~ /^[("[]*`[^`]*$/ && i < n)
            word = word " " part[++i]
        if (word != "")
            put_word(word)
    }
}

# A comment: paragraphs, lists, and literal lines.
function put_text(text,    part, n, i, line, in_list, in_literal, has_columns, gap) {
    n = split(text, part, "\n")
    for (i = 1; i <= n; i++) {
        line = part[i]
        if (line == "") {
            gap = 1
            has_columns = 0
            continue
        }
        if (line ~ /^ *- /) {
            flush_line()
            if (in_literal) { put(".Ed"); in_literal = 0 }
            if (!in_list)
                put(".Bl -bullet")
            in_list = 1
            put(".It")
            sub(/^ *- /, "", line)
            put_words(line)
            gap = 0
            continue
        }
        if (in_list && (line ~ /^ /)) {
            if (gap) { flush_line(); put(".Pp") }
            gap = 0
            put_words(line)
            continue
        }
        if (in_list) { flush_line(); put(".El"); in_list = 0; if (!gap) put(".Pp") }
        if (line ~ /^  / || has_columns || line ~ /[^ ]   +[^ ]/) {
            flush_line()
            has_columns = has_columns || line !~ /^  /
            if (in_literal && gap)
                put("")
            if (!in_literal)
                put(".Bd -literal -offset 2n" (gap || last_line ~ /^\.S[hs] / ? "" : " -compact"))
            in_literal = 1
            gap = 0
            gsub(/`/, "", line)
            verbatim(line)
            continue
        }
        if (in_literal) { put(".Ed"); in_literal = 0; gap = 1 }
        if (gap) { flush_line(); if (last_line !~ /^\.(S[hs]|Pp|It)/) put(".Pp") }
        gap = 0
        put_words(line)
    }
    flush_line()
    if (in_list)
        put(".El")
    if (in_literal)
        put(".Ed")
}

# Whether more parentheses are opened than closed.
function is_open(text) { return gsub(/[(]/, "", text) != gsub(/[)]/, "", text) }

# The first sentence of a comment, for a list: short, and without markup.
function summary(text,    line) {
    line = text
    sub(/\n\n.*/, "", line)
    gsub(/\n */, " ", line)
    gsub(/`/, "", line)
    while (gsub(/ \([^()]*\)/, "", line))
        ;
    if (match(line, /[^.][.;]( |$)/))
        line = substr(line, 1, RSTART)
    # A long one ends at a comma or a colon, with as many parentheses as it has.
    while ((length(line) > 100 || is_open(line)) && match(line, /[:,] [^:,]*$/))
        line = substr(line, 1, RSTART - 1)
    sub(/^Broadloom: /, "", line)
    sub(/ *[.:;,]$/, "", line)
    gsub(/\(\)/, "", line)
    if (line ~ /^[A-Z][a-z]*([ ,:-]|$)/)
        line = tolower(substr(line, 1, 1)) substr(line, 2)
    return line
}
