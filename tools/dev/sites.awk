# SPDX-License-Identifier: BSD-3-Clause
# For sites.h: instead of a form, a macro that passes file and line, if the form may warn.

function head(description) {
    print ""
}

function form(name, parms, body,    args) {
    if (kind == "UNARY" || (kind == "CONVERT" && name !~ /_out$/))
        return
    args = parms
    gsub(/[a-z0-9_ ]* \**/, "", args)
    gsub(/,/, ", ", args)
    define("BL_INLINE", name "_from", "const char *file, int32_t line, " parms,
           "    bl_call_site_enter(file, line);\n" \
           "    return bl_call_site_leave(bl_" name "(" args "));")
    print "#define bl_" name "(...) bl_" name "_from(__FILE__, __LINE__, __VA_ARGS__)"
}
