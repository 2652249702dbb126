#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Completion of command lines, by the tool's own tables, and in the shells.

. "${srcdir:-.}/tests/harness/tool.sh"

# offers WORDS... : CANDIDATE...: what the tool offers for the last word.
offers() {
    expected=$1
    shift
    "$tool" --complete "$@" > "$work/got" 2>&1
    [ "$(tr '\n' ' ' < "$work/got")" = "${expected:+$expected }" ]
    passed=$?
    tap_ok "$passed" "completion of: $*"
    [ "$passed" -eq 0 ] || tap_note < "$work/got"
}

offers 'eval shape plan audit trace topo bench migrate --help --version' ''
offers 'plan' pl
offers '--version' --v
offers '' spin ''
offers '--rules' eval --ru
offers '--json --svg --help' topo --
offers '--json --svg --help' topo -
offers 'modern strict paddle transitional legacy' eval --rules ''
offers 'transitional' plan --op add --rules t
offers '--rules=strict' eval --rules=st
offers 'strict' eval --rules = st
offers 'exact precise' shape --warn =
offers 'text json sarif html lines' shape --batch --report ''
offers '' migrate --baseline ''
offers "logaddexp logical_and logical_or logical_xor logical_not log log2 log10 log1p" plan --op log
offers 'c64 c128' audit --dtype c
offers 'one spread team' audit --touch ''
offers 'value shape fallback' migrate --fail-on ''
offers '' eval --output ''
offers '' eval -o x
offers '' plan --threads ''
offers 'bool[ bf16[' plan b
offers '--ranks --rank' plan --rank
offers 'small' plan --move s
offers 'report run' migrate r
offers 'fix' migrate fi
offers '--as-it-was' migrate --as
offers '' bench ''

# Every option of every command completes.
for command in eval shape plan topo audit trace bench migrate; do
    "$tool" $command --help | sed -n 's/^ .*\(--[a-z-]*\).*/\1/p' | sort > "$work/options"
    "$tool" --complete $command -- | sort | diff "$work/options" - > "$work/faults"
    tap_empty "$work/faults" "all options of $command"
done

# The words that bash would offer for a command line.
if command -v bash > /dev/null; then
    cat > "$work/complete.bash" << 'END'
. tools/share/broadloom.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_broadloom "$1"
echo "${COMPREPLY[*]}"
complete -p broadloom-mpi-mpich
END
    printf 'strict\ncomplete -o default -F _broadloom broadloom-mpi-mpich\n' > "$work/want"
    bash "$work/complete.bash" "$tool" plan --rules st 2>&1 | diff "$work/want" - > "$work/faults"
    tap_empty "$work/faults" 'bash offers what the tool does'
    printf '\ncomplete -o default -F _broadloom broadloom-mpi-mpich\n' > "$work/want"
    bash "$work/complete.bash" "$work/no-tool" plan --ru 2>&1 | diff "$work/want" - > "$work/faults"
    tap_empty "$work/faults" 'and nothing where there is no tool'
else
    tap_skip 'bash offers what the tool does' 'bash is not installed'
fi
if command -v zsh > /dev/null; then
    cat > "$work/complete.zsh" << 'END'
_files() { print files }
compadd() { print -- $@ }
words=("$@")
CURRENT=$#
. tools/share/_broadloom
END
    {
        zsh -f "$work/complete.zsh" "$tool" plan --rules st
        zsh -f "$work/complete.zsh" "$tool" plan bo
        zsh -f "$work/complete.zsh" "$tool" plan --svg ''
    } > "$work/got" 2>&1
    printf '%s\n' '-- strict' '-S -- bool[' files | diff - "$work/got" > "$work/faults"
    tap_empty "$work/faults" 'zsh offers what the tool does'
else
    tap_skip 'zsh offers what the tool does' 'zsh is not installed'
fi
tap_done
