/* The functions that templates may call beside ClearSilver's own (tpl.h says what they do). */
#ifndef CASEBOOK_WEB_TPL_FUNC_H
#define CASEBOOK_WEB_TPL_FUNC_H

#include "web/cs.h"

/* To be called between cs_init and the first parse. */
NEOERR *tpl_func_register(CSPARSE *cs);

#endif
