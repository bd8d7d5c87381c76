/* fingerprint.h - what a model, its surroundings or a job is, as a number that others hardly have.
 */
#ifndef CLI_REPORT_FINGERPRINT_H
#define CLI_REPORT_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a of 64 bits: of no bytes, of more bytes, and as sixteen hexadecimal digits. */
#define FINGERPRINT_EMPTY 0xcbf29ce484222325u
enum { FINGERPRINT_SIZE = 17 };
uint64_t fingerprint_add(uint64_t hash, const void *bytes, size_t size);
void fingerprint_digits(uint64_t hash, char digits[FINGERPRINT_SIZE]);

#endif
