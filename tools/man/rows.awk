# SPDX-License-Identifier: BSD-3-Clause
# Pages of the named forms: what their rows in the tables say, in the words of the templates
# operator.3.in and reduction.3.in, and of notes.txt.

BEGIN {
    table_of["broadloom/named.h"] = "op"
    table_of["broadloom/reductions.h"] = "reduction"

    classes["ALL"] = "bifc"; classes["NUMBER"] = "ifc"; classes["ORDERED"] = "if"
    classes["REAL"] = "bif"; classes["INEXACT"] = "fc"; classes["FLOAT"] = "f"
    classes["COMPLEX"] = "c"; classes["INT"] = "i"; classes["BITS"] = "bi"

    operands["UNARY"] = operands["CONVERT"] = "a"
    operands["BINARY"] = "a b"
    operands["TERNARY"] = "a b c"
    operands["QUATERNARY"] = "a b c d"
    operands["SELECT"] = "c a b"
}

# The row of a block: "op<TAB>add", or "" where it has none.
function row_of(b,    key) {
    key = text[b]
    sub(/:.*/, "", key)
    key = table_of[header_of[b]] SUBSEP key
    return (key in rows) ? key : ""
}

function dtypes_of(domain,    c) {
    c = classes[domain]
    put(".Bl -tag -width floating-point -compact")
    if (c ~ /b/)
        put(".It boolean\nbool")
    if (c ~ /i/)
        put(".It integer\nu8, i8, u16, i16, u32, i32, u64, i64")
    if (c ~ /f/)
        put(".It floating-point\nf16, bf16, f32, f64")
    if (c ~ /c/)
        put(".It complex\nc64, c128")
    put(".El")
}

# What becomes of dtypes that an operator or a reduction does not compute in.
function other_dtypes(word, domain,    c) {
    c = classes[domain]
    if (("dtypes", word) in note)
        return note["dtypes", word]
    if (c ~ /f/ && c !~ /i/)
        return "Integers and booleans are computed in f32." (c ~ /c/ ? "" : "  Complex numbers are refused.")
    return domain == "ALL" ? "" : "Other dtypes are refused."
}

# Whether a block declares a name with this ending.
function has_form(b, ending,    i) {
    for (i = 1; i <= names[b]; i++)
        if (name[b, i] == first_name(b) ending)
            return 1
    return 0
}

# The errors that tests found, from the table in broadloom(1).
function put_accuracy(word,    field, dtype, line, i) {
    split(rows["accuracy", word], field, "\t")
    split("f32,f64,f64 without fused multiplication,c64,c128", dtype, ",")
    for (i = 1; i <= 5; i++)
        if (field[i + 4] != "-")
            line = line (line == "" ? "" : ", ") field[i + 4] " in " dtype[i]
    put_text("The largest errors at the arguments that the tests try are, in units in the last" \
        " place: " line ". Real results are allowed " field[4] \
        "; f16 and bf16 are computed in f32 and rounded. See broadloom(1).")
}

# SPECIAL VALUES and ACCURACY, where there is something to say.
function put_notes(word, field,    said) {
    said = note["special", word]
    if (index(field[8], word "(") == 1 && classes[field[5]] ~ /f/)
        said = said "Infinities, NaN and zeros of either sign, of real numbers, give what the C function " \
            word "(3) gives (Annex F of the C standard).\n\n"
    if (said != "") {
        put(".Sh SPECIAL VALUES")
        put_text(said)
    }
    if (("accuracy", word) in rows || ("accuracy", word) in note) {
        put(".Sh ACCURACY")
        put_text(note["accuracy", word])
        if (("accuracy", word) in rows)
            put_accuracy(word)
    }
}

# A call over arrays of C, in lines of a page's width.
function put_example(word, kind,    part, n, i, line, next_one) {
    n = split(operands[kind], part, " ")
    line = "if (bl_" word "_out(NULL, BL_VIEW(r, n, m),"
    for (i = 1; i <= n; i++) {
        next_one = " BL_VIEW(" part[i] (i == n && n > 1 ? ", m)" : ", n, m)") (i < n ? "," : ") != BL_OK)")
        if (length(line next_one) > 68) {
            verbatim(line)
            line = "       "
        }
        line = line next_one
    }
    verbatim(line)
}

function write_row(b,    key, table, word, field, part, n, i) {
    key = row_of(b)
    split(rows[key], field, "\t")
    table = field[2]
    word = field[3]
    # What the template asks for: @if_BINARY, @if_BOOL, @if_max
    facts = " " word " " field[4] " " field[5] " " field[6] " " field[7] " "
    start_block(b, about(b))
    n = split(template[table], part, "\n")
    for (i = 1; i < n; i++) {
        while (part[i] ~ /^@if_/) {
            key = part[i]
            sub(/ .*/, "", key)
            if (!(key == "@if_inplace" ? has_form(b, "_inplace") : index(facts, " " substr(key, 5) " ")))
                break
            sub(/^@[^ ]* /, "", part[i])
        }
        if (part[i] ~ /^@if_/)
            continue
        gsub(/@name@/, word, part[i])
        if (part[i] == "@text@")
            put_text(about(b))
        else if (part[i] == "@dtypes@")
            dtypes_of(table == "op" ? field[5] : field[4])
        else if (part[i] == "@integers@")
            put_text(other_dtypes(word, field[5]))
        else if (part[i] == "@halves@") {
            if (classes[field[5]] ~ /f/ && field[7] != "BITWISE" && field[6] != "BOOL")
                put("f16 and bf16 are computed in f32 and rounded once.")
        }
        else if (part[i] == "@notes@")
            put_notes(word, field)
        else if (part[i] == "@example@")
            put_example(word, field[4])
        else if (part[i] ~ /^\.Xr /) {
            split(part[i], xr, " ")
            see(xr[2], xr[3])
            put(part[i])
        } else
            put(part[i])
    }
    end_page(types_of(b) " " page_of_header(header_of[b]))
}
