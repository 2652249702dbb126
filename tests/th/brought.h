/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by brought.c and brought_kit.c: TH's headers, and how often the kit was
 * called.
 */
#ifndef BROADLOOM_TESTS_TH_BROUGHT_H
#define BROADLOOM_TESTS_TH_BROUGHT_H

#include <TH/TH.h>

extern int brought_calls;

#endif
