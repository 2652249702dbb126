# SPDX-License-Identifier: BSD-3-Clause
# The forms of PaddlePaddle's elementwise functions, from rows of paddle.def.

{
    name = "paddle_elementwise_" $1
    op = "BL_OP_" $2
    both = "const bl_array *x, const bl_array *y, int32_t axis"
    head("elementwise_" $1 ": " text_of($0))
    body = "    const bl_array *const in[] = {x, y};\n" \
           "    const char *const names[] = {\"x\", \"y\"};\n" \
           "    bl_options options = BL_PADDLE_OPTIONS(axis);\n"
    if ($2 != $3) {
        body = body "    const bool is_integer = BL_PADDLE_IS_INTEGER(x) && BL_PADDLE_IS_INTEGER(y);\n" \
               "    const bl_op op = is_integer ? BL_OP_" $3 " : " op ";\n"
        op = "op"
    }
    body = body "\n    options.names = names;\n    return bl_apply"
    form(name, "bl_context *ctx, " both ", bl_tensor **out",
         body "_new(ctx, " op ", 2, in, &options, out);")
    form(name "_out", "bl_context *ctx, const bl_array *out, " both,
         body "(ctx, " op ", out, 2, in, &options);")
    form(name "_inplace", "bl_context *ctx, " both, body "(ctx, " op ", x, 2, in, &options);")
}
