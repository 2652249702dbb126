# SPDX-License-Identifier: BSD-3-Clause
# Print every #include that goes against the layers.  Arguments: source files named from
# the top of the tree, as lib/plan/plan.c.

BEGIN {
    # A layer may include itself and what its row lists.
    below["core"] = ""
    below["shape"] = "core"
    below["kernels"] = "core"
    below["machine"] = "core"
    below["plan"] = "shape kernels core"
    below["exec"] = "plan machine shape kernels core"
    below["context"] = "exec plan machine shape kernels core"
    below["tensor"] = "context exec plan machine shape kernels core"
    below["call"] = "tensor context exec plan machine shape kernels core"
    below["ops"] = "call tensor context exec plan machine shape kernels core"
    below["diag"] = "core"
    below["io"] = "core"
    for (layer in below) {
        may[layer, layer] = 1
        count = split(below[layer], names, " ")
        for (i = 1; i <= count; i++)
            may[layer, names[i]] = 1
    }
    public_system["<stdbool.h>"] = public_system["<stddef.h>"] = 1
    public_system["<stdint.h>"] = 1
}

function refuse(why) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why
}

# Whether a name is not that of a header of the tool, which has folders of like names.
function is_private(name,    line, found) {
    found = (getline line < ("tools/broadloom/" name)) < 0
    close("tools/broadloom/" name)
    return found
}

FNR == 1 {
    split(FILENAME, part, "/")
    layer = part[1] == "lib" ? part[2] : part[1]
}

!/^[ \t]*#[ \t]*include[ \t]/ { next }

{
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
    sub(/[ \t]*(\/\*.*)?$/, "", target)
    own = target ~ /^"/
    public = target ~ /^<broadloom(\/[a-z]+)?\.h>$/
    name = target
    gsub(/["<>]/, "", name)
    split(name, folder, "/")
}

target == "<hwloc.h>" && layer != "machine" { refuse("only lib/machine knows hwloc") }

layer == "include" {
    if (own || (!public && !(target in public_system)))
        refuse("public headers stand on each other, stddef, stdint and stdbool")
    next
}

layer in below {
    if (own && target != "\"config.h\"" && !((layer, folder[1]) in may))
        refuse(layer " must not know " folder[1])
    if (target == "<broadloom.h>")
        refuse("include the one public header that is needed")
    next
}

# Files are saved one way, and warnings ask what Torch did.
layer == "compat" && (name == "core/save.h" || name == "diag/change.h") { next }

layer == "compat" || layer == "tools" {
    if (own && (folder[1] in below) && is_private(name))
        refuse(layer " stands on public headers alone")
}
