# SPDX-License-Identifier: BSD-3-Clause
# For scripts that need the Fortran library, to be sourced after tap.sh.

# Programs of a script are linked as users' are, against the libraries in the build folder.
link="-I$here/lib/fortran -L$here/lib/.libs -lbroadloom-fortran -lbroadloom -Wl,-rpath,$here/lib/.libs"

# without_fortran NAME: skip the script where the library was not built.
without_fortran() {
    if [ ! -e "$here/lib/libbroadloom-fortran.la" ]; then
        tap_skip "$1" "configure found no companion of the C compiler, as gfortran, or left it out"
    elif [ ! -e "$here/lib/.libs/libbroadloom-fortran.so" ]; then
        tap_skip "$1" "built without shared libraries"
    else
        return 1
    fi
    tap_done
}
