/* fingerprint.h - a hash that identifies a text. */
#ifndef CLI_WORK_FINGERPRINT_H
#define CLI_WORK_FINGERPRINT_H

#include <stddef.h>

/* FNV-1a of 64 bits as sixteen hexadecimal digits. */
enum { FINGERPRINT_SIZE = 17 };
void fingerprint(const char *text, size_t size, char digits[FINGERPRINT_SIZE]);

#endif
