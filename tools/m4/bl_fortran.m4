# SPDX-License-Identifier: BSD-3-Clause
# BL_FORTRAN_OPTION, AC_PROG_FC, BL_FORTRAN: --enable-fortran, the Automake conditional FORTRAN,
# and fmoddir, where the module's .mod goes: it is for one compiler.  By default the library is
# built where a Fortran compiler is found that is the C compiler's companion: a probe passes a
# section of an array from the one to the other.

AC_DEFUN([BL_FORTRAN_OPTION], [
  AC_ARG_ENABLE([fortran],
    [AS_HELP_STRING([--enable-fortran],
       [the Fortran library; default: where $FC is the companion of $CC, not if cross compiling])],
    [], [AS_IF([test "$cross_compiling" = yes], [enable_fortran=no], [enable_fortran=check])])
  AS_IF([test "$enable_fortran" = no], [FC=no])
])

AC_DEFUN([BL_FORTRAN], [
  bl_fortran=no FMOD_COMPILER=
  AS_IF([test "$enable_fortran" != no && test -n "$FC"], [
    AC_FC_SRCEXT([f90], [], [:])
    AC_FC_MODULE_EXTENSION
    AC_FC_MODULE_FLAG([], [:])
    AC_FC_MODULE_OUTPUT_FLAG([], [:])
    AC_CACHE_CHECK([whether $FC is the companion of $CC], [bl_cv_fortran], [BL_FORTRAN_PROBE])
    bl_fortran=$bl_cv_fortran
    FMOD_COMPILER=`expr "X/$FC" : 'X.*/\([[^ ]]*\)'`
    AS_IF([test "$ac_cv_fc_compiler_gnu" = yes], [FMOD_COMPILER=gfortran])
    FMOD_COMPILER=$FMOD_COMPILER-`$FC -dumpversion 2> /dev/null || echo unknown`
  ])
  AS_IF([test "$enable_fortran,$bl_fortran" = yes,no],
    [AC_MSG_ERROR([--enable-fortran: no Fortran 2018 compiler whose array descriptors $CC has
      in <ISO_Fortran_binding.h> (on Debian, install gfortran)])])
  AM_CONDITIONAL([FORTRAN], [test "$bl_fortran" = yes])
  AC_SUBST([FMOD_COMPILER])
  AC_SUBST([fmoddir], ['${includedir}/broadloom-${FMOD_COMPILER}'])
])

# Sets bl_cv_fortran.
AC_DEFUN([BL_FORTRAN_PROBE], [
  bl_cv_fortran=no
  cat > conftest_c.c <<'END'
#include <ISO_Fortran_binding.h>
int bl_probe(const CFI_cdesc_t *a, const int *absent, const CFI_cdesc_t *text);
int bl_probe(const CFI_cdesc_t *a, const int *absent, const CFI_cdesc_t *text)
{
    return a->version == CFI_VERSION && a->rank == 2 && a->type == CFI_type_double &&
           a->dim[[0]].extent == 3 && a->dim[[0]].sm == -16 && a->dim[[1]].sm == 96 &&
           *(const double *)a->base_addr == 6 && !absent && text->elem_len == 5;
}
END
  cat > conftest_f.f90 <<'END'
program probe
  use, intrinsic :: iso_c_binding
  implicit none
  interface
     integer(c_int) function bl_probe(a, absent, text) bind(c)
       import
       type(*), dimension(..), intent(in) :: a
       integer(c_int), intent(in), optional :: absent
       character(*, c_char), intent(inout), optional :: text
     end function
  end interface
  real(c_double) :: a(6, 4)
  character(5, c_char) :: text = c_char_'words'
  integer :: i
  a = reshape([[(real(i, c_double), i = 1, 24)]], [[6, 4]])
  if (bl_probe(a(6:1:-2, 1:4:2), text=text) /= 1) error stop 'descriptors differ'
end program
END
  AS_IF([{ $CC $CFLAGS $CPPFLAGS -c conftest_c.c &&
           $FC $FCFLAGS $LDFLAGS -o conftest$ac_exeext conftest_f.f90 conftest_c.$ac_objext &&
           { test "$cross_compiling" = yes || ./conftest$ac_exeext; }; } >&AS_MESSAGE_LOG_FD 2>&1],
    [bl_cv_fortran=yes])
  rm -f conftest*
])
