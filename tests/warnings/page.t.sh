#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate --html: the report as a page that browsers read without loading anything
# else, whatever bytes a program's sources and names have; page.py says what it must be.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT
if ! command -v python3 > "$work/found" 2>&1; then
    tap_skip 'pages' 'there is no python3'
    tap_done
    exit
fi

# finding RISK FUNCTION FILE LINE SHAPES [MEMBERS]: a line of a report.
finding() {
    printf '{"class": "%s", "function": "%s", "file": "%s", "line": %s, "count": 3, "shapes": "%s"%s}\n' "$@"
}
# page NAME [WORD...]: the page of $work/NAME.report is what it must be.
page() {
    name=$1
    shift
    "$tool" migrate --html "$@" -o "$work/$name.html" report "$work/$name.report" > "$work/said" 2>&1
    [ $? -eq 0 ] && [ ! -s "$work/said" ]
    tap_ok $? "$name: written"
    tap_note < "$work/said"
    python3 tests/warnings/page.py "$work/$name.html" > "$work/faults" 2>&1
    tap_empty "$work/faults" "$name: the page is what it must be"
}
# has NAME PATTERN; lacks NAME PATTERN: what a page says, or not.
has() {
    grep -q -e "$2" "$work/$1.html"
    tap_ok $? "$1: $2"
}
lacks() {
    ! grep -q -a -e "$2" "$work/$1.html"
    tap_ok $? "$1: no $2"
}

# ---- sources, pictures, suggestions ----

program=tests/warnings/legacy_program.c
line_of() {
    grep -n "/\* $1 \*/" $program | cut -d: -f1
}
{
    finding value sub $program "$(line_of value)" '(4,1) (4) -> (4,4)' ', "growth": 4.0, "expanded_dims": [1]'
    finding fallback add $program "$(line_of fallback)" '(2,2) (4) -> (2,2)'
    finding shape mul $program "$(line_of shape)" '(4) (1,4) -> (1,4)'
    finding fallback copy $program 1 '(4,1) (4) -> (4,1)'
    finding keepdim sum none.c 7 ''
    printf '{"class": "value", "function": "lerp", "module": "/usr/lib/libm.so", "offset": 80, "count": 1, %s}\n' \
        '"shapes": "(2,1) (2) -> (2,2)", "kinds": "(2,1) (2) -> (2,2); (3) (3,1) -> (3,3)"'
} > "$work/plain.report"
page plain
has plain '<mark>bl_sub_out(NULL, &amp;result, &amp;residual, &amp;target)</mark>'
has plain '<mark>bl_apply(NULL, BL_OP_ADD, &amp;block, 2, in, &amp;options)</mark>'
has plain 'The result is 4 times as large, along dimension 1'
has plain '<code class="change">operand 2.unsqueeze(1)</code>'
has plain '<span class="line removed">-    lost += check(bl_sub_out('
has plain 'aria-label="Paired as 1-D, for a result (4,1): 0 with 0, 1 with 1, 2 with 2, 3 with 3\."'
has plain 'aria-label="Broadcast to (4,4): 0 with 0, 0 with 1, 0 with 2, 0 with 3; 1 with 0, '
has plain 'd="M1 133h30v35h-30zM31 168h30v35h-30zM61 203h30v35h-30zM91 238h30v35h-30z" fill="var(--kept)"'
has plain '<b>Broadcast:</b> these shapes are refused'
has plain '<b>Broadcast:</b> refused, as they broadcast to (4,4), and a result in place keeps its shape'
has plain '<code>none.c</code> cannot be read here, or has no line 7'
has plain 'The source line is not known'
has plain 'This is the worst of 2 kinds of calls'
lacks plain 'Elements that differ'
printf '' > "$work/empty.report"
page empty
has empty 'Nothing was found that broadcasting changes'
"$tool" migrate --write-baseline "$work/known" report "$work/plain.report" > "$work/said" 2>&1
"$tool" migrate --html --baseline "$work/known" -o "$work/known.html" report "$work/plain.report" > "$work/said" 2>&1
has known 'Not listed: 6 of the baseline'
expect 2 '/--json, --sarif and --html exclude each other/' migrate --html --json report "$work/plain.report"

