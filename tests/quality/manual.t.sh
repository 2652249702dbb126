#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual: every exported symbol has its page, references lead somewhere, mandoc finds no
# fault, what pages of operators say of dtypes is so, and examples compile.

. "${srcdir:-.}/tests/harness/tap.sh"
pages=$(dirname "$(built tools/man/section3.pages)")/section3.pages
mkdir -p "$work/man/man1" "$work/man/man3" "$work/man/man7"
man3=$work/man/man3
"${AWK:-awk}" -v folder="$man3" -f "$source/tools/man/unpack.awk" "$pages"
cp "$(built tools/man/broadloom.1)" "$source/tools/man/broadloom-mpi.1" "$work/man/man1"
cp "$source"/tools/man/*.7 "$work/man/man7"
cd "$work/man" || exit 1

# ---- names ----

sed -n 's/^\(bl_[a-z0-9_]*\) .*/\1/p' "$source/lib/abi.txt" > ../symbols
sed -n 's/^@page \(.*\)\.3$/\1/p' "$pages" | sort > ../names
sort ../symbols | comm -23 - ../names > ../faults
tap_empty ../faults 'every exported symbol has a page'
uniq -d ../names > ../faults
tr 'A-Z' 'a-z' < ../names | sort | uniq -d >> ../faults
tap_empty ../faults 'no two pages have one name, whatever the case'
if man -M "$PWD" -w 3 bl_add > /dev/null 2>&1; then
    # shellcheck disable=SC2046 # symbols are words
    man -M "$PWD" -w -S 3 $(cat ../symbols) 2>&1 | grep -v '^/' > ../faults
    tap_empty ../faults 'man finds the page of each'
else
    tap_skip 'man finds the page of each' 'man is not installed'
fi

# ---- references ----

# References in PAGES to our own pages that are not there.
dead() { # PAGES
    sed -n -e 's/^\.Xr \([A-Za-z_0-9-]*\) \([1-8]\).*/\1.\2/p' \
        -e 's/^\.It Xr \([A-Za-z_0-9-]*\) \([1-8]\).*/\1.\2/p' \
        -e 's/^\.so man3\///p' "$@" | sort -u | grep -i '^\(bl_\|broadloom\)' |
        while read -r page; do
            [ -e "man${page##*.}/$page" ] || echo "$page"
        done
}
find man1 man3 man7 -type f > ../all
xargs cat < ../all > ../everything
dead ../everything > ../faults
tap_empty ../faults 'every reference to a page of ours leads to one'
echo '.Xr bl_adding 3 ,' > ../planted
dead ../planted > ../faults
tap_found ../faults 'one that does not is found'
sed -n 's/^[a-z]* | \([a-z0-9_ ]*\) | .*/\1/p' "$source/tools/man/notes.txt" | tr ' ' '\n' |
    sort -u | while read -r name; do
    grep -q "^BL_OP( $name," "$source/lib/core/tables/ops.def" || echo "$name"
done > ../faults
tap_empty ../faults 'notes are about operators that there are'

# ---- form ----

