# SPDX-License-Identifier: BSD-3-Clause
# The Fortran library's procedures of operators and reductions, from rows of ops.def and
# reductions.def: interfaces of the module (-v target=module) or the C functions.

BEGIN {
    inputs["UNARY"] = inputs["CONVERT"] = "a"
    inputs["BINARY"] = "a, b"
    inputs["TERNARY"] = "a, b, c"
    inputs["QUATERNARY"] = "a, b, c, d"
    inputs["SELECT"] = "mask, a, b"
}

# Print text as Fortran's comment.
function remark(text,    word, line, n, i) {
    n = split(text, word, " ")
    line = "     !>"
    for (i = 1; i <= n; i++) {
        if (length(line " " word[i]) > 94) {
            print line
            line = "     !>"
        }
        line = line " " word[i]
    }
    print line
}

# Print a procedure; `corrects`: it has the option correction, too; `of` is what the C function is called with before the end.
function procedure(name, text, in_, out, option, call,    arguments, parms) {
    arguments = in_ (in_ && out ? ", " : "") out
    if (target == "module") {
        remark(text)
        print "     subroutine bl_" name "(" arguments ", " option \
              (corrects ? ", correction" : "") ", stat, errmsg, ctx) &"
        print "          bind(c, name='blf_" name "')\n       import"
        if (reads)
            print "       type(*), dimension(..), intent(in) :: " reads
        print "       type(*), dimension(..), intent(inout) :: " writes
        print "       integer(c_int), " (option == "dim" ? "dimension(..), " : "") \
              "intent(in), optional :: " option
        if (corrects)
            print "       real(c_double), intent(in), optional :: correction"
        print "@end@"
        return
    }
    parms = arguments
    gsub(/[a-z]+/, "blf_actual &", parms)
    parms = parms ", " (option == "dim" ? "blf_actual dim" : "const int *along") \
            (corrects ? ", const double *correction" : "") \
            ", int *stat, blf_actual errmsg, const blf_context *ctx"
    print "\nBL_API void blf_" name "(" parms ");"
    print "void blf_" name "(" parms ")\n{"
    print "    " call ", (struct blf_end){stat, errmsg, ctx});\n}"
}

function operator(name, kind, result, text,    in_, count, list, rest) {
    in_ = inputs[kind]
    list = "(const blf_actual[]){" in_ "}"
    count = split(in_, _, ",")
    reads = in_
    writes = "out"
    procedure(name, "out = " name "(" in_ "): " text, in_, "out", "along",
              "blf_apply(\"bl_" name "\", BL_OP_" toupper(name) ", " count ", " list ", out, along")
    if (kind == "CONVERT" || kind == "SELECT" || (result != "SAME" && kind result != "BINARYBOOL"))
        return
    rest = in_
    sub(/^a(, )?/, "", rest)
    reads = rest
    writes = "a"
    procedure(name "_inplace", "a = " name "(" in_ ")", in_, "", "along",
              "blf_apply(\"bl_" name "_inplace\", BL_OP_" toupper(name) ", " count ", " list ", NULL, along")
}

function reduction(name, result, text) {
    reads = "a"
    writes = "out"
    corrects = result == "REAL_PART"
    procedure(name, text, "a", "out", "dim",
              "blf_reduce(\"bl_" name "\", BL_REDUCTION_" toupper(name) ", a, out, dim, " \
              (corrects ? "correction" : "NULL"))
}
