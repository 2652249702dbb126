# SPDX-License-Identifier: BSD-3-Clause
# BL_PACKAGES: substitute what the descriptions of the installed library for pkg-config and
# CMake say.  Folders below the prefix are named by their way from it, so that they follow it.
#
#   BL_PC_LIBDIR, _INCLUDEDIR, ...   "${prefix}/lib", or absolute outside of the prefix
#   BL_CMAKE_INCLUDEDIR              from the folder of BroadloomConfig.cmake, or absolute
#   BL_PC_LIBS, BL_PC_LIBS_PRIVATE   what programs link with an archive: private where there is
#                                    a shared library too, and empty where there are no archives.
#                                    Libraries, not packages: hwloc's names what only a static
#                                    libhwloc needs, and few systems have.
#   BL_PC_STATIC                     whether there are archives, in words
#   BL_CMAKE_STATIC_LIBS             libraries that programs link with archives

AC_DEFUN([BL_PACKAGES], [
  AC_CHECK_SIZEOF([void *])
  AC_SUBST([SIZEOF_VOID_P], [$ac_cv_sizeof_void_p])
  bl_prefix=$prefix bl_exec_prefix=$exec_prefix
  AS_IF([test "$bl_prefix" = NONE], [bl_prefix=$ac_default_prefix])
  AS_IF([test "$bl_exec_prefix" = NONE], [bl_exec_prefix=$bl_prefix])
  for bl_dir in libdir includedir datadir docdir; do
    eval "bl_value=\$$bl_dir"
    bl_value=`prefix=$bl_prefix exec_prefix=$bl_exec_prefix PACKAGE_TARNAME=$PACKAGE_TARNAME
              eval "bl_value=$bl_value"; eval "bl_value=$bl_value"; eval echo "$bl_value"`
    bl_below=`expr "X$bl_value" : "X$bl_prefix/\(.*\)"`
    bl_pc=$bl_value
    AS_IF([test -n "$bl_below"], [bl_pc="\${prefix}/$bl_below"])
    eval "bl_$bl_dir=\$bl_value bl_below_$bl_dir=\$bl_below bl_pc_$bl_dir=\$bl_pc"
  done
  AC_SUBST([BL_PC_LIBDIR], [$bl_pc_libdir])
  AC_SUBST([BL_PC_INCLUDEDIR], [$bl_pc_includedir])
  AC_SUBST([BL_PC_DATADIR], [$bl_pc_datadir])
  AC_SUBST([BL_PC_DOCDIR], [$bl_pc_docdir])
  BL_CMAKE_INCLUDEDIR=$bl_includedir
  AS_IF([test -n "$bl_below_libdir" && test -n "$bl_below_includedir"], [
    bl_up=`echo "$bl_below_libdir/cmake/Broadloom" | $SED 's|[[^/][^/]]*|..|g'`
    BL_CMAKE_INCLUDEDIR=$bl_up/$bl_below_includedir
  ])
  AC_SUBST([BL_CMAKE_INCLUDEDIR])

  bl_libs=`echo $HWLOC_LIBS $SLEEF_LIBS $LIBS`
  BL_CMAKE_STATIC_LIBS=`echo "$bl_libs" | tr ' ' ';'`
  AS_CASE([$enable_static,$enable_shared],
    [no,*], [BL_PC_STATIC='shared libraries only'],
    [*,no], [BL_PC_STATIC='archives only' BL_PC_LIBS=" $bl_libs $OPENMP_CFLAGS"],
    [BL_PC_STATIC='shared libraries and archives'
     BL_PC_LIBS_PRIVATE="$bl_libs $OPENMP_CFLAGS"])
  AC_SUBST([BL_PC_STATIC])
  AC_SUBST([BL_PC_LIBS])
  AC_SUBST([BL_PC_LIBS_PRIVATE])
  AC_SUBST([BL_CMAKE_STATIC_LIBS])
])
