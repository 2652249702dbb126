# SPDX-License-Identifier: BSD-3-Clause
# For sites.h: instead of a form, a macro that passes file and line, if the form may warn.

function head(description) {
    print ""
}

function form(name, parms, body) {
    if (kind != "UNARY" && (kind != "CONVERT" || name ~ /_out$/))
        place("", name, parms)
}

# The macro of a function that returns `type`; "": a status.
function place(type, name, parms,    args, call) {
    args = parms
    gsub(/[A-Za-z0-9_ ]* \**/, "", args)
    gsub(/,/, ", ", args)
    call = "bl_" name "(" args ")"
    parms = "const char *file, int32_t line, " parms
    if (type == "")
        define("BL_INLINE", name "_from", parms,
               "    bl_call_site_enter(file, line);\n" \
               "    return bl_call_site_leave(" call ");")
    else
        function_of("BL_INLINE " type "bl_" name "_from(", parms,
                    "    bl_call_site_enter(file, line);\n\n" \
                    "    " type "const result = " call ";\n\n" \
                    "    BL_IGNORE(bl_call_site_leave(BL_OK));\n" \
                    "    return result;")
    print "#define bl_" name "(...) bl_" name "_from(__FILE__, __LINE__, __VA_ARGS__)"
}
