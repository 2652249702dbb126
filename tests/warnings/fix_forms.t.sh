#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate fix: the calls that it leaves as they are, and why; the patch of those
# that it changes; decisions, paths, SARIF, baselines; what is wrong usage.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_KEEPDIM_WARNING
cd "$work" || exit 1

# found FILE LINE OPERATION [RISK] [SHAPES]: a line of a report.
found() {
    printf '{"class": "%s", "function": "%s", "file": "%s", "line": %d, "count": 2, ' "${4:-value}" "$3" "$1" "$2"
    printf '"shapes": "%s", "growth": 4.0, "expanded_dims": [1]}\n' "${5:-(4,1) (4) -> (4,4)}"
}

# ---- calls that are left as they are ----

# Each line that ends in a comment is a place: the operation, and why it is left.
cat > refused.c << 'END'
#define SUB(r, a, b) THFloatTensor_csub(r, a, 1, b)
double both = THFloatTensor_dist(a, b, 1);                    /* dist: no statements can be placed around its call */
int f(void)
{
    SUB(r, a, b);                                             /* sub: no call of sub of a known form stands there */
    THFloatTensor_csub(r, a, b);                              /* sub: its call does not have 4 arguments */
    THFloatTensor_cmul(r, x, y); THFloatTensor_cmul(r, y, x); /* mul: 2 calls of mul stand there */
    THFloatTensor_cdiv(r, next(), next());                    /* div: 2 arguments have side effects, in an order that the language leaves open */
    THFloatTensor_cdiv(r, , a);                               /* div: its call has an empty argument */
    while (THFloatTensor_dist(a, b, 1) > 1)                   /* dist: its call is in the head of a loop */
        ;
    do x(); while (bl_add(c, a, b, &t) == BL_OK);             /* add: its call is in the head of a loop */
    if (ready && bl_add(c, a, b, &t) != BL_OK)                /* add: its call is evaluated after, or only if, something else in the statement */
        return 1;
    s = ready ? bl_mul(c, a, b, &t) : BL_OK;                  /* mul: its call is evaluated after, or only if, something else in the statement */
    s = (x(), bl_mul(c, a, b, &t));                           /* mul: its call is evaluated after, or only if, something else in the statement */
    if (!ready)
        return 0;
    else if (bl_sub(c, a, b, &t) != BL_OK)                    /* sub: its statement is the body of an if, else or loop without braces, or has a label */
        return 1;
    bl_status list[] = {bl_sub(c, a, b, &t)};                 /* sub: its call is in a list of values */
    assert(bl_sub(c, a, b, &t) == BL_OK);                     /* sub: its call may be left out: it is in an assert or sizeof */
    LOOP(k, n, bl_sub(c, a, b, &t));                          /* sub: its call is among the arguments of a macro */
    TH_TENSOR_APPLY(float, a, x(); THFloatTensor_csub(r, a, 1, b);); /* sub: no statements can be placed around its call */
    static double d = THFloatTensor_dist(a, b, 1);            /* dist: no statements can be placed around its call */
    s =
#ifdef FAST
        THFloatTensor_dist(a, b, 1);                          /* dist: a directive is in the statement of its call */
#endif
    switch (k) {
    case 1:
        if (bl_sub(c, a, b, &t) != BL_OK)                     /* sub: its statement is the body of an if, else or loop without braces, or has a label */
            return 1;
        x();
        if (bl_sub(c, a, b, &t) != BL_OK)                     /* sub: its statement is in a switch, without braces of its own */
            return 1;
    }
    bl_apply(c, BL_OP_SUB, r, 2, in, &options);               /* sub: no call of sub of a known form stands there */
    bl_sub(next(), a, b, &t);                                 /* sub: its context has side effects */
    /* THFloatTensor_cadd(r, a, 1, b); */ "bl_add(c, a, b, &t)"; /* add: no call of add of a known form stands there */
    bl_addcmul(c, a, b, d, e, &t);                            /* addcmul: no call of addcmul of a known form stands there */
}
END
cat > refused.cpp << 'END'
#include <broadloom/broadloom.hpp>
void f(const std::vector<float> &v, bl::tensor x, bl::tensor y)
{
    bl::tensor z = bl::add(x, v);         // add: 'v' is not known to be a tensor or a view, or it is computed
    z = bl::add(v, x);                    // add: 'v' is not known to be a tensor or a view, or it is computed
    z = bl::sub(get(), y);                // sub: 'get()' is not known to be a tensor or a view, or it is computed
    z = x - y * z;                        // mul: its operator's operands are not two names of tensors alone
    const char *s = R"(x * y bl::mul(x, y))"; // mul: no call of mul of a known form stands there
    x.add(x, y);                          // add: no call of add of a known form stands there
    throw failed(bl_add(c, a, b, &t));    // add: no statements can be placed around its call
}
END
for file in refused.c refused.cpp; do
    sed -n 's;^.*/[*/] \([a-z]*\): \([^*]*[^ *]\)\( \*/\)*$;\1	\2;
        t print
        b
        : print
        =
        p' $file | paste - - > marks
    : > report
    : > want
    while IFS='	' read -r line operation reason; do
        found $file "$line" "$operation" >> report
        echo "broadloom: $file:$line: $operation is left as it is: $reason" >> want
    done < marks
    "$tool" migrate fix --as-it-was -o patch report 2> said
    [ $? -eq 1 ] && [ ! -s patch ]
    tap_ok $? "$file: nothing is changed, and the status is 1"
    sort want > wanted
    sort said | diff wanted - > faults
    tap_empty faults "$file: why"
