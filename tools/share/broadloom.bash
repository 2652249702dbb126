# SPDX-License-Identifier: BSD-3-Clause
# Completion of broadloom and broadloom-mpi for bash, installed as
# bash-completion/completions/broadloom, and by the name of each broadloom-mpi.  The tool
# itself says which words may stand where; where it knows none, bash completes files.

_broadloom() {
    local IFS=$'\n'

    COMPREPLY=($("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
    # The extents of an operand follow its dtype at once.
    [[ ${COMPREPLY[0]-} != *\[ ]] || compopt -o nospace 2> /dev/null
}
complete -o default -F _broadloom broadloom broadloom-mpi broadloom-mpi-{mpich,openmpi,abi}
