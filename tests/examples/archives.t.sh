#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installations of other configurations: with archives, and in lib/x86_64-linux-gnu.  What
# configure writes for pkg-config and CMake is put beside the library as it was built.

. "${srcdir:-.}/tests/harness/tap.sh"
tap_long "other configurations"
unset DESTDIR PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR CMAKE_PREFIX_PATH
if [ -e "$source/config.status" ]; then
    tap_skip "other configurations" "the sources are configured in place"
    tap_done
    exit 0
fi
prefix=$work/prefix
lib=$prefix/lib/x86_64-linux-gnu
mkdir "$work/build" "$prefix"
include=$(find "$here/tests/examples/stage" -name broadloom.h)
cp -R "${include%/*}" "$prefix/include"

# configured OPTION...: what it writes, and a library: the objects of all of it are an archive.
configured() {
    rm -rf "$prefix/lib"
    mkdir -p "$lib/pkgconfig" "$lib/cmake/Broadloom"
    (cd "$work/build" && "$source/configure" -q -C --prefix="$prefix" --libdir="$lib" \
        --with-isa=base "$@") > "$work/log" 2>&1 &&
        cp "$work/build/tools/package/broadloom.pc" "$lib/pkgconfig" &&
        cp "$work"/build/tools/package/*.cmake "$lib/cmake/Broadloom" &&
        cp "$here/lib/.libs/libbli.a" "$lib/libbroadloom.a"
    tap_ok $? "configure $*"
}
package() {
    PKG_CONFIG_PATH=$lib/pkgconfig "${PKG_CONFIG:-pkg-config}" "$@" broadloom 2>&1
}

# runs PROGRAM NAME: it prints what it should, without a shared library.
runs() {
    "$1" 2>&1 | diff - "$source/tests/examples/expected/heat.txt" > "$work/faults" &&
        ! ldd "$1" | grep 'libbroadloom' >> "$work/faults"
    tap_empty "$work/faults" "$2"
}

by_pkg_config() { # NAME OPTION...
    name=$1
    shift
    package "$@" --cflags --libs > "$work/flags"
    tr -s ' ' '\n' < "$work/flags" | grep . | sort | uniq -d > "$work/faults"
    tap_empty "$work/faults" "$name: pkg-config names nothing twice"
    # shellcheck disable=SC2046 # flags are words
    ${CC:-cc} ${CFLAGS-} -o "$work/heat" "$source/tests/examples/heat.c" \
        $(cat "$work/flags") > "$work/log" 2>&1
    runs "$work/heat" "$name: a program by pkg-config $*"
}

by_cmake() { # NAME TARGET
    if ! command -v cmake > /dev/null 2>&1; then
        tap_skip "$1: a program by CMake" "no cmake"
        return 0
    fi
    rm -rf "$work/cmake"
    mkdir "$work/cmake"
    cat > "$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.16)
project(heat LANGUAGES C)
find_package(Broadloom REQUIRED COMPONENTS static)
add_executable(heat $source/tests/examples/heat.c)
target_link_libraries(heat PRIVATE $2)
EOF
    CC="${CC:-cc}" cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" \
        > "$work/log" 2>&1 && cmake --build "$work/cmake/build" >> "$work/log" 2>&1
    runs "$work/cmake/build/heat" "$1: a program by CMake, $2"
}

configured --enable-static --disable-shared
by_pkg_config "archives only"
by_cmake "archives only" Broadloom::broadloom
configured --enable-static
package --libs | grep -q -e '-lhwloc'
test $? -ne 0
tap_ok $? "both kinds: programs of the shared one are not linked with what it has found"
by_pkg_config "both kinds" --static
by_cmake "both kinds" Broadloom::static
tap_done
