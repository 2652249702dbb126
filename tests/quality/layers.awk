# SPDX-License-Identifier: BSD-3-Clause
# Print every #include that goes against the layers.  Arguments: source files named from
# the top of the tree, as lib/plan/plan.c.  -v list: tests/quality/layers.txt.

BEGIN {
    read_layers(list)
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
    top = part[1]
    layer = layer_of(FILENAME)
}

!/^[ \t]*#[ \t]*include[ \t]/ { next }

{
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
    sub(/[ \t]*(\/\*.*)?$/, "", target)
    own = target ~ /^"/
    public = target ~ /^<broadloom(\/[a-z0-9_]+)?\.h>$/
    name = target
    gsub(/["<>]/, "", name)
    split(name, folder, "/")
}

target == "<hdf5.h>" && layer != "hdf5" { refuse("only lib/hdf5 knows HDF5") }
FILENAME ~ /^lib\/mpi\/spread\// && (target == "<mpi.h>" || (own && target !~ /^"mpi\/spread\//)) {
    refuse("the planner of ranks stands on public headers alone")
}
# What includes it calls MPI: the public header only names types.
target == "<mpi.h>" && FILENAME !~ /^(lib\/mpi\/carry\/|include\/broadloom\/mpi_grid\.h)/ && top != "tests" {
    refuse("only lib/mpi/carry calls MPI")
}
target == "<hwloc.h>" && layer != "machine" { refuse("only lib/machine knows hwloc") }

top == "include" {
    if (own || (!public && !(target in public_system) &&
                target FILENAME != "<mpi.h>include/broadloom/mpi_grid.h"))
        refuse("public headers stand on each other, stddef, stdint and stdbool")
    next
}

top == "lib" {
    if (own && target !~ /^"(build|config)\.h"$/ && !((layer, folder[1]) in may))
        refuse(layer " must not know " folder[1])
    if (target == "<broadloom.h>")
        refuse("include the one public header that is needed")
    next
}

# The planner of ranks is a part of the tool, too.
top == "tools" && name ~ /^mpi\/spread\// { next }

# Structs with a size are read in one way.
layer == "rules" && name == "core/sized.h" { next }

top == "compat" || top == "tools" {
    if (own && (folder[1] in below) && is_private(name))
        refuse(top " stands on public headers alone")
}
