#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The headers of TH compile in C and C++, macros of call sites have functions, and
# libbroadloom-th exports TH's names alone.

. "${srcdir:-.}/tests/harness/tap.sh"
th=$source/compat/th
flags="-fsyntax-only $th_headers"

# Of a program on standard input, what the compiler says, in the file named.
compile() { # OUTPUT COMPILER...
    output=$1
    shift
    cat > "$work/program"
    "$@" $flags "$work/program" > "$output" 2>&1
}

# ---- headers ----

for header in $(ls "$th/TH" "$here/compat/th/TH" 2> /dev/null | grep '\.h$' | sort -u); do
    case $header in THGenerate*) continue ;; esac
    printf '#include <TH/%s>\nextern int alone;\n' "$header" |
        compile "$work/faults" ${CC:-cc} -x c -std=c11 -Wall -Wextra -pedantic -Werror
    tap_empty "$work/faults" "<TH/$header> alone as C11"
    echo "#include <TH/$header>" |
        compile "$work/faults" ${CXX:-c++} -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror
    tap_empty "$work/faults" "<TH/$header> alone as C++17"
done
for name in TH.h THGeneral.h THMath.h THBlas.h; do
    echo "#include \"$name\"" | compile "$work/faults" ${CC:-cc} -x c -std=gnu99
    tap_empty "$work/faults" "\"$name\" without its folder"
done
# Compilers of TH's time took C89 with GNU's extensions by default.
cat > "$work/old" <<'END'
#include <TH/TH.h>
float total(THFloatTensor *x, THFloatTensor *y)
{
    float sum = 0;

    TH_TENSOR_APPLY2(float, x, float, y, sum += *x_data * *y_data;)
    TH_TENSOR_DIM_APPLY2(float, x, float, y, 0, sum += x_data[0] * y_data[y_stride];)
    THFloatTensor_cadd(x, x, sum, y);
    return sum;
}
END
compile "$work/faults" ${CC:-cc} -x c -std=gnu89 -Wall < "$work/old"
tap_empty "$work/faults" "headers and loops as C89 with GNU's extensions"
{ echo 'extern "C" {'; cat "$work/old"; echo '}'; } |
    compile "$work/faults" ${CXX:-c++} -x c++ -std=c++98 -Wall
tap_empty "$work/faults" "in C++, inside extern \"C\""
for choice in BROADLOOM_TH_KEEPDIM=0 BROADLOOM_TH_KEEPDIM=1 TH_NO_LEFT_OUT \
    TH_DIM_APPLY_SIZE_CHECK; do
    echo '#include <TH/TH.h>' | compile "$work/faults" ${CC:-cc} -x c -std=c11 \
        -D$choice -Wall -Wextra -pedantic -Werror
    tap_empty "$work/faults" "headers with $choice"
done

# ---- names ----

# Each macro has its function, and each such function its macro.
echo '#include "TH.h"' > "$work/program.c"
${CC:-cc} $flags -E -dD "$work/program.c" > "$work/expanded" 2> "$work/faults"
sed -n 's/^#define \(TH[A-Za-z]*_[A-Za-z0-9]*\)(\.\.\.) TH[A-Za-z0-9_]*At_(.*/\1/p' "$work/expanded" | sort > "$work/macros"
grep -E -o 'inline [A-Za-z ]+[ *]*TH[A-Za-z]+_[A-Za-z0-9]+At_\(' "$work/expanded" |
    sed 's/.*[ *]//; s/At_($//' | sort | diff "$work/macros" - >> "$work/faults"
[ -s "$work/macros" ] || echo "no macro" >> "$work/faults"
tap_empty "$work/faults" "each macro of call sites has its function, and each function its macro"

printf '%s\n' 'THDefaultAllocator 18' 'THHasShadows_ 4' 'THLog2Pi 8' 'THLogOne 8' 'THLogZero 8' 'THMapAllocator 18' \
    'THRefcountedMapAllocator 18' > "$work/data"
shared=${top_builddir:-.}/compat/.libs/libbroadloom-th.so
if [ -e "$shared" ]; then
    ${NM:-nm} -D --defined-only "$shared" | awk '$3 !~ /^_?TH/ { print $3 }' > "$work/faults"
    tap_empty "$work/faults" "the library exports TH's names alone"
    # Programs that refer to data have a copy of it: neither more of it nor larger.
    ${NM:-nm} -D -S --defined-only "$shared" |
        awk 'NF == 4 && $3 !~ /^[AT]$/ { sub(/^0*/, "", $2); print $4, $2 }' | sort |
        diff - "$work/data" > "$work/faults"
    tap_empty "$work/faults" "its data is what TH's headers of 2017 have, and a flag of 4 bytes"
else
    tap_skip "exported names" "built without a shared library"
fi
tap_done
