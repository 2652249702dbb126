# SPDX-License-Identifier: BSD-3-Clause
# BL_HDF5: find HDF5, for libbroadloom-hdf5 and the tool; HDF5_CFLAGS and HDF5_LIBS name one
# that pkg-config does not know, or another one.  Debian's package hdf5 is the serial one, or
# one of an MPI, as the system is set: the serial one is taken first.

AC_DEFUN([BL_HDF5], [
  AC_ARG_WITH([hdf5],
      [AS_HELP_STRING([--with-hdf5], [libbroadloom-hdf5, and datasets in the tool: yes, no,
                       or check, which is the default: where HDF5 is found])],
      [], [with_hdf5=check])
  bl_have_hdf5=no
  AS_IF([test "$with_hdf5" != no], [
    PKG_CHECK_MODULES([HDF5], [hdf5-serial], [],
        [PKG_CHECK_MODULES([HDF5], [hdf5], [], [HDF5_LIBS=${HDF5_LIBS--lhdf5}])])
    bl_save_CPPFLAGS=$CPPFLAGS bl_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $HDF5_CFLAGS" LIBS="$HDF5_LIBS $LIBS"
    AC_CACHE_CHECK([for the functions of HDF5 1.10], [bl_cv_have_hdf5], [
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>]],
                                      [[return H5Dflush(H5Dopen2(0, "", 0)) < 0;]])],
                     [bl_cv_have_hdf5=yes], [bl_cv_have_hdf5=no])])
    CPPFLAGS=$bl_save_CPPFLAGS LIBS=$bl_save_LIBS
    bl_have_hdf5=$bl_cv_have_hdf5
    AS_IF([test "$bl_have_hdf5,$with_hdf5" = no,yes],
          [AC_MSG_ERROR([HDF5 was not found (on Debian, install libhdf5-dev)])])
  ])
  AS_IF([test "$bl_have_hdf5" = no], [HDF5_CFLAGS= HDF5_LIBS=])
  # Programs link HDF5 themselves where there are archives alone.
  AS_IF([test "$enable_shared" = no], [BL_PC_HDF5_LIBS=" $HDF5_LIBS"],
        [BL_PC_HDF5_LIBS_PRIVATE=$HDF5_LIBS])
  AC_SUBST([BL_PC_HDF5_LIBS])
  AC_SUBST([BL_PC_HDF5_LIBS_PRIVATE])
  AM_CONDITIONAL([HDF5], [test "$bl_have_hdf5" = yes])
])
