# SPDX-License-Identifier: BSD-3-Clause
# BL_BLAS: find a BLAS with the C interface, CBLAS, of 32-bit integers, for the matrix products
# of libbroadloom-th.  -lblas is tried first: systems that let an administrator choose a BLAS
# choose what it names.

AC_DEFUN([BL_BLAS], [
  AC_ARG_WITH([blas],
      [AS_HELP_STRING([--with-blas], [matrix products of floating-point numbers in libbroadloom-th
                       by a BLAS: yes, no, what to link, as in --with-blas="-lblis", or check, which
                       is the default: where one is found])],
      [], [with_blas=check])
  AS_CASE([$with_blas], [yes|check], [bl_tried="-lblas|-lcblas -lblas|-lflexiblas|-lopenblas|-lblis|-lmkl_rt"],
                        [no], [bl_tried=], [bl_tried=$with_blas])
  BLAS_LIBS=
  AS_IF([test -n "$bl_tried"], [
    AC_CACHE_CHECK([what to link for CBLAS], [bl_cv_blas_libs], [
      bl_cv_blas_libs=no
      bl_save_LIBS=$LIBS bl_save_IFS=$IFS
      IFS='|'
      for bl_libs in $bl_tried; do
        IFS=$bl_save_IFS
        LIBS="$bl_libs $bl_save_LIBS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[char cblas_sgemm(void); char cblas_dger(void);]],
                                        [[return cblas_sgemm() + cblas_dger();]])],
                       [bl_cv_blas_libs=$bl_libs; break])
      done
      LIBS=$bl_save_LIBS IFS=$bl_save_IFS
    ])
    AS_IF([test "$bl_cv_blas_libs" != no], [BLAS_LIBS=$bl_cv_blas_libs],
          [test "$with_blas" != check],
          [AC_MSG_ERROR([a BLAS with CBLAS was not found (on Debian, install libopenblas-dev)])])
  ])
  AS_IF([test -n "$BLAS_LIBS"],
        [AC_DEFINE([BLI_HAVE_CBLAS], [1], [libbroadloom-th may call a BLAS.])])
  AC_SUBST([BLAS_LIBS])
  # Programs link it themselves where there are archives alone.
  AS_IF([test "$enable_shared" = no], [BL_PC_BLAS_LIBS=" $BLAS_LIBS"],
        [BL_PC_BLAS_LIBS_PRIVATE=$BLAS_LIBS])
  AC_SUBST([BL_PC_BLAS_LIBS])
  AC_SUBST([BL_PC_BLAS_LIBS_PRIVATE])
])