# ---- shadow runs ----

{
    finding value sub $program "$(line_of value)" '(4,1) (4) -> (4,4)' ', "growth": 4.0, "compared": 2,
 "unequal": 1, "elements": 32, "differ": 24, "not_finite": 3, "max_abs": 1.25, "max_rel": 0.125, "max_ulp": 88,
 "spread": 5, "forgotten": 1, "reads": "data train.c:80 12; item a<b>.c:91 1"' | tr -d '\n'
    echo
    finding value add $program 9 '(4,1) (4) -> (4,4)' ', "compared": 3, "elements": 48'
    finding value mul $program 10 '(4,1) (4) -> (4,4)'
} > "$work/shadow.report"
page shadow
has shadow 'computed 5 calls both ways: of 2 places that it compared, 1 changes a number'
has shadow '<tr data-place="place-[0-9]*" data-differs="yes">.*>24 of 32</td></tr>'
has shadow 'data-key="-1">not compared</td>'
has shadow '<dd>2 of 3, 1 with elements that differ</dd>'
has shadow '<dd>24 of 32; 3 that are not finite</dd>'
has shadow '<dd>1.25; relative 0.125; 88 ULP</dd>'
has shadow '<dd>5 or more</dd>'
has shadow '<code>a&lt;b&gt;.c:91</code>: an element was read, 1 time<'
[ "$(grep -c 'What a shadow run found' "$work/shadow.html")" -eq 2 ]
tap_ok $? 'shadow: only places that were compared have figures'

# ---- hostile texts ----

# Markup, quotes, control characters, what is no UTF-8 or is too long for it, marks of direction.
printf 'int x; /* <script>alert("1")</script> &amp; \047 */\nadd("<b>\\")", \001\033[2J\177\r, a\tb);\r\n' \
    > "$work/odd.c"
printf '\377\300\257 \355\240\200 \364\220\200\200 \340\200\257 \303\251 \342\200\256 \357\277\277\303\n' >> "$work/odd.c"
printf '%s\0%s' nul last >> "$work/odd.c"
{
    finding value add "$work/odd.c" 2 '(4,1) (4) -> (4,4)'
    finding value '<img src=x onerror=y>\u0022\u0027' '<i>\u0022 onclick=\u0022.c' 1 '(4,1) (4) <b>'
    printf '{"class": "value", "function": "\374\\u0007", "caller": "f<g>", "file": "%s", "line": 4, "count": 1, "shapes": "%s"}\n' \
        "$work/odd.c" "$(printf '%02000d' 0)"
} > "$work/odd.report"
page odd
has odd '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;amp; &#39; '
has odd '<mark>add(&quot;&lt;b&gt;\\&quot;)&quot;, ␁␛\[2J␡␍, a	b)</mark>;'
has odd '> ��� ��� ���� ��� é � ��'
has odd 'nul␀last'
has odd '000…'
# The control characters of a page are its tabs and ends of lines.
[ "$(LC_ALL=C tr -d '[:print:]\t\n\200-\377' < "$work/odd.html" | wc -c)" -eq 0 ]
tap_ok $? 'odd: no control character'

# ---- much ----

# A source of 100000 lines, 500 places; a file that is none.
"${AWK:-awk}" 'BEGIN { for (i = 1; i <= 100000; i++)
    print (i % 50 == 1 ? "void f" i "(void) {" : i % 50 ? "THFloatTensor_cadd(r, a, 1, b" i ");" : "}") }' \
    > "$work/much.c"
