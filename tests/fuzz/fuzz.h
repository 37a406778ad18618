/* One input of a fuzzer: libFuzzer calls it, or driver.c where there is no libFuzzer. */
#ifndef CASEBOOK_TESTS_FUZZ_H
#define CASEBOOK_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
