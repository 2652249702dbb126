# SPDX-License-Identifier: BSD-3-Clause
# For the tests of the command-line tool, to be sourced: a check of one call.
# The tests run in the source folder.

. "${srcdir:-.}/tests/harness/tap.sh"
cd "$source" || exit 1
unset BROADLOOM_NUM_THREADS BROADLOOM_ISA BROADLOOM_RULES BROADLOOM_OVERLAP \
    BROADLOOM_MAX_GROWTH BROADLOOM_BROADCAST_WARNING BROADLOOM_WARNINGS

# expect STATUS TEXT ARGUMENT...: check the exit status, and the text of both outputs; a
# text in slashes is a pattern that some line must match.
expect() {
    wanted=$1 text=$2
    shift 2
    "$tool" "$@" < /dev/null > "$work/got" 2>&1
    status=$?
    case $text in
        /*/)
            pattern=${text#/}
            grep -q -e "${pattern%/}" "$work/got"
            ;;
        *) [ "$(cat "$work/got")" = "$text" ] ;;
    esac
    found=$?
    [ "$status" -eq "$wanted" ] && [ "$found" -eq 0 ]
    passed=$?
    tap_ok "$passed" "broadloom $*"
    if [ "$passed" -ne 0 ]; then
        echo "status $status, expected $wanted and $text; printed:" | tap_note
        tap_note < "$work/got"
    fi
}