if command -v mandoc > /dev/null; then
    # Further names are one line, which mandoc would rather have as links.
    xargs grep -L '^\.so ' < ../all > ../whole
    xargs mandoc -T lint -W warning < ../whole > ../faults 2>&1
    tap_empty ../faults 'mandoc finds no fault'
    printf '.Dd November 1, 2026\n.Dt X 3\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Bl -bullet\n' > ../planted
    mandoc -T lint -W warning ../planted > ../faults 2>&1
    tap_found ../faults 'and one that is there it does'

    mkdir -p ../html/tools/man
    cp man1/* ../html/tools/man
    cp -R man3 ../html/tools/man
    (cd ../html && sh "$source/tools/man/make_html" "$source") > ../faults 2>&1
    tap_empty ../faults 'the manual is made into HTML'
    cd ../html/tools/man/html || exit 1
    {
        sed 's/.*\///; s/$/.html/' "$work/all" | while read -r page; do
            [ -s "$page" ] || echo "no $page"
        done
        cat ./*.html | grep -o 'href="[^"#]*' | sed 's/href="//' | sort -u |
            while read -r page; do [ -z "$page" ] || [ -e "$page" ] || echo "no $page"; done
    } > "$work/faults"
    tap_empty "$work/faults" 'with all pages, and links that lead to them'
    grep -q '<a class="Xr" href="bl_tensor_release.3.html">' bl_add.3.html &&
        grep -q '<a href="bl_add.3.html">' index.html &&
        grep -q '<a href="broadloom-fortran.7.html">' index.html
    tap_ok $? 'references and the index are links'
    cd "$work/man" || exit 1
else
    tap_skip 'mandoc finds no fault' 'mandoc is not installed'
fi
for awk in gawk "gawk --posix" mawk 'busybox awk' original-awk; do
    if $awk 'BEGIN { exit 0 }' 2> /dev/null; then
        printf '#!/bin/sh\nexec %s "$@"\n' "$awk" > ../awk
        chmod +x ../awk
        AWK=$PWD/../awk sh "$source/tools/dev/generate" section3.pages "$source" 2>&1 |
            cmp - "$pages" > ../faults 2>&1
        tap_empty ../faults "$awk makes the same pages"
    fi
done

# ---- content ----

program() { # SOURCE NAME: compile and link it with the library as built.
    # shellcheck disable=SC2086 # flags are words
    ${CC:-cc} ${CFLAGS-} $headers -c -o "$work/$2.o" "$1" &&
        (cd "$here" && sh ./libtool --silent --tag=CC --mode=link ${CC:-cc} ${CFLAGS-} \
            ${OPENMP_CFLAGS-} -no-install -o "$work/$2" "$work/$2.o" lib/libbroadloom.la)
}

# The classes of dtypes that the page of each operator and reduction names.
for name in $(sed -n 's/^BL_\(OP\|REDUCTION\)( \([a-z0-9_]*\),.*/\2/p' \
    "$source/lib/core/tables/ops.def" "$source/lib/core/tables/reductions.def"); do
    "${AWK:-awk}" -v name="$name" '
        /^\.It boolean/ { b = "b" }
        /^\.It integer/ { i = "i" }
        /^\.It floating-point/ { f = "f" }
        /^\.It complex/ { c = "c" }
        /^Integers and booleans are computed in f32/ { b = "b"; i = "i" }
        END { print name " " b i f c }' "man3/bl_$name.3"
done | sort > ../said
program "$source/tests/quality/manual.c" taken > ../faults 2>&1 &&
    ../taken | sort | diff ../said - > ../faults 2>&1
tap_empty ../faults 'operators take the dtypes that their pages name'

# literals PAGE: the examples of a page.
literals() {
    "${AWK:-awk}" '
        /^\.Ed/ { inside = 0 }
        inside { gsub(/\\e/, "\\"); gsub(/\\-/, "-"); print }
        /^\.Bd -literal -offset indent/ { inside = 1 }' "$1"
}
literals man7/broadloom.7 > ../first.c
program "$work/first.c" first > ../faults 2>&1 &&
    [ "$(../first)" = 36 ] || echo 'not 36' >> ../faults
tap_empty ../faults 'the first program of the overview runs'
{
    printf '#include <stdio.h>\n#include <broadloom.h>\n#include <broadloom/describe.h>\n'
    for page in $(grep -l '^#include <broadloom/describe.h>$' man3/*); do
        name=${page##*/}
        printf 'void %s_(int64_t n, int64_t m, float *r, float *a, float *b, float *c, float *d)\n' \
            "${name%.3}"
        printf '{\n(void)m, (void)b, (void)c, (void)d;\n'
        literals "$page" | grep -v '^#include'
        echo '}'
    done
} > ../examples.c
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Werror -fsyntax-only $headers ../examples.c > ../faults 2>&1
grep -c BL_VIEW ../examples.c | grep -q '^[1-9][0-9]' || echo 'no examples' >> ../faults
tap_empty ../faults 'examples of operators and reductions compile'
tap_done
