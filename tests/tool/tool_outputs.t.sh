#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool's files: what is refused before work begins, and what stays as it was.

. "${srcdir:-.}/tests/harness/tool.sh"

# npy SHAPE BYTES NAME: a file of NumPy's; bytes as printf has them.
npy() {
    {
        printf '\223NUMPY\001\000v\000'
        printf '%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': $1, }"
        # shellcheck disable=SC2059
        printf "$2"
    } > "$work/$3.npy"
}
npy '(3,)' '\001\002\003' x
npy '(2,)' '\001\002' y
x=$work/x.npy

# ---- eval: before evaluating ----

# early TEXT FILE: what is said of a result's file, and not that the shapes differ.
early() {
    expect 1 "broadloom: $1" eval 'x + y' x="$x" y="$work/y.npy" -o "$2"
}

printf '\211HDF\r\n\032\nand more' > "$work/run"
cp "$work/run" "$work/run.old"
early "$work/run: an HDF5 file is not replaced by an NPY file: name a dataset, as in $work/run:/x" \
    "$work/run"
expect 1 '/an HDF5 file is not replaced/' eval 'x; x' x="$x" -o "$work/other.npy" -o "$work/run"
cmp -s "$work/run" "$work/run.old" && [ ! -e "$work/other.npy" ]
tap_ok $? 'nothing is written'

# misnamed FILE TEXT: a name that would be that of an NPY file, but looks like HDF5's.
misnamed() {
    expect 2 "/^broadloom: eval: $1: $2$/" eval x x="$x" -o "$1"
    [ ! -e "$1" ]
    tap_ok $? 'there is no such file'
}
for file in "$work/out.h5" "$work/out.hdf5" "$work/.h5"; do
    misnamed "$file" "no dataset is named, as in $file:/x"
    misnamed "$file:" "no dataset is named, as in $file:/x"
    misnamed "$file:q" "a dataset begins with /, as in $file:/q"
    misnamed "$file:g/q" "a dataset begins with /, as in $file:/g/q"
done
misnamed "$work/out:" "no dataset is named, as in $work/out:/x"
cp "$x" "$work/out.h5:there"
expect 0 '' eval x x="$x" -o "$work/out.h5:there"
expect 0 '' eval x x="$x" -o "$work/out.h5.npy"
early "$work/none/y.npy: cannot be written: No such file or directory" "$work/none/y.npy"
early "$x/y.npy: cannot be written: Not a directory" "$x/y.npy"
early "$work: cannot be written: Is a directory" "$work"
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 500 "$work/closed"
    early "$work/closed/y.npy: cannot be written: Permission denied" "$work/closed/y.npy"
    cp "$x" "$work/kept.npy"
    chmod 400 "$work/kept.npy"
    early "$work/kept.npy: cannot be written: Permission denied" "$work/kept.npy"
else
    tap_skip 'folders and files without the right to write' 'root may write everywhere'
fi
ln -s later.npy "$work/link.npy"
expect 0 '' eval x x="$x" -o "$work/link.npy"
[ -L "$work/link.npy" ] && cmp -s "$work/later.npy" "$x"
tap_ok $? 'a link to no file yet is written'

# ---- eval: two results for one file ----

