# SPDX-License-Identifier: BSD-3-Clause
# For cxx/operators.hpp: each form is a function of C++ that calls the one of C.

function head(description) {
    print ""
    say("", description)
}

function form(name, parms, body,    args, is_new) {
    sub(/^bl_context \*ctx, /, "", parms)
    is_new = sub(/, bl_tensor \*\*out$/, "", parms)
    args = parms
    gsub(/const bl_array \*/, "", args)
    gsub(/[a-z]+/, "&.get()", args)
    if (name ~ /_(out|inplace)$/)
        sub(/const bl_array \*/, "const result \\&", parms)
    gsub(/const bl_array \*/, "const operand \\&", parms)
    cxx_function(name, parms, "with how = {}", "how.ctx(), " args, is_new)
}

# The type of the result of a function, and its name.
function cxx_named(name, is_new) {
    return (is_new ? "[[nodiscard]] BROADLOOM_INLINE tensor " : "BROADLOOM_INLINE void ") name "("
}

# A reduction with `how` after the parameters `args`, without those that may follow them.
function cxx_shorter(name, args, is_new,    parms) {
    parms = args
    sub(/out/, "const result \\&out", parms)
    sub(/in/, "const operand \\&in", parms)
    sub(/over/, "const axes \\&over", parms)
    function_of(cxx_named(name, is_new), parms ", detail::given how",
                "    " (is_new ? "return " : "") name "(" args (args ~ /over/ ? "" : ", {}") \
                ", keepdim::no, how);")
}

# A function with parameters and options, which calls the C function with `args`; is_new:
# it returns the tensor that the C function creates.
function cxx_function(name, parms, options, args, is_new,    call) {
    call = "(bl_" name ")(" args (is_new ? ", &out" : "") ")"
    call = "how.check(" (args ~ /over[.]/ ? "over.explain(" call ")" : call) ");"
    if (length(call) > 84)
        sub(/ (over.count|d.get)/, "\n             &", call)
    function_of(cxx_named(name, is_new), parms ", " options,
                is_new ? "    bl_tensor *out = nullptr;\n\n    " call "\n    return tensor::adopt(out);" \
                       : "    " call)
}
