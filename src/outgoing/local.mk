# What leaves for people elsewhere: how it is masked, and the note as it will be read.
noinst_LIBRARIES += src/outgoing/liboutgoing.a
src_outgoing_liboutgoing_a_SOURCES = \
	src/outgoing/mask.c src/outgoing/mask.h \
	src/outgoing/note_text.c src/outgoing/note_text.h
src_outgoing_liboutgoing_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(PCRE2_CFLAGS)
