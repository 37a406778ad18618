/*
 * Console patterns, part six: what the C library and the shells say in other languages.
 * The first word of a message's translation is fixed text of glibc, bash and coreutils.
 */
#include "diag/table.h"

#include "base/banned.h"

/* clang-format off */
const struct scan_row table_locale[] = {
    {"permission-denied-other", "libc", MEAN_ERROR, FACTOR_PERMISSION_DENIED, "keine berechtigung|permission non accord|permiso denegado|permesso negato|toegang geweigerd|permiss\xc3\xa3o negada|\xe8\xae\xb8\xe5\x8f\xaf|\xe6\x9d\x83\xe9\x99\x90",
     "(?i)keine berechtigung|permission non accord|permiso denegado|permesso negato|toegang geweigerd|permiss\xc3\xa3o negada|"
     "\xe8\xae\xb8\xe5\x8f\xaf\xe3\x81\x8c\xe3\x81\x82\xe3\x82\x8a\xe3\x81\xbe\xe3\x81\x9b\xe3\x82\x93|\xe6\x9d\x83\xe9\x99\x90\xe4\xb8\x8d\xe5\xa4\x9f",
     "it had no permission", "./start.sh: Zeile 3: /opt/run: Keine Berechtigung"},
    {"disk-full-locale", "libc", MEAN_ERROR, FACTOR_DISK_FULL, "kein speicherplatz|aucun espace disponible|no queda espacio|spazio esaurito|n\xc3\xa3o h\xc3\xa1 espa\xc3\xa7o|\xe8\xae\xbe\xe5\xa4\x87\xe4\xb8\x8a",
     "(?i)^(?!.*/dev/shm).*(?:auf dem ger\xc3\xa4t ist kein speicherplatz|aucun espace disponible sur le p\xc3\xa9riph\xc3\xa9rique|no queda espacio en el dispositivo|spazio esaurito sul device|n\xc3\xa3o h\xc3\xa1 espa\xc3\xa7o dispon|\xe8\xae\xbe\xe5\xa4\x87\xe4\xb8\x8a\xe6\xb2\xa1\xe6\x9c\x89\xe7\xa9\xba\xe9\x97\xb4)",
     "the disk was full", "cp: 'a': Auf dem Ger\xc3\xa4t ist kein Speicherplatz mehr verf\xc3\xbcgbar"},
    {"memory-refused-locale", "libc", MEAN_MEM_REFUSED, 0, "hauptspeicher|allouer de la m|m\xc3\xa9moire insuffisante|pudo asignar memoria|allocare memoria|\xe6\x97\xa0\xe6\xb3\x95\xe5\x88\x86\xe9\x85\x8d\xe5\x86\x85\xe5\xad\x98|\xe3\x83\xa1\xe3\x83\xa2\xe3\x83\xaa\xe3\x82\x92\xe7\xa2\xba\xe4\xbf\x9d",
     "(?i)nicht gen\xc3\xbcgend hauptspeicher|kann nicht gen\xc3\xbcgend hauptspeicher|(?:impossible d'|ne peut |ne peut pas )allouer de la m\xc3\xa9moire|m\xc3\xa9moire insuffisante|no se pudo asignar memoria|impossibile allocare memoria|"
     "\xe6\x97\xa0\xe6\xb3\x95\xe5\x88\x86\xe9\x85\x8d\xe5\x86\x85\xe5\xad\x98|\xe3\x83\xa1\xe3\x83\xa2\xe3\x83\xaa\xe3\x82\x92\xe7\xa2\xba\xe4\xbf\x9d\xe3\x81\xa7\xe3\x81\x8d\xe3\x81\xbe\xe3\x81\x9b\xe3\x82\x93",
     "the memory it asked for was refused", "sort: Nicht gen\xc3\xbcgend Hauptspeicher verf\xc3\xbcgbar"},
    {"killed-locale", "shell", MEAN_KILLED, 0, "get\xc3\xb6tet|processus arr\xc3\xaat\xc3\xa9|tu\xc3\xa9|terminado (killed)|\xe5\xb7\xb2\xe6\x9d\x80\xe6\xad\xbb|\xe5\xbc\xb7\xe5\x88\xb6\xe7\xb5\x82\xe4\xba\x86",
     "^(?:.{0,200}?: (?:Zeile|ligne|l\xc3\xadnea|\xe8\xa1\x8c) ?\\d+\\s?:?\\s+)?(?:\\d+ )?(?:Get\xc3\xb6tet|Processus arr\xc3\xaat\xc3\xa9|Tu\xc3\xa9|Terminado \\(killed\\)|\xe5\xb7\xb2\xe6\x9d\x80\xe6\xad\xbb|\xe5\xbc\xb7\xe5\x88\xb6\xe7\xb5\x82\xe4\xba\x86)(?:\\s+(?<what>\\S.*))?$",
     "signal 9 ended it", "./run.sh: Zeile 6:   992 Get\xc3\xb6tet                python3 step.py"},
    {"segfault-locale", "shell", MEAN_ERROR, FACTOR_SEGFAULT, "speicherzugriffsfehler|erreur de segmentation|violaci\xc3\xb3n de segmento|\xe6\xae\xb5\xe9\x94\x99\xe8\xaf\xaf",
     "(?i)speicherzugriffsfehler|erreur de segmentation|violaci\xc3\xb3n de segmento|\xe6\xae\xb5\xe9\x94\x99\xe8\xaf\xaf",
     "it used memory it did not own (a mistake in native code)", "Speicherzugriffsfehler (Speicherabzug geschrieben)"},
};
/* clang-format on */
const size_t table_locale_count = sizeof(table_locale) / sizeof(table_locale[0]);
