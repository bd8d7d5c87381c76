/*
 * zip.c - ZIP archives in memory, by minizip, which is given its files by functions of ours.
 */
#include "formats/zip.h"
#include "base/error.h"

#include "base/memory.h"
#include "formats/file.h"

#include <string.h>

#if defined LIMBER_HAVE_MINIZIP

#include <unzip.h>
#include <zip.h>

/* deflate makes at most so many bytes of one (zlib's own figure is 1032) */
enum { MOST_RATIO = 1040 };

/* ---- an archive as a file ------------------------------------------------ */

/* What is read. */
typedef struct source {
    const unsigned char *bytes;
    size_t size, at;
} source;

static voidpf ZCALLBACK open_any(voidpf opaque, const void *name, int mode)
{
    (void)name, (void)mode;
    return opaque;
}

static int ZCALLBACK close_any(voidpf opaque, voidpf stream)
{
    (void)opaque, (void)stream;
    return 0;
}

static int ZCALLBACK has_error(voidpf opaque, voidpf stream)
{
    (void)opaque, (void)stream;
    return 0;
}

static uLong ZCALLBACK read_source(voidpf opaque, voidpf stream, void *out, uLong size)
{
    source *from = stream;
    size_t left = from->size - from->at, count = size < left ? size : left;
    (void)opaque;
    memcpy(out, from->bytes + from->at, count);
    from->at += count;
    return (uLong)count;
}

static ZPOS64_T ZCALLBACK tell_source(voidpf opaque, voidpf stream)
{
    (void)opaque;
    return ((const source *)stream)->at;
}

/* where a seek goes in `size` bytes; false: beyond */
static bool find_place(size_t size, size_t at, ZPOS64_T offset, int origin, size_t *place)
{
    size_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                  : origin == ZLIB_FILEFUNC_SEEK_CUR ? at
                                                     : size;
    if (offset > size - from)
        return false;
    *place = from + (size_t)offset;
    return true;
}

static long ZCALLBACK seek_source(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
    source *from = stream;
    (void)opaque;
    return find_place(from->size, from->at, offset, origin, &from->at) ? 0 : -1;
}

/* ---- reading ------------------------------------------------------------- */

static lb_status refuse(lb_error *error, const char *what, const char *name)
{
    return lb_error_set(error, LB_SYNTAX_ERROR, 0, "%s%s%.100s", what, *name != '\0' ? ": " : "",
                        name);
}

