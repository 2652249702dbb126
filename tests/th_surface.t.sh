#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The headers of TH compile in C and C++, what is left out says so where it is used, the
# list of call sites is fresh, and libbroadloom-th exports TH's names alone.

. "${srcdir:-.}/tests/tap.sh"
root=$(cd "${srcdir:-.}" && pwd)
th=$root/compat/th
flags="-fsyntax-only -I$th -I$th/TH"
left_out='THDiskFile.h THFile.h THMemoryFile.h'

# Of a program on standard input, what the compiler says, in the file named.
compile() { # OUTPUT COMPILER...
    output=$1
    shift
    cat > "$work/program"
    "$@" $flags "$work/program" > "$output" 2>&1
}

# ---- headers ----

for header in $(cd "$th/TH" && ls *.h); do
    case " $left_out THGenerate" in
    *" $header "*)
        echo "#include <TH/$header>" | compile "$work/said" "${CC:-cc}" -x c
        grep -q "libbroadloom-th has no ${header%.h}" "$work/said"
        tap_ok $? "<TH/$header> says that it is left out"
        continue
        ;;
    esac
    case $header in THGenerate*) continue ;; esac
    printf '#include <TH/%s>\nextern int alone;\n' "$header" |
        compile "$work/faults" "${CC:-cc}" -x c -std=c11 -Wall -Wextra -pedantic -Werror
    tap_empty "$work/faults" "<TH/$header> alone as C11"
    echo "#include <TH/$header>" |
        compile "$work/faults" "${CXX:-c++}" -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror
    tap_empty "$work/faults" "<TH/$header> alone as C++17"
done
for name in TH.h THGeneral.h THMath.h THBlas.h; do
    echo "#include \"$name\"" | compile "$work/faults" "${CC:-cc}" -x c -std=gnu99
    tap_empty "$work/faults" "\"$name\" without its folder"
done
# Compilers of TH's time took C89 with GNU's extensions, unless told otherwise.
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
compile "$work/faults" "${CC:-cc}" -x c -std=gnu89 -Wall < "$work/old"
tap_empty "$work/faults" "headers and loops as C89 with GNU's extensions"
{ echo 'extern "C" {'; cat "$work/old"; echo '}'; } |
    compile "$work/faults" "${CXX:-c++}" -x c++ -std=c++98 -Wall
tap_empty "$work/faults" "in C++, inside extern \"C\""
for keepdim in 0 1; do
    echo '#include <TH/TH.h>' | compile "$work/faults" "${CC:-cc}" -x c -std=c11 \
        -DBROADLOOM_TH_KEEPDIM=$keepdim -Wall -Wextra -pedantic -Werror
    tap_empty "$work/faults" "headers with BROADLOOM_TH_KEEPDIM=$keepdim"
done

# ---- what is left out ----

refused() { # CALL SAYS
    printf '#include <TH/TH.h>\nvoid f(void);\nvoid f(void)\n{\n    %s;\n}\n' "$1" |
        compile "$work/said" "${CC:-cc}" -x c
    grep -q "$2" "$work/said"
    tap_ok $? "$1 does not compile, and says why"
}

if echo 'int f(void) __attribute__((unavailable("")));' |
    compile "$work/said" "${CC:-cc}" -x c -Werror; then
    refused 'THFloatTensor_addmm(0, 0, 0, 0, 0, 0)' 'no matrix products'
    refused 'THFloatTensor_conv2Dmv(0)' 'no convolutions'
    refused 'THLongTensor_sort(0, 0, 0, 0, 0)' 'does not sort'
    refused 'THDoubleTensor_take(0, 0, 0)' 'takes no elements by number'
    refused 'THFloatBlas_gemv(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)' 'no matrix products'
    refused 'THDoubleTensor_gesv(0, 0, 0, 0)' 'has no LAPACK'
    refused 'THDiskFile_new("data", "r", 0)' 'has no files'
    refused 'THMapAllocatorContext_new("data", 0)' 'maps no files'
    refused 'THLongStorage_inferSize2(0, 0, 0, 0, 0, 0, 0)' 'bl_broadcast_shapes'
    refused 'THByteStorage_newWithMapping(0, 0, 0)' 'maps no files'
else
    tap_skip "what is left out" "the compiler has no attribute for it"
fi

# ---- names ----

mkdir "$work/fresh"
sh "$th/regen" "$root" "$work/fresh"
diff "$th/TH/THCallSites.h" "$work/fresh/THCallSites.h" > "$work/faults"
tap_empty "$work/faults" "THCallSites.h is what make regen writes"

shared=${top_builddir:-.}/compat/.libs/libbroadloom-th.so
if [ -e "$shared" ]; then
    ${NM:-nm} -D --defined-only "$shared" | awk '$3 !~ /^_?TH/ { print $3 }' > "$work/faults"
    tap_empty "$work/faults" "the library exports TH's names alone"
else
    tap_skip "exported names" "built without a shared library"
fi
tap_done
