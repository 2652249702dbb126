# SPDX-License-Identifier: BSD-3-Clause
# BL_MPI_OPTIONS, BL_MPI: libbroadloom-mpi, by one MPI, whose compiler wrapper says how lib/mpi
# is compiled and linked (MPI_CFLAGS, MPI_LIBS).  The rest of the library never knows of it.  One
# library cannot serve two MPIs, so that of a flavour has a name of its own: MPI_SUFFIX.

AC_DEFUN([BL_MPI_OPTIONS], [
  AC_ARG_WITH([mpi],
      [AS_HELP_STRING([--with-mpi@<:@=MPICC@:>@], [libbroadloom-mpi, by an MPI's compiler wrapper,
                       default mpicc])],
      [], [with_mpi=no])
  AC_ARG_WITH([mpi-flavour],
      [AS_HELP_STRING([--with-mpi-flavour=NAME], [name it libbroadloom-mpi-NAME: mpich, openmpi
                       or abi])],
      [], [with_mpi_flavour=no])
  AS_CASE([$with_mpi_flavour],
    [no], [MPI_SUFFIX=],
    [mpich|openmpi|abi], [MPI_SUFFIX=-$with_mpi_flavour],
    [AC_MSG_ERROR([--with-mpi-flavour is mpich, openmpi or abi, not $with_mpi_flavour])])
  AS_IF([test "$with_mpi" = no && test "$with_mpi_flavour" != no],
        [AC_MSG_ERROR([--with-mpi-flavour names the library of --with-mpi])])
])

AC_DEFUN([BL_MPI], [
  MPI_CFLAGS= MPI_LIBS=
  AS_IF([test "$with_mpi" != no], [
    AS_IF([test "$with_mpi" = yes], [MPICC=${MPICC-mpicc}], [MPICC=$with_mpi])
    # The wrapper's words after the compiler; one that has none to tell needs none.
    for bl_word in `$MPICC -show 2>&AS_MESSAGE_LOG_FD | sed 's/^@<:@^ @:>@*//'`; do
      AS_CASE([$bl_word],
        [-L*|-l*|-Wl,*|-Xlinker|*.a|*.so], [MPI_LIBS="$MPI_LIBS $bl_word"],
        [-O*|-g], [],
        [MPI_CFLAGS="$MPI_CFLAGS $bl_word"])
    done
    bl_save_CPPFLAGS=$CPPFLAGS bl_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
    AC_MSG_CHECKING([for the functions of MPI 3.1 by $MPICC])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
                                      #if MPI_VERSION * 100 + MPI_SUBVERSION < 301
                                      #error MPI is older than 3.1
                                      #endif]],
                                    [[return MPI_Finalize();]])],
                   [AC_MSG_RESULT([yes])],
                   [AC_MSG_RESULT([no])
                    AC_MSG_ERROR([$MPICC has no MPI 3.1 (on Debian, install libmpich-dev or
                                  libopenmpi-dev)])])
    CPPFLAGS=$bl_save_CPPFLAGS LIBS=$bl_save_LIBS
  ])
  AC_SUBST([MPICC])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AC_SUBST([MPI_SUFFIX])
  # Programs link MPI's libraries by its wrapper; those of archives need the names.
  AS_IF([test "$enable_shared" = no], [BL_PC_MPI_LIBS=$MPI_LIBS],
        [BL_PC_MPI_LIBS_PRIVATE=$MPI_LIBS])
  AC_SUBST([BL_PC_MPI_LIBS])
  AC_SUBST([BL_PC_MPI_LIBS_PRIVATE])
  AM_CONDITIONAL([MPI], [test "$with_mpi" != no])
])
