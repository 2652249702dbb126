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
