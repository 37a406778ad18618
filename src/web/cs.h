/*
 * The one door to ClearSilver: its headers redefine PACKAGE_NAME and others, so nobody else includes
 * them (style.md 6.1).
 */
#ifndef CASEBOOK_WEB_CS_H
#define CASEBOOK_WEB_CS_H

#ifndef __bool_true_false_are_defined
#include <stdbool.h>
#endif
#include <ClearSilver.h>

#endif
