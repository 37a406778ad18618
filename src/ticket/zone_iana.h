/*
 * Zendesk names a user's time zone as its settings page does ("London", "Eastern Time (US & Canada)"); browsers
 * know the names of the IANA data base. Pure.
 */
#ifndef CASEBOOK_TICKET_ZONE_IANA_H
#define CASEBOOK_TICKET_ZONE_IANA_H

/*
 * "Europe/London" for "London". A name that is one of the data base's own already (it has a '/' and only
 * letters, '_', '-', '+' and digits) is given back. "" when it is not known: then nothing is guessed.
 */
const char *zone_iana(const char *zendesk_name);

#endif
