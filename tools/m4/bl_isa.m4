# SPDX-License-Identifier: BSD-3-Clause
# BL_ISA(NAME, FLAGS, MACRO): whether the C compiler builds for the instruction set NAME,
# that is, takes FLAGS and then defines MACRO.  For avx2 it sets ISA_AVX2_CFLAGS, the
# Automake conditional ISA_AVX2, and BLI_HAVE_ISA_AVX2 in config.h.  bl_cv_isa_avx2=no as an
# argument of configure leaves it out.

AC_DEFUN([BL_ISA], [
  m4_pushdef([BL_name], m4_toupper([$1]))
  AC_CACHE_CHECK([whether $CC builds for $1], [bl_cv_isa_$1], [
    bl_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $2"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#ifndef $3
#error not for this machine
#endif
int bl_probe(void);]])],
      [bl_cv_isa_$1=yes], [bl_cv_isa_$1=no])
    CFLAGS=$bl_save_CFLAGS
  ])
  AM_CONDITIONAL([ISA_]BL_name, [test "$bl_cv_isa_$1" = yes])
  AS_IF([test "$bl_cv_isa_$1" = yes],
    [AC_DEFINE([BLI_HAVE_ISA_]BL_name, [1], [The kernels are compiled for $1.])])
  AC_SUBST([ISA_]BL_name[_CFLAGS], ["$2"])
  m4_popdef([BL_name])
])
