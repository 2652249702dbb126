# SPDX-License-Identifier: BSD-3-Clause
# BL_ISA(NAME, FLAGS, MACRO): whether the C compiler builds for the instruction set NAME,
# that is, takes FLAGS and then defines MACRO, and --with-isa does not leave it out.  For avx2
# it sets ISA_AVX2_CFLAGS, the Automake conditional ISA_AVX2, and BLI_HAVE_ISA_AVX2 in
# config.h.

AC_DEFUN([BL_ISA], [
  AC_REQUIRE([BL_WITH_ISA])
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
  AS_CASE([,$with_isa,],
    [,yes,], [bl_isa=$bl_cv_isa_$1],
    [*,$1,*], [bl_isa=$bl_cv_isa_$1
      AS_IF([test "$bl_isa" = no],
        [AC_MSG_ERROR([--with-isa=$with_isa: $CC does not build for $1])])],
    [bl_isa=no])
  AS_VAR_APPEND([bl_isa_names], [" $1"])
  AM_CONDITIONAL([ISA_]BL_name, [test "$bl_isa" = yes])
  AS_IF([test "$bl_isa" = yes],
    [AC_DEFINE([BLI_HAVE_ISA_]BL_name, [1], [The kernels are compiled for $1.])])
  AC_SUBST([ISA_]BL_name[_CFLAGS], ["$2"])
  m4_popdef([BL_name])
])

# --with-isa=LIST
AC_DEFUN([BL_WITH_ISA], [
  bl_isa_names=base
  AC_ARG_WITH([isa],
    [AS_HELP_STRING([--with-isa=LIST],
       [instruction sets that kernels are compiled for, as base,avx2; base is always one
        @<:@all that the compiler knows@:>@])],
    [], [with_isa=yes])
])

# After the last BL_ISA: refuse names in --with-isa that none has.
AC_DEFUN([BL_ISA_CHECK], [
  for bl_isa in `echo "$with_isa" | tr , ' '`; do
    AS_CASE([" $bl_isa_names yes no "],
      [*" $bl_isa "*], [],
      [AC_MSG_ERROR([--with-isa=$with_isa: no $bl_isa among $bl_isa_names])])
  done
])
