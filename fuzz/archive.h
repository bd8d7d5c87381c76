/* archive.h - archives of arrays from the bytes of a test case. */
#ifndef FUZZ_ARCHIVE_H
#define FUZZ_ARCHIVE_H

#include "formats/zip.h"
#include "fuzz.h"

/*
 * Puts arrays into an archive, so that checksums do not keep changes out: the number of a name,
 * two bytes of the length, lower one first, so many bytes, and so on. False: there is no archiver.
 */
bool fuzz_archive(fuzz_bytes bytes, const char *const *names, int count, zip_writer *zip);

#endif