done
grep -c . want > count
{
    found '' 0 add
    found none.c 3 add
    found train.py 3 add
    found refused.c 10 sum keepdim
} > report
touch train.py
cat > want << 'END'
broadloom: none.c:3: add is left as it is: cannot read none.c: No such file or directory
broadloom: refused.c:10: sum is left as it is: keepdim is chosen for the whole program: BROADLOOM_TH_KEEPDIM
broadloom: train.py:3: add is left as it is: its file is neither C nor C++ by its name
broadloom: unknown place: add is left as it is: its line is not known
END
"$tool" migrate fix --broadcast report 2>&1 | sort | diff want - > faults
tap_empty faults 'places without a source are left'

# ---- calls that are changed ----

mkdir src
cat > src/net.c << 'END'
/* ÄÖÜ */ static void f(T *r) { THFloatTensor_cadd(r, a, 1, b); /* x */ }
void g(void)
{
	int k = 0;
	if (k) THTensor_(cmul)(r, state->w, /* the */
		bias [ k ]); else k = 1;
	bl_status s = bl_sub_out(ctx, BL_VIEW(r, n, 1), BL_VIEW(x, n, 1), BL_VIEW(y + 1, n));
	THFloatTensor_csub(r, a, 1, b); THFloatTensor_cdiv(r, a, b);
#if FAST
	bl_eq(ctx, BL_VIEW(x, n, 1), BL_VIEW(y, n), &t);
#else
	bl_eq(ctx, BL_VIEW(x, n, 1), BL_VIEW(y + 1, n), &t);
#endif
	THFloatTensor_cmax(a, a, b);
}
END
{
    found src/net.c 1 add
    found src/net.c 6 mul
    found src/net.c 7 sub
    found "$work/src/net.c" 8 sub
    found src/net.c 8 sub shape '(4) (1,4) -> (1,4)'
    found src/net.c 8 div
    found src/net.c 12 eq
} > report
"$tool" migrate fix --as-it-was -o patch report > faults 2>&1
tap_empty faults 'nothing is left'
cat > want << 'END'
/* ÄÖÜ */ static void f(T *r) { {
    THLongStorage *a_size = THFloatTensor_newSizeOf(a);
    THFloatTensor *b_dense = THFloatTensor_newContiguous(b);
    THFloatTensor *b_view = THFloatTensor_newView(b_dense, a_size);
    THFloatTensor_cadd(r, a, 1, b_view);
    THFloatTensor_free(b_view);
    THFloatTensor_free(b_dense);
    THLongStorage_free(a_size);
} /* x */ }
void g(void)
{
	int k = 0;
	if (k) {
		THLongStorage *w_size = THTensor_(newSizeOf)(state->w);
		THTensor *k_dense = THTensor_(newContiguous)(bias [ k ]);
		THTensor *k_view = THTensor_(newView)(k_dense, w_size);
		THTensor_(cmul)(r, state->w, /* the */
		k_view);
		THTensor_(free)(k_view);
		THTensor_(free)(k_dense);
		THLongStorage_free(w_size);
	} else k = 1;
	bl_status s = bl_sub_out(ctx, BL_VIEW(r, n, 1), BL_VIEW(x, n, 1), BL_VIEW(y + 1, n, 1));
	{
		THLongStorage *a_size = THFloatTensor_newSizeOf(a);
		THFloatTensor *b_dense = THFloatTensor_newContiguous(b);
		THFloatTensor *b_view = THFloatTensor_newView(b_dense, a_size);
		THFloatTensor_csub(r, a, 1, b_view);
		THFloatTensor_free(b_view);
		THFloatTensor_free(b_dense);
		THLongStorage_free(a_size);
	} {
		THLongStorage *a_size = THFloatTensor_newSizeOf(a);
		THFloatTensor *b_dense = THFloatTensor_newContiguous(b);
		THFloatTensor *b_view = THFloatTensor_newView(b_dense, a_size);
		THFloatTensor_cdiv(r, a, b_view);
		THFloatTensor_free(b_view);
		THFloatTensor_free(b_dense);
		THLongStorage_free(a_size);
	}
#if FAST
	bl_eq(ctx, BL_VIEW(x, n, 1), BL_VIEW(y, n), &t);
#else
	bl_eq(ctx, BL_VIEW(x, n, 1), BL_VIEW(y + 1, n, 1), &t);
#endif
	THFloatTensor_cmax(a, a, b);
}
END

