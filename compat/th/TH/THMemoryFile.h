/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files are not a part of libbroadloom-th.
 */
#error                                                                                 \
    "libbroadloom-th has no THMemoryFile: read and write elements through THTensor_(data)"