"${AWK:-awk}" -v file="$work/much.c" 'BEGIN { for (i = 0; i < 500; i++) { n = i % 60 + 2
    printf "{\"class\": \"value\", \"function\": \"add\", \"file\": \"%s\", \"line\": %d, \"count\": 1, ", file, i * 200 + 9
    printf "\"shapes\": \"(%d,1,%d) (%d,%d) -> (%d,%d,%d)\"}\n", n, i % 7 + 1, n, i % 7 + 1, n, n, i % 7 + 1 } }' \
    > "$work/much.report"
page much
[ "$(grep -c '<details class="place"' "$work/much.html")" -eq 500 ] &&
    [ "$(grep -c '<mark>THFloatTensor_cadd(r, a, 1, b[0-9]*)</mark>' "$work/much.html")" -eq 500 ]
tap_ok $? 'much: each place has its line'
size=$(wc -c < "$work/much.html")
[ "$size" -lt 8000000 ]
tap_ok $? "much: 16 kB a place, $size"
mkfifo "$work/pipe"
"${AWK:-awk}" -v file="$work/pipe" 'BEGIN { for (i = 1; i <= 1200; i++)
    printf "{\"class\": \"shape\", \"function\": \"add\", \"file\": \"%s\", \"line\": %d, \"count\": 1, \"shapes\": \"\"}\n", file, i }' \
    > "$work/more.report"
page more
has more 'the worst 1000 of 1200'
[ "$(grep -c '<details class="place"' "$work/more.html")" -eq 1000 ]
tap_ok $? 'more: no more than 1000 places'

# ---- shapes ----

# Pairs of shapes that differ in where extents of 1 are, compared with a model.
python3 - > "$work/pairs.report" << 'END'
import random

random.seed(5)
for number in range(150):
    shape = [random.choice([2, 3, 5, 6, 11]) for _ in range(random.randint(1, 3))]

    def spread():
        other = list(shape)
        for _ in range(random.randint(0, 2)):
            other.insert(random.randint(0, len(other)), 1)
        return "(" + ",".join(map(str, other)) + ")"

    shapes = " ".join(spread() for _ in range(random.choice([2, 2, 3])))
    print('{"class": "value", "function": "add", "file": "x.c", "line": %d, "count": 1, "shapes": "%s -> ()"}'
          % (number + 1, shapes))
END
page pairs

# ---- recorded calls ----

printf '%s\n' 'add (4,1) (4) train.py:41' 'mul (4) (1,4) train.py:42' > "$work/calls"
"$tool" shape --rules legacy --warn precise --batch --report lines "$work/calls" > "$work/calls.report"
page calls
expect 0 '/<!DOCTYPE html>/' shape --rules legacy --warn precise --batch --report html "$work/calls"
diff "$work/calls.html" "$work/got" > "$work/faults"
tap_empty "$work/faults" 'shape --batch --report html writes the same page'

# ---- what is wrong is noticed ----

# planted WHAT SCRIPT: a page that is changed so has a fault.
planted() {
    sed "$2" "$work/plain.html" > "$work/wrong.html"
    python3 tests/warnings/page.py "$work/wrong.html" > "$work/found"
    tap_found "$work/found" "noticed: $1"
}
planted 'markup that is not closed' 's|</h1>||'
planted 'a picture from elsewhere' 's|<h1>|<h1><img src="https://example.org/x"/>|'
planted 'a style that loads' 's|--page: #ffffff|background: url(x); --page: #ffffff|'
planted 'a link to elsewhere' 's|href="#place-1"|href="//example.org"|'
planted 'a handler' 's|<h1>|<h1 onclick="x()">|'
planted 'no label' 's|<label for="text">|<label>|'
planted 'no scope' 's|<th scope="col">Risk|<th>Risk|'
planted 'a picture without a text' 's|aria-label="Paired|data-x="Paired|'
planted 'no language' 's|lang="en"||'
planted 'a colour without contrast' 's|--soft: #4b5563|--soft: #9aa3b0|'
planted 'other pairs' 's|0 with 1, |1 with 1, |'
tap_done