# applies WHAT COMMAND...: a copy of the sources with the patch is as wanted.
applies() {
    what=$1
    shift
    if ! command -v "$1" > said 2>&1; then
        tap_skip "$what" 'it is not installed'
        return
    fi
    rm -rf copy
    mkdir copy
    cp -R src copy
    (cd copy && "$@") < patch > faults 2>&1
    diff want copy/src/net.c >> faults 2>&1
    tap_empty faults "$what gives what is wanted"
}
applies patch patch -s -p1
applies 'git apply' git apply
mkdir build
(cd build && sed 's;"src/;"../src/;' ../report > report && "$tool" migrate fix --as-it-was --root .. report) |
    diff patch - > faults 2>&1
tap_empty faults 'paths are those from the root on'
cp src/net.c net.before
printf '%s' "$(cat src/net.c)" > end && tr '\n' '\r' < end | sed 's/\r/\r\n/g' > src/net.c
cp src/net.c net.cr
"$tool" migrate fix --as-it-was -o patch report
cp want want.lf && sed 's/$/\r/' want > want.cr && printf '%s' "$(cat want.cr)" | sed '$s/\r$//' > want
applies patch patch -s --binary -p1
cp net.before src/net.c
cp want.lf want

# ---- hunks ----

"${AWK:-awk}" 'BEGIN { for (i = 1; i <= 40; i++) print i % 30 == 3 ? "void f(void) { THFloatTensor_cmul(r, a, b); }" : "" }' > far.c
{ found far.c 3 mul; found far.c 33 mul; } > none
"$tool" migrate fix --as-it-was none | grep '^@@' > got
printf '@@ -%s @@\n' '1,6 +1,14' '30,7 +38,15' | diff - got > faults
tap_empty faults 'later hunks say where they go'

# ---- SARIF ----

if command -v python3 > said 2>&1; then
    "$tool" migrate --sarif report report > sarif
    python3 "$source/tests/warnings/sarif.py" sarif > faults 2>&1
    tap_empty faults 'SARIF is as SARIF 2.1.0 has it'
    python3 - src/net.c sarif > got << 'END'
import json, sys
text = open(sys.argv[1], encoding="utf-8").read()
lines = text.splitlines(True)
begin = [0]
for line in lines:
    begin.append(begin[-1] + len(line))
