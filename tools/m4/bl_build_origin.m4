# SPDX-License-Identifier: BSD-3-Clause
# BL_BUILD_ORIGIN: substitute BL_SOURCE, the commit of a Git checkout or the release, and
# BL_CONFIGURED_WITH, the arguments of configure, both as they stand in a C string.

AC_DEFUN([BL_BUILD_ORIGIN], [
  BL_SOURCE="release $PACKAGE_VERSION"
  AS_IF([test -e "$srcdir/.git"], [
    bl_commit=`cd "$srcdir" && git describe --always --dirty --abbrev=12 2> /dev/null`
    BL_SOURCE="commit ${bl_commit:-unknown}"
  ])
  BL_CONFIGURED_WITH=`AS_ECHO(["${ac_configure_args:-nothing}"]) |
    tr '\n' ' ' | $SED "s/'\([[A-Za-z0-9_@%+=:,./-]]*\)'/\\1/g;"'s/[[\\\\"]]/\\\\&/g; s/^ *//; s/ *$//'`
  AC_SUBST([BL_SOURCE])
  AC_SUBST([BL_CONFIGURED_WITH])
])
