noinst_LIBRARIES += src/base/libbase.a
src_base_libbase_a_SOURCES = \
	src/base/arena.c src/base/arena.h \
	src/base/banned.h \
	src/base/digest.c src/base/digest.h \
	src/base/err.c src/base/err.h \
	src/base/human.c src/base/human.h \
	src/base/jget.c src/base/jget.h \
	src/base/jrows.c src/base/jrows.h \
	src/base/num.c src/base/num.h \
	src/base/sbuf.c src/base/sbuf.h \
	src/base/text.c src/base/text.h \
	src/base/text_html.c \
	src/base/text_parts.c src/base/text_parts.h \
	src/base/ts.c src/base/ts.h \
	src/base/url.c src/base/url.h \
	src/base/utf8.c src/base/utf8.h \
	src/base/xalloc.c src/base/xalloc.h