# alike FILE FILE: two spellings of one file, of which one result would be lost.
alike() {
    (
        cd "$work/twice" || exit 1
        "$tool" eval 'x; -x' x=x.npy -o "$1" -o "$2" > "$work/got" 2>&1
        [ $? -eq 2 ] && grep -q "^broadloom: eval: two results for $2\$" "$work/got" &&
            [ "$(find . -type f | wc -l)" -eq 2 ] && cmp -s x.npy "$x"
    )
    tap_ok $? "two results for $1 and $2"
}
mkdir -p "$work/twice/folder"
cp "$x" "$work/twice"
cp "$x" "$work/twice/there.npy"
(
    cd "$work/twice" || exit 1
    ln -s . self
    ln -s new.npy link
    ln -s ../link folder/link
    ln -s there.npy old
)
alike new.npy ./new.npy
alike new.npy folder/../new.npy
alike self/new.npy "$work/twice/new.npy"
alike new.npy link
alike folder/link link
alike there.npy ./there.npy
alike old there.npy
alike run:/a ./run:/a
alike run:/a run://a
alike run:/g/a run:/g/./a/
alike run:/a run
expect 2 '/two results for/' eval 'x; x' x="$x" -o /dev/null -o /dev/null
expect 0 '' eval 'x; -x; x' x="$x" -o "$work/twice/new.npy" -o "$work/twice/folder/new.npy" -o "$work/new.npy"
expect 0 "/NUMPY/" eval "x; -x" x="$x" -o /dev/stdout -o /dev/null
ln "$work/twice/there.npy" "$work/twice/folder/there.npy"
expect 2 '/two results for/' eval 'x; x' x="$x" -o "$work/twice/there.npy" -o "$work/twice/folder/there.npy"
ln -s round "$work/twice/round"
expect 1 '/round: cannot be written: Too many levels/' eval 'x; x' x="$x" -o "$work/twice/round" -o "$work/twice/a.npy"

# ---- a full disk ----

printf 'add (4,1) (4) t.py:1\n' > "$work/calls"
"$tool" shape --rules legacy --warn precise --batch --report lines "$work/calls" > "$work/lines"
printf 'w\tadd\tout\tf32[4] f32[4]\n' > "$work/workloads"

# writes ARGUMENT...: the last is what a file follows that is written; with the reason where
# that fails, and where there is no space for all of it the old file is as it was.
writes() {
    [ -e /dev/full ] &&
        expect 1 'broadloom: cannot write /dev/full: No space left on device' "$@" /dev/full
    expect 1 "broadloom: cannot write $work/none/file: No such file or directory" "$@" "$work/none/file"
    echo 'as it was' > "$work/old"
    (
        ulimit -f 1
        trap '' XFSZ
        "$tool" "$@" "$work/old" 2> /dev/null
    )
    [ $? -eq 1 ] && [ "$(cat "$work/old")" = 'as it was' ]
    tap_ok $? 'without space the old file is as it was'
    yes | head -n 99999 > "$work/old"
    "$tool" "$@" "$work/old" > "$work/got" 2>&1 && ! tail -n 1 "$work/old" | grep -q '^y$'
    tap_ok $? 'and with it all is replaced'
}
writes topo --svg
writes plan '[64,64]' '[64]' --svg
writes plan 'x + 1' 'x=f32[64]' --svg
writes plan --ranks 4 '[64]@0' '[64]' --svg
writes trace '[64,64]' '[64]' -o
writes migrate --sarif report "$work/lines" -o
[ ! -e /dev/full ] || {
    expect 1 '/^broadloom: cannot write /dev/full: No space left on device$/' \
        migrate report "$work/lines" --write-baseline /dev/full
    for words in topo "bench --seconds 0 $work/workloads" 'plan --json [64] [64]'; do
        # shellcheck disable=SC2086 # words
        "$tool" $words 2> "$work/got" > /dev/full
        [ $? -eq 1 ] && [ "$(cat "$work/got")" = 'broadloom: cannot write the output: No space left on device' ]
        tap_ok $? "$words, into a full device"
    done
}
[ ! -e /dev/full ] || {
    expect 1 'broadloom: /dev/full: cannot be written: No space left on device' eval 'x; -x; x' x="$x" \
        -o "$work/first.npy" -o /dev/full -o "$work/last.npy"
    cmp -s "$work/first.npy" "$x" && [ ! -e "$work/last.npy" ]
    tap_ok $? 'results are written in order, up to one that fails'
}
expect 1 'broadloom: cannot read /tmp: Is a directory' migrate report /tmp
expect 1 'broadloom: cannot read /tmp: Is a directory' shape --rules legacy --batch --report text /tmp

tap_done
