/*
 * zip.h - ZIP archives in memory, by minizip: the container of NumPy's .npz.
 *
 * Where the library is built without minizip, both ways are LB_UNSUPPORTED and the message says so.
 */
#ifndef FORMATS_ZIP_H
#define FORMATS_ZIP_H

#include <limber/base.h>
#include <stddef.h>

enum { ZIP_NAME_SIZE = 256 };

/* A file of an archive that is being read, decompressed; `bytes` are gone after the call. */
typedef struct zip_file {
    char name[ZIP_NAME_SIZE];
    const unsigned char *bytes;
    size_t size;
} zip_file;

/* Receives each file in turn; another status than LB_OK ends the reading with it. */
typedef lb_status zip_visit(void *user, const zip_file *file, lb_error *error);

/*
 * Reads an archive of `size` bytes. Memory is that of one file at a time, and of no more than what
 * so many bytes can be the compression of, and 1 GiB. Refused: what is no archive, a file whose
 * checksum or length is another one, files that share their bytes, encryption.
 */
lb_status zip_read(const void *bytes, size_t size, const lb_allocator *allocator, zip_visit *visit,
                   void *user, lb_error *error);

/* An archive that is being written; release with zip_release. */
typedef struct zip_writer {
    lb_allocator allocator;
    unsigned char *bytes;
    size_t size, room, at; /* written; there is memory for; where the next byte goes */
    void *archive;
    bool failed;
} zip_writer;

/* Files are stored as they are, one after the other; what fails is said at the end. */
void zip_begin(zip_writer *zip, const lb_allocator *allocator);
void zip_open(zip_writer *zip, const char *name);
void zip_put(zip_writer *zip, const void *bytes, size_t size);
void zip_close(zip_writer *zip);
/* After it zip->bytes are the archive. */
lb_status zip_end(zip_writer *zip, lb_error *error);
void zip_release(zip_writer *zip);

#endif
