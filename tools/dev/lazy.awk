# SPDX-License-Identifier: BSD-3-Clause
# For cxx/lazy_operators.hpp: each operator is a function of lazy expressions.

function head(description) {
    print ""
    say("", description)
}

function form(name, parms, body,    args) {
    if (name ~ /_(out|inplace)$/)
        return
    sub(/^bl_context \*ctx, /, "", parms)
    sub(/, bl_tensor \*\*out$/, "", parms)
    args = parms
    gsub(/const bl_array \*/, "", args)
    gsub(/const bl_array \*/, "const expr \\&", parms)
    function_of("[[nodiscard]] inline expr " name "(", parms,
                "    return expr::apply(BL_OP_" toupper(name) ", " args ");")
}
