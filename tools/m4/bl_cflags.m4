# SPDX-License-Identifier: BSD-3-Clause
# BL_CFLAGS(VARIABLE, FLAGS): substitute VARIABLE with those of FLAGS that the C compiler
# takes without a warning.

AC_DEFUN([BL_CFLAGS], [
  bl_save_CFLAGS=$CFLAGS
  for bl_flag in m4_normalize([$2]); do
    AC_MSG_CHECKING([whether $CC takes $bl_flag])
    CFLAGS="$bl_save_CFLAGS -Werror $bl_flag"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int bl_probe(void);]])],
      [AC_MSG_RESULT([yes]); AS_VAR_APPEND([$1], [" $bl_flag"])],
      [AC_MSG_RESULT([no])])
  done
  CFLAGS=$bl_save_CFLAGS
  AC_SUBST([$1])
])

# BL_CHECK_VALUES: refuse a compiler, or options of the user's, that change values: NaN would be
# no NaN, subnormal numbers 0, and the order of sums another one.
AC_DEFUN([BL_CHECK_VALUES], [
  AC_CACHE_CHECK([whether the compiler keeps to IEEE 754], [bl_cv_keeps_values], [
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
      #if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || \
          defined __RECIPROCAL_MATH__ || defined __NO_SIGNED_ZEROS__ || \
          (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__)
      #error values change
      #endif
      int bl_values;
    ]])], [bl_cv_keeps_values=yes], [bl_cv_keeps_values=no])
  ])
  AS_IF([test "$bl_cv_keeps_values" = no],
        [AC_MSG_ERROR([CFLAGS have -ffast-math, -Ofast or the like, or CC does as if, which
                       changes results: -fno-fast-math undoes it, -fp-model=precise in icx])])
])

# BL_YES_OR_NO(NAME, LIBRARY): refuse a value of --with-NAME that is a folder.
AC_DEFUN([BL_YES_OR_NO], [
  AS_CASE([${with_$1-check}], [yes|no|check], [],
    [AC_MSG_ERROR([--with-$1=$with_$1: yes, no or check; $2_CFLAGS and $2_LIBS say where $2 is])])
])
