# SPDX-License-Identifier: BSD-3-Clause
# For the scripts of this folder, to be sourced after tap.sh: compilers of C++.

folder=$source/tests/cxx
libs=$here/lib/.libs
cxx=${CXX:-c++}

# works COMPILER OPTION...: whether the compiler is there, takes the options and makes
# programs that run.
works() {
    echo 'int main() {}' > "$work/empty.cpp"
    "$@" -o "$work/empty" "$work/empty.cpp" > /dev/null 2>&1 && "$work/empty"
}

# shellcheck disable=SC2086 # a compiler with options is words
if [ ! -e "$libs/libbroadloom.so" ] || ! works $cxx -std=c++17; then
    tap_skip "programs in C++" "no shared library, or no compiler of C++17"
    tap_done
    exit
fi

# Link with the library that was just built.
link="-L$libs -lbroadloom -Wl,-rpath,$libs"
