# SPDX-License-Identifier: BSD-3-Clause
# BL_BLAS: find a BLAS with the C interface, CBLAS, of 32-bit integers, for the matrix products
# of libbroadloom-th, which loads it by its soname when it is first needed.  -lblas is tried
# first: systems that let an administrator choose a BLAS choose what it names.  Where it has
# no LAPACK, liblapack is looked for likewise.

# BL_SONAME(VARIABLE): the soname of the first library that the last program was linked with.
AC_DEFUN([BL_SONAME], [
  $1=`${OBJDUMP-objdump} -p conftest$EXEEXT | sed -n 's/^ *NEEDED *//p' |
      grep -v -E '^(libc|libm|libgomp|libpthread)[[.]]' | sed 1q`
])

AC_DEFUN([BL_BLAS], [
  AC_ARG_WITH([blas],
      [AS_HELP_STRING([--with-blas], [matrix products of floating-point numbers in libbroadloom-th
                       by a BLAS: yes, no, how to link it, as in --with-blas="-lblis", or check,
                       which is the default: where one is found])],
      [], [with_blas=check])
  AS_CASE([$with_blas],
          [yes|check], [bl_tried="-lblas|-lcblas -lblas|-lflexiblas|-lopenblas|-lblis|-lmkl_rt"],
          [no], [bl_tried=], [bl_tried=$with_blas])
  bl_blas=none
  AS_IF([test -n "$bl_tried"], [
    AC_CACHE_CHECK([for the soname of CBLAS], [bl_cv_blas], [
      bl_cv_blas=none
      bl_save_LIBS=$LIBS bl_save_IFS=$IFS
      IFS='|'
      for bl_libs in $bl_tried; do
        IFS=$bl_save_IFS
        LIBS="$bl_libs $bl_save_LIBS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[char cblas_sgemm(void); char cblas_dger(void);]],
                                        [[return cblas_sgemm() + cblas_dger();]])],
            [BL_SONAME([bl_cv_blas])
             test -n "$bl_cv_blas" && break
             bl_cv_blas=none])
      done
      LIBS=$bl_save_LIBS IFS=$bl_save_IFS
    ])
    AC_CACHE_CHECK([for the soname of LAPACK beside CBLAS], [bl_cv_lapack], [
      bl_cv_lapack=none
      bl_save_LIBS=$LIBS
      for bl_lapack in "" -llapack; do
        LIBS="$bl_lapack $bl_libs $bl_save_LIBS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[char dgesv_(void); char dpstrf_(void);]],
                                        [[return dgesv_() + dpstrf_();]])],
            [AS_IF([test -n "$bl_lapack"], [BL_SONAME([bl_cv_lapack])])
             break])
      done
      LIBS=$bl_save_LIBS
    ])
    bl_blas=$bl_cv_blas
    AS_IF([test "$bl_blas,$with_blas" != none,check && test "$bl_blas" = none],
          [AC_MSG_ERROR([a BLAS with CBLAS was not found (on Debian, install libopenblas-dev)])])
  ])
  BLAS_LIBS=
  AS_IF([test "$bl_blas" != none], [
    AC_DEFINE_UNQUOTED([BLI_BLAS], ["$bl_blas"], [The BLAS that libbroadloom-th loads.])
    AS_IF([test "$bl_cv_lapack" != none],
          [AC_DEFINE_UNQUOTED([BLI_LAPACK], ["$bl_cv_lapack"],
                              [The LAPACK that libbroadloom-th loads where the BLAS has none.])])
    bl_save_LIBS=$LIBS
    AC_SEARCH_LIBS([dlopen], [dl])
    LIBS=$bl_save_LIBS
    AS_CASE([$ac_cv_search_dlopen], [-l*], [BLAS_LIBS=$ac_cv_search_dlopen])
  ])
  AC_SUBST([BLAS_LIBS])
])
