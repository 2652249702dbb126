# SPDX-License-Identifier: BSD-3-Clause
# The named forms of each operator, from rows of ops.def.

BEGIN {
    inputs["UNARY"] = inputs["CONVERT"] = "a"
    inputs["BINARY"] = "a, b"
    inputs["TERNARY"] = "a, b, c"
    inputs["QUATERNARY"] = "a, b, c, d"
    inputs["SELECT"] = "c, a, b"
}
{
    name = $1
    kind = $3
    result = $5
    list = parms = inputs[kind]
    count = gsub(/[a-d]/, "const bl_array *&", parms)
    head(name ": " text_of($0))
    body = "    const bl_array *const in[] = {" list "};\n\n    return bl_apply"
    op = "(ctx, BL_OP_" toupper(name)
    in_ = ", " count ", in, NULL"
    form(name, "bl_context *ctx, " parms ", bl_tensor **out", body "_new" op in_ ", out);")
    form(name "_out", "bl_context *ctx, const bl_array *out, " parms, body op ", out" in_ ");")
    if (kind != "CONVERT" && kind != "SELECT" && (result == "SAME" || kind result == "BINARYBOOL"))
        form(name "_inplace", "bl_context *ctx, " parms, body op ", a" in_ ");")
}
