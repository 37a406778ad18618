/*
 * Functions that invite mistakes become compile errors. Include last, after system headers.
 */
#ifndef CASEBOOK_BASE_BANNED_H
#define CASEBOOK_BASE_BANNED_H

#define CASEBOOK_BANNED(name) casebook_banned_##name
#undef strcpy
#define strcpy(...) CASEBOOK_BANNED(strcpy)
#undef strcat
#define strcat(...) CASEBOOK_BANNED(strcat)
#undef strncpy
#define strncpy(...) CASEBOOK_BANNED(strncpy)
#undef strncat
#define strncat(...) CASEBOOK_BANNED(strncat)
#undef sprintf
#define sprintf(...) CASEBOOK_BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) CASEBOOK_BANNED(vsprintf)
#undef strtok
#define strtok(...) CASEBOOK_BANNED(strtok)
#undef gmtime
#define gmtime(...) CASEBOOK_BANNED(gmtime)
#undef localtime
#define localtime(...) CASEBOOK_BANNED(localtime)
#undef ctime
#define ctime(...) CASEBOOK_BANNED(ctime)
#undef atoi
#define atoi(...) CASEBOOK_BANNED(atoi)
#undef atol
#define atol(...) CASEBOOK_BANNED(atol)

#endif