edits = {}
for result in json.load(open(sys.argv[2]))["runs"][0]["results"]:
    for fix in result["fixes"][:1]:
        assert fix["description"]["text"] == "Keep the result as it was."
        for change in fix["artifactChanges"]:
            for edit in change["replacements"]:
                region = edit["deletedRegion"]
                ends = [begin[region[e + "Line"] - 1] + region[e + "Column"] - 1 for e in ("start", "end")]
                edits[tuple(ends)] = edit["insertedContent"]["text"]
for (first, last), inserted in sorted(edits.items(), reverse=True):
    text = text[:first] + inserted + text[last:]
sys.stdout.write(text)
END
    diff want got > faults
    tap_empty faults 'fixes of SARIF are the same edits'
else
    tap_skip 'SARIF' 'there is no python3'
fi

# ---- decisions ----

cat > decisions << 'END'
# FILE:LINE [OPERATION] DECISION
net.c:1 as-it-was
src/net.c:8 broadcast

src/net.c:8 div leave
END
"$tool" migrate fix --decisions decisions report > patch 2> faults
tap_empty faults 'only what is decided is asked for'
grep '^+.*\(newView\|expandNd\|cdiv\)' patch > got
cat > want << 'END'
+    THFloatTensor *b_view = THFloatTensor_newView(b_dense, a_size);
+		THFloatTensor_expandNd(a_expanded, a_given, 2);
+	} THFloatTensor_cdiv(r, a, b);
END
diff want got > faults
tap_empty faults 'each place is changed as decided'
"$tool" migrate fix --as-it-was --decisions decisions report > patch
[ "$(grep -c '^+.*\(newView\|BL_VIEW(y + 1, n, 1)\)' patch)" -eq 4 ]
tap_ok $? 'other places are changed as the option says'
found src/net.c 14 max fallback '(2,2) (4) -> (2,2)' > none
expect 1 'broadloom: src/net.c:14: max is left as it is: (2,2) (4) -> (2,2) does not broadcast' \
    migrate fix --broadcast none
found src/net.c 14 max > none
expect 1 'broadloom: src/net.c:14: max is left as it is: its result is also an operand, which would grow' \
    migrate fix --broadcast none
expect 1 'broadloom: src/net.c:14: max is left as it is: its file is not in the folder build: --root' \
    migrate fix --as-it-was --root build none

# ---- baselines ----

"$tool" migrate --write-baseline base report report > said
expect 0 '' migrate fix --as-it-was --baseline base report
cat none >> report
"$tool" migrate fix --as-it-was --baseline base report | grep -c '_cmax(a, a, b_view)' > got
[ "$(cat got)" = 1 ]
tap_ok $? 'only places that a baseline does not have are changed'
echo 'net.c:7 leave' > decisions
"$tool" migrate fix --as-it-was --decisions decisions report > patch
if command -v patch > said 2>&1; then
    patch -s -p1 < patch
    found src/net.c "$(grep -n bl_sub_out src/net.c | cut -d: -f1)" sub > report
    expect 0 '/^not listed: 1 of the baseline/' migrate --baseline base report report
fi

# ---- wrong usage ----

expect 2 '/^broadloom: migrate: no decision given: --as-it-was, --broadcast or --decisions FILE$/' migrate fix report
expect 2 '/^broadloom: migrate: no reports given$/' migrate fix --as-it-was
expect 2 '/^broadloom: migrate: --as-it-was and --broadcast exclude each other$/' migrate fix --as-it-was --broadcast report
expect 2 '/^broadloom: migrate: fix takes no --json, /' migrate fix --as-it-was --sarif report
expect 2 '/^broadloom: migrate: report takes no --as-it-was, /' migrate --broadcast report report
expect 1 'broadloom: cannot read none.txt: No such file or directory' \
    migrate fix --decisions none.txt report
for line in 'net.c as-it-was' 'net.c:x as-it-was' 'net.c:1' 'net.c:1 add maybe' 'net.c:1 add leave now'; do
    echo "$line" > decisions
    expect 1 '/^broadloom: decisions:1: /' migrate fix --decisions decisions report
done
echo 'net.c:99 add leave' > decisions
expect 1 'broadloom: decisions:1: the report has no add at net.c:99' migrate fix --decisions decisions report
tap_done
