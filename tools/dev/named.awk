# SPDX-License-Identifier: BSD-3-Clause
# For named.h and paddle.h: each form is an exported function under its description.

function head(description) {
    print ""
    say("", description)
}

function form(name, parms, body) {
    define("BL_NAMED", name, parms, body)
}
