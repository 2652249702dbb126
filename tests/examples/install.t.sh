#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is installed, and how pkg-config and CMake find it in a staged prefix and in one that was
# moved.  archives.t.sh tries other configurations.

. "${srcdir:-.}/tests/harness/tap.sh"
unset DESTDIR PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR CMAKE_PREFIX_PATH
examples=$source/tests/examples

# has KIND: whether the build has shared libraries (libs) or archives (old_libs).
has() {
    test "$(sed -n "/^build_$1=/{ s/.*=//p; q; }" "$here/libtool")" = yes
}

MAKEFLAGS= "${MAKE:-make}" -s --no-print-directory -C "$here" list-folders > "$work/folders"
read -r prefix libdir includedir datadir < "$work/folders"
cp -RP "$here/tests/examples/stage" "$work/stage" && rm "$work/stage/done"
tap_ok $? "make install DESTDIR=..."
staged=$work/stage$prefix

# ---- files ----

parts=' '
! has libtool_libs || parts=' shared '
! has old_libs || parts="$parts""static "
parts="$parts$(sed -n 's/^S\["\([A-Z_0-9]*\)_TRUE"\]=""$/\1/p' "$here/config.status" |
    tr 'A-Z\n' 'a-z ')"
find "$work/stage" -type f -o -type l | sed "s|^$work/stage||; s|^$libdir/|lib/|
    s|^$includedir/|include/|; s|^$datadir/|share/|
    s|^share/gdb/auto-load$libdir/|share/gdb/auto-load/|; s|^$prefix/||" | sort > "$work/installed"
differences() { # INSTALLED
    "${AWK:-awk}" -f "$examples/installed.awk" -v parts="$parts" "$examples/installed.txt" "$1"
}
differences "$work/installed" > "$work/faults"
tap_empty "$work/faults" "installed are the files of installed.txt"
{
    grep -v 'NEWS$' "$work/installed"
    echo lib/extra
} > "$work/planted"
test "$(differences "$work/planted" | wc -l)" -eq 2
tap_ok $? "a file too many and one too few are found"
sed '/^#/d; /^$/d; s/ .*//' "$examples/list.txt" | tr , '\n' | sort > "$work/tried"
(cd "$staged/share/broadloom/examples" && ls ./*.[cfmp]* ./CMake* ./Makefile) | sed 's|^./||' |
    sort | diff - "$work/tried" > "$work/faults"
tap_empty "$work/faults" "all examples are tried"
while read -r file; do
    lines=$(wc -l < "$staged/share/broadloom/examples/$file")
    case $file in *.md) continue ;; *_ranks.c) most=100 ;; *) most=60 ;; esac
    [ "$lines" -le $most ] || echo "$file: $lines lines"
done < "$work/tried" > "$work/faults"
tap_empty "$work/faults" "examples have at most 60 lines, over ranks 100"
! has old_libs && grep dependency_libs= "$staged"/lib/*.la | grep -v "=''" > "$work/faults"
tap_empty "$work/faults" "without archives no .la file names other libraries"

# ---- pkg-config ----

mv "$staged" "$work/moved"
lib=$work/moved${libdir#"$prefix"}
package() {
    PKG_CONFIG_LIBDIR=$lib/pkgconfig "${PKG_CONFIG:-pkg-config}" \
        --define-variable=prefix="$work/moved" "$@" 2>&1
}
for name in broadloom broadloom-th $(cd "$lib/pkgconfig" && ls | sed -n 's/\(.*-fortran\)\.pc$/\1/p'); do
    package --exists "$name" && package --cflags "$name" > "$work/cflags"
    tap_ok $? "$name.pc needs no other package"
done
if has old_libs; then
    tap_skip "without archives nothing more is to be linked" "archives are installed"
else
    test "$(package --static --libs broadloom)" = "$(package --libs broadloom)"
    tap_ok $? "without archives nothing more is to be linked"
fi
test "$(package --cflags --libs broadloom | tr -s ' ' | sed 's/ $//')" = \
    "-I$work/moved/include -L$lib -lbroadloom"
tap_ok $? "its folders are those of the moved prefix"
test "$(package --modversion broadloom)" = "$(sed -n 's/^VERSION = //p' "$here/Makefile")"
tap_ok $? "its version is the library's"

# ---- CMake ----

# find_package PREFIX REQUEST: it succeeds where CMake finds the library in the prefix.  Without
# a compiler CMake does not know that it is to look into lib/x86_64-linux-gnu.
find_package() {
    rm -rf "$work/cmake"
    mkdir "$work/cmake"
    cat > "$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.16)
project(find LANGUAGES NONE)
${setting-}
find_package(Broadloom ${2-} REQUIRED)
get_target_property(library Broadloom::broadloom IMPORTED_LOCATION)
get_target_property(headers Broadloom::broadloom INTERFACE_INCLUDE_DIRECTORIES)
get_filename_component(real "$1" REALPATH)
foreach(file \${library} \${headers}/broadloom.h)
  if(NOT EXISTS \${file} OR NOT file MATCHES "^\${real}/")
    message(FATAL_ERROR "not in the prefix: \${file}")
  endif()
endforeach()
EOF
    cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$1" \
        -DCMAKE_LIBRARY_ARCHITECTURE="${libdir##*/}" > "$work/log" 2>&1
}
found() { # PREFIX NAME REQUEST
    find_package "$1" "${3-}"
    tap_ok $? "CMake: $2"
}
not_found() { # PREFIX NAME REQUEST WORDS of the message
    ! find_package "$1" "$3" && tr -s '\n ' ' ' < "$work/log" | grep -q "$4"
    tap_ok $? "CMake: $2"
}

number() { # FIELD of the version
    sed -n 's/^VERSION = //p' "$here/Makefile" | cut -d. -f"$1"
}
major=$(number 1) minor=$(number 2) patch=$(number 3)
if command -v cmake > /dev/null 2>&1; then
    found "$work/moved" "a moved prefix"
    mkdir -p "$(dirname "$staged")"
    mv "$work/moved" "$staged"
    found "$staged" "a prefix below DESTDIR"
    mv "$staged" "$work/moved"
    refused='requested version'
    for request in $major.$minor 0.2 0.2.0 "$major.$minor.$patch EXACT" "0.1...$major.$minor" \
        "0.2...<$major.$((minor + 1))"; do
        found "$work/moved" "$request is satisfied by $major.$minor.$patch" "$request"
    done
    for request in 0.1 $major.$((minor + 1)) 1.0 "0.2 EXACT" 0.1...0.2 \
        "0.2...<$major.$minor.$patch"; do
        not_found "$work/moved" "$request is refused" "$request" "$refused"
    done
    setting='set(CMAKE_SIZEOF_VOID_P 2)'
    not_found "$work/moved" "programs with other pointers are refused" "" "bytes a pointer"
    setting=
    for part in "cxx:$work/moved/include/broadloom/broadloom.hpp" "static:$lib/libbroadloom.a" \
        "fortran:$lib/libbroadloom-fortran.so" "mpi:$lib/libbroadloom-mpi.so" \
        "th:$lib/libbroadloom-th.so"; do
        if [ -e "${part#*:}" ]; then
            found "$work/moved" "component ${part%:*}" "COMPONENTS ${part%:*}"
        else
            not_found "$work/moved" "a missing component is named: ${part%:*}" \
                "COMPONENTS th ${part%:*}" "without its component ${part%:*}"
        fi
    done
else
    tap_skip "CMake" "no cmake"
fi
tap_done
