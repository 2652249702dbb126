#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Named forms as programs reach them: as symbols of the shared library, by pointers in tables
# compiled with and without optimisation, and from C++ with call sites.

. "${srcdir:-.}/tests/harness/tap.sh"
include=${srcdir:-.}/include
libs=$(cd "${top_builddir:-.}/lib/.libs" && pwd)
if [ ! -e "$libs/libbroadloom.so" ]; then
    tap_skip "named forms" "built without a shared library"
    tap_done
    exit
fi

# Operators by their enumerators, and the twelve whose form in place README says is missing.
cat "$include"/broadloom/*.h "${top_builddir:-.}"/include/broadloom/*.h 2> /dev/null |
    sed -n 's/^ *BL_OP_\([A-Z0-9_]*\) = [1-9].*/\1/p' | tr 'A-Z' 'a-z' | sort -u > "$work/ops"
sed -n '/^Twelve operators have no in-place form/,/^$/p' "${srcdir:-.}/README.md" |
    sed 's/Comparisons.*//' | grep -o '`[a-z_]*`' | tr -d '`' | sort > "$work/without"
[ "$(wc -l < "$work/ops")" -ge 91 ] && [ "$(wc -l < "$work/without")" -eq 12 ]
tap_ok $? "README names the twelve operators without a form in place"
{
    sed 's/.*/bl_&/; p; s/$/_out/' "$work/ops"
    comm -23 "$work/ops" "$work/without" | sed 's/.*/bl_&_inplace/'
} | sort > "$work/wanted"
${NM:-nm} -D --defined-only "$libs/libbroadloom.so" | sed 's/.* //; s/@.*//' | sort \
    > "$work/exported"
comm -23 "$work/wanted" "$work/exported" > "$work/faults"
sed 's/.*/bl_&_inplace/' "$work/without" | sort | comm -12 - "$work/exported" >> "$work/faults"
tap_empty "$work/faults" "nm -D finds the forms of every operator, and no others in place"

{
    echo '#include <broadloom.h>'
    echo '#include <dlfcn.h>'
    echo '#include <stdio.h>'
    echo 'typedef void (*function)(void);'
    echo 'static const struct { const char *name; function pointer; } rows[] = {'
    sed 's/.*/    {"&", (function)&},/' "$work/wanted"
    cat << 'EOF'
};
int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        function found;
        *(void **)&found = dlsym(RTLD_DEFAULT, rows[i].name);
        if (!found || found != rows[i].pointer)
            puts(rows[i].name);
    }
    return 0;
}
EOF
} > "$work/table.c"
for compiler in gcc clang; do
    for level in -O0 -O1 -O2; do
        name="a table of pointers by $compiler $level has the exported addresses"
        if ! command -v $compiler > /dev/null; then
            tap_skip "$name" "$compiler is not installed"
        elif $compiler -std=gnu11 $level -D_GNU_SOURCE -I"${top_builddir:-.}/include" \
            -I"$include" "$work/table.c" -o "$work/table" -L"$libs" -lbroadloom \
            -Wl,-rpath,"$libs" > "$work/faults" 2>&1; then
            "$work/table" > "$work/faults" 2>&1
            tap_empty "$work/faults" "$name"
        else
            tap_ok 1 "$name"
            head -n 20 "$work/faults" | tap_note
        fi
    done
done

cat > "$work/sites.cc" << 'EOF'
#define BROADLOOM_CALL_SITES
#include <broadloom.h>
#include <cstdio>
#include <cstring>

static const char *file;
static int line;

static void handle(void *, const bl_warning *warning)
{
    file = warning->file;
    line = warning->line;
}

int main()
{
    float x[4] = {1, 2, 3, 4};
    const int64_t column[] = {4, 1}, row[] = {4};
    const bl_array a = {x, BL_DTYPE_F32, 2, column, nullptr, 0};
    const bl_array b = {x, BL_DTYPE_F32, 1, row, nullptr, 0};
    bl_tensor *sum = nullptr;

    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_set_handler(handle, nullptr);
    if (::bl_add(nullptr, &a, &b, &sum) != BL_OK) return 1; const int here = __LINE__;
    ::bl_tensor_release(sum);
    if (!file || !std::strstr(file, "sites.cc") || line != here)
        std::printf("%s:%d is not line %d\n", file ? file : "none", line, here);
    return 0;
}
EOF
name="::bl_add(...) compiles with call sites, and its line is the caller's"
if ${CXX:-c++} -std=c++17 -Wall -Wextra -pedantic -Wno-misleading-indentation -Werror \
    -I"${top_builddir:-.}/include" -I"$include" "$work/sites.cc" -o "$work/sites" -L"$libs" \
    -lbroadloom -Wl,-rpath,"$libs" > "$work/faults" 2>&1; then
    "$work/sites" > "$work/faults" 2>&1 || echo "exit status $?" >> "$work/faults"
    tap_empty "$work/faults" "$name"
else
    tap_empty "$work/faults" "$name"
fi
tap_done