/* one file, decompressed and handed on */
static lb_status read_file(unzFile archive, const unz_file_info64 *info, const lb_allocator *memory,
                           zip_file *file, zip_visit *visit, void *user, lb_error *error)
{
    size_t size = (size_t)info->uncompressed_size, done = 0;
    unsigned char *bytes = memory_take(memory, size, 1);
    if (bytes == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for '%.100s'", file->name);
    int count = 1;
    while (count > 0 && done < size) {
        size_t left = size - done;
        count =
            unzReadCurrentFile(archive, bytes + done, (unsigned)(left < 1 << 20 ? left : 1 << 20));
        done += count > 0 ? (size_t)count : 0;
    }
    // the end of the file is where its checksum is compared
    bool whole = done == size && count >= 0 && unzCloseCurrentFile(archive) == UNZ_OK;
    file->bytes = bytes;
    file->size = size;
    lb_status status = whole ? visit(user, file, error)
                             : refuse(error, "a file of the archive is damaged", file->name);
    memory_release(memory, bytes);
    return status;
}

/* the file that is next; `left`: bytes that the files before it left for it and those behind it */
static lb_status open_file(unzFile archive, size_t *left, const lb_allocator *memory,
                           zip_visit *visit, void *user, lb_error *error)
{
    zip_file file = {.size = 0};
    unz_file_info64 info;
    if (unzGetCurrentFileInfo64(archive, &info, file.name, sizeof file.name, NULL, 0, NULL, 0) !=
        UNZ_OK)
        return refuse(error, "the archive's directory is damaged", "");
    if (info.size_filename >= sizeof file.name)
        return refuse(error, "a file of the archive has a name of more than 255 bytes", "");
    if ((info.flag & 1) != 0)
        return refuse(error, "a file of the archive is encrypted", file.name);
    if (info.compressed_size > *left ||
        info.uncompressed_size / MOST_RATIO > (ZPOS64_T)info.compressed_size + 1)
        return refuse(error, "a file of the archive is longer than its bytes can be", file.name);
    // files that share their bytes would make a short archive a long one
    *left -= (size_t)info.compressed_size;
    if (info.uncompressed_size > FILE_SIZE_MAX)
        return REFUSE_UNSUPPORTED(error,
                                  "a file of the archive has more than %zu bytes, the most that is "
                                  "read: %.100s",
                                  FILE_SIZE_MAX, file.name);
    if (unzOpenCurrentFile(archive) != UNZ_OK)
        return refuse(error, "a file of the archive is damaged, or compressed by another method",
                      file.name);
    return read_file(archive, &info, memory, &file, visit, user, error);
}

lb_status zip_read(const void *bytes, size_t size, const lb_allocator *allocator, zip_visit *visit,
                   void *user, lb_error *error)
{
    lb_allocator memory = memory_allocator(allocator);
    source from = {bytes, size, 0};
    zlib_filefunc64_def functions = {.zopen64_file = open_any,
                                     .zread_file = read_source,
                                     .ztell64_file = tell_source,
                                     .zseek64_file = seek_source,
                                     .zclose_file = close_any,
                                     .zerror_file = has_error,
                                     .opaque = &from};
    unzFile archive = unzOpen2_64("", &functions);
    if (archive == NULL)
        return refuse(error, "this is no ZIP archive, or it is cut off", "");
    lb_status status = LB_OK;
    size_t left = size;
    int at = unzGoToFirstFile(archive);
    for (; at == UNZ_OK && status == LB_OK; at = unzGoToNextFile(archive))
        status = open_file(archive, &left, &memory, visit, user, error);
    if (status == LB_OK && at != UNZ_END_OF_LIST_OF_FILE)
        status = refuse(error, "the archive's directory is damaged", "");
    unzClose(archive);
    return status;
}

/* ---- writing ------------------------------------------------------------- */

static uLong ZCALLBACK write_target(voidpf opaque, voidpf stream, const void *bytes, uLong size)
{
    zip_writer *to = stream;
    (void)opaque;
    // minizip loses memory where a write fails: without room the bytes are only counted
    unsigned char *room =
        to->failed ? NULL
                   : memory_grow(&to->allocator, to->bytes, to->size, &to->room, to->at + size, 1);
    to->failed = room == NULL;
    if (room != NULL) {
        to->bytes = room;
        memcpy(room + to->at, bytes, size);
    }
    to->at += size;
    to->size = to->at > to->size ? to->at : to->size;
    return size;
}

static uLong ZCALLBACK read_target(voidpf opaque, voidpf stream, void *out, uLong size)
{
    (void)opaque, (void)stream, (void)out, (void)size;
    return 0;
}

static ZPOS64_T ZCALLBACK tell_target(voidpf opaque, voidpf stream)
{
    (void)opaque;
    return ((const zip_writer *)stream)->at;
}

static long ZCALLBACK seek_target(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
    zip_writer *to = stream;
    (void)opaque;
    return find_place(to->size, to->at, offset, origin, &to->at) ? 0 : -1;
}

void zip_begin(zip_writer *zip, const lb_allocator *allocator)
{
    *zip = (zip_writer){.allocator = memory_allocator(allocator)};
    zlib_filefunc64_def functions = {.zopen64_file = open_any,
                                     .zread_file = read_target,
                                     .zwrite_file = write_target,
                                     .ztell64_file = tell_target,
                                     .zseek64_file = seek_target,
                                     .zclose_file = close_any,
                                     .zerror_file = has_error,
                                     .opaque = zip};
    zip->archive = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
    zip->failed = zip->archive == NULL;
}

void zip_open(zip_writer *zip, const char *name)
{
    // the same date every time: the first that the format has
    zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}};
    zip->failed = zip->failed || zipOpenNewFileInZip64(zip->archive, name, &info, NULL, 0, NULL, 0,
                                                       NULL, 0, 0, 1) != ZIP_OK;
}

void zip_put(zip_writer *zip, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size > 0 && !zip->failed) {
        unsigned part = size < 1 << 20 ? (unsigned)size : 1 << 20;
        zip->failed = zipWriteInFileInZip(zip->archive, at, part) != ZIP_OK;
        at += part;
        size -= part;
    }
}

void zip_close(zip_writer *zip)
{
    zip->failed = zip->failed || zipCloseFileInZip(zip->archive) != ZIP_OK;
}

lb_status zip_end(zip_writer *zip, lb_error *error)
{
    if (zip->archive != NULL)
        zip->failed = zipClose(zip->archive, NULL) != ZIP_OK || zip->failed;
    zip->archive = NULL;
    return zip->failed ? lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for the archive")
                       : LB_OK;
}

void zip_release(zip_writer *zip)
{
    if (zip->archive != NULL)
        zipClose(zip->archive, NULL);
    memory_release(&zip->allocator, zip->bytes);
    *zip = (zip_writer){.allocator = zip->allocator};
}

#else

static lb_status refuse_all(lb_error *error)
{
    return REFUSE_UNSUPPORTED(error, "this limber was built without minizip, which .npz needs "
                                     "(libminizip-dev)");
}

lb_status zip_read(const void *bytes, size_t size, const lb_allocator *allocator, zip_visit *visit,
                   void *user, lb_error *error)
{
    (void)bytes, (void)size, (void)allocator, (void)visit, (void)user;
    return refuse_all(error);
}

void zip_begin(zip_writer *zip, const lb_allocator *allocator)
{
    *zip = (zip_writer){.allocator = memory_allocator(allocator)};
}

void zip_open(zip_writer *zip, const char *name)
{
    (void)zip, (void)name;
}

void zip_put(zip_writer *zip, const void *bytes, size_t size)
{
    (void)zip, (void)bytes, (void)size;
}

void zip_close(zip_writer *zip)
{
    (void)zip;
}

lb_status zip_end(zip_writer *zip, lb_error *error)
{
    (void)zip;
    return refuse_all(error);
}

void zip_release(zip_writer *zip)
{
    memory_release(&zip->allocator, zip->bytes);
    *zip = (zip_writer){.allocator = zip->allocator};
}

#endif
