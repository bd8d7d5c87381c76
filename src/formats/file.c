/*
 * file.c - files read at once or in pieces, and replaced as a whole.
 *
 * Replacing is by rename, which POSIX makes atomic within one directory: a
 * reader sees the old file or the new one, never a part. Where the system has
 * files without a name (O_TMPFILE, Linux), the new one gets its name only when it
 * is complete, so a program that is killed leaves nothing behind.
 */
#define _GNU_SOURCE

#include "formats/file.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* fills the error with what the system says of `path` */
static lb_status fail(lb_error *error, const char *path, const char *what, int reason)
{
    error_set_path(error, path);
    return lb_error_set(error, LB_FILE_ERROR, 0, "%s: %s", what,
                        strerror(reason != 0 ? reason : EIO));
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* ---- reading ------------------------------------------------------------ */

static lb_status open_path(file_reader *reader, const char *path, lb_error *error)
{
    *reader = (file_reader){.path = path, .own = true, .stream = fopen(path, "rb")};
    return reader->stream != NULL ? LB_OK : fail(error, path, "cannot be opened", errno);
}

lb_status file_open(file_reader *reader, const char *path, lb_error *error)
{
    if (strcmp(path, "-") != 0)
        return open_path(reader, path, error);
    *reader = (file_reader){.path = "<stdin>", .stream = stdin};
    return LB_OK;
}

lb_status file_next(file_reader *reader, char *bytes, size_t room, size_t *size, lb_error *error)
{
    errno = 0;
    *size = fread(bytes, 1, room, reader->stream);
    return ferror(reader->stream) ? fail(error, reader->path, "cannot be read", errno) : LB_OK;
}

lb_status file_next_line(file_reader *reader, char *bytes, size_t room, size_t *size,
                         lb_error *error)
{
    int c = 0;
    errno = 0;
    for (*size = 0; *size < room && c != '\n' && (c = getc(reader->stream)) != EOF;)
        bytes[(*size)++] = (char)c;
    return ferror(reader->stream) ? fail(error, reader->path, "cannot be read", errno) : LB_OK;
}

bool file_is_whole(const file_reader *reader)
{
    struct stat about;
    return fstat(fileno(reader->stream), &about) == 0 && S_ISREG(about.st_mode);
}

void file_close(file_reader *reader)
{
    if (reader->own && reader->stream != NULL)
        fclose(reader->stream);
    *reader = (file_reader){.stream = NULL};
}

/* a file of more than `most` bytes */
static lb_status refuse_size(const file_reader *reader, size_t most, lb_error *error)
{
    error_set_path(error, reader->path);
    return REFUSE_UNSUPPORTED(error, "more than %zu bytes, the most that is read", most);
}

/* the size of a regular file; 0: it is none, or not known */
static uintmax_t known_size(const file_reader *reader)
{
    struct stat about;
    bool known = file_is_whole(reader) && fstat(fileno(reader->stream), &about) == 0;
    return known && about.st_size > 0 ? (uintmax_t)about.st_size : 0;
}

/* the bytes up to the end, `most` at most, the block doubled whenever it is full */
static lb_status read_rest(file_reader *reader, size_t most, const lb_allocator *memory,
                           char **text, size_t *size, lb_error *error)
{
    enum { LEAST = 1 << 16 };
    const uintmax_t known = known_size(reader);
    if (known > most)
        return refuse_size(reader, most, error);
    // room for a byte more, which shows that there is none
    size_t room = known < LEAST ? LEAST : (size_t)known + 2, used = 0, more;
    char *block = memory_take(memory, room, 1);
    while (block != NULL) {
        /* one byte stays free for the terminator */
        lb_status status = file_next(reader, block + used, room - 1 - used, &more, error);
        if (status != LB_OK) {
            memory_release(memory, block);
            return status;
        }
        used += more;
        if (used > most) {
            memory_release(memory, block);
            return refuse_size(reader, most, error);
        }
        if (used < room - 1)
            break;

        room = room > most / 2 ? most + 2 : 2 * room;
        char *larger = memory_take(memory, room, 1);
        if (larger != NULL)
            memcpy(larger, block, used);
        memory_release(memory, block);
        block = larger;
    }
    if (block == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to read '%s'", reader->path);
    block[used] = '\0';
    *text = block;
    *size = used;
    return LB_OK;
}

lb_status file_read_rest(file_reader *reader, size_t most, const lb_allocator *allocator,
                         char **text, size_t *size, lb_error *error)
{
    lb_allocator memory = memory_allocator(allocator);
    *text = NULL;
    *size = 0;
    lb_status status = read_rest(reader, most, &memory, text, size, error);
    file_close(reader);
    return status;
}

lb_status file_read(const char *path, const lb_allocator *allocator, char **text, size_t *size,
                    lb_error *error)
{
    file_reader reader;
    *text = NULL;
    *size = 0;
    TRY(file_open(&reader, path, error));
    return file_read_rest(&reader, FILE_SIZE_MAX, allocator, text, size, error);
}

bool file_identify(const char *path, file_identity *identity)
{
    struct stat about;
    bool regular = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    *identity = (file_identity){0, 0};
    if (regular)
        *identity = (file_identity){(uintmax_t)about.st_dev, (uintmax_t)about.st_ino};
    return regular;
}

bool file_is_regular(const char *path)
{
    file_identity identity;
    return file_identify(path, &identity);
}

lb_status file_read_named(const char *path, const lb_allocator *allocator, char **text,
                          size_t *size, lb_error *error)
{
    file_reader reader;
    *text = NULL;
    *size = 0;
    // a pipe may never end, nor the opening of one
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        error_set_path(error, path);
        return lb_error_set(error, LB_FILE_ERROR, 0, "is no regular file");
    }
    TRY(open_path(&reader, path, error));
    return file_read_rest(&reader, FILE_SIZE_MAX, allocator, text, size, error);
}

/* ---- where files are ----------------------------------------------------- */

/* a folder and a name in it, from the root on; NULL: there is no such folder */
static char *join_folder(const char *path)
{
    const char *name = file_name(path);
    char *folder = name == path ? strdup(".") : strndup(path, (size_t)(name - path));
    char *whole = folder == NULL ? NULL : realpath(folder, NULL), *joined = NULL;
    if (whole != NULL)
        joined = malloc(strlen(whole) + strlen(name) + 2);
    if (joined != NULL)
        sprintf(joined, "%s/%s", whole, name);
    free(folder);
    free(whole);
    return joined;
}

/* the path that a link holds, a relative one in the link's folder; NULL, with errno: EINVAL where
   `path` is no link, ENOENT where nothing is there */
static char *read_link(const char *path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text);
    if (length == (ssize_t)sizeof text)
        errno = ENAMETOOLONG;
    if (length < 0 || length == (ssize_t)sizeof text)
        return NULL;
    size_t folder = length > 0 && text[0] == '/' ? 0 : (size_t)(file_name(path) - path);
    char *target = malloc(folder + (size_t)length + 1);
    if (target == NULL)
        return NULL;
    memcpy(target, path, folder);
    memcpy(target + folder, text, (size_t)length);
    target[folder + (size_t)length] = '\0';
    return target;
}

/* the file that writing to `path` makes where there is none yet: the path, or what links lead to;
   NULL, with errno, where they have no end */
static char *missing_file(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = strdup(path);
    for (int n = 0; at != NULL && n < MOST_LINKS; n++) {
        char *next = read_link(at);
        if (next == NULL && (errno == EINVAL || errno == ENOENT))
            return at;
        free(at);
        if (next == NULL)
            return NULL;
        at = next;
    }
    if (at != NULL)
        errno = ELOOP;
    free(at);
    return NULL;
}

/* the file that a path leads to, links followed, though it may not be there yet */
static char *resolve(const char *path)
{
    char *target = realpath(path, NULL);
    return target == NULL && errno == ENOENT ? missing_file(path) : target;
}

/* the same from the root on; NULL: there is no such folder */
static char *absolute_path(const char *path)
{
    char *target = resolve(path), *whole = target == NULL ? NULL : join_folder(target);
    free(target);
    return whole;
}

/* whether writing to a path goes where standard output does; not where nothing is kept, as in
   /dev/null */
static bool is_output(const char *path)
{
    struct stat output, about;
    if (strcmp(path, "-") == 0)
        return true;
    bool same = fstat(STDOUT_FILENO, &output) == 0 && stat(path, &about) == 0 &&
                about.st_dev == output.st_dev && about.st_ino == output.st_ino;
    return same && (!S_ISCHR(output.st_mode) || isatty(STDOUT_FILENO));
}

/* whether nothing takes the place of what is there: a pipe, a terminal, /dev/null */
static bool is_written_directly(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

char *file_target(const char *path)
{
    return is_written_directly(path) ? NULL : resolve(path);
}

bool file_is_same(const char *a, const char *b)
{
    const bool standard = strcmp(a, "-") == 0 || strcmp(b, "-") == 0;
    if (is_output(a) && is_output(b))
        return true;
    if (standard || is_written_directly(a) || is_written_directly(b))
        return false;
    if (strcmp(a, b) == 0)
        return true;
    char *first = absolute_path(a), *second = absolute_path(b);
    bool same = first != NULL && second != NULL && strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

/* ---- writing ------------------------------------------------------------ */

/* names beside a target are tried until one is free */
enum { MOST_NAMES = 1000 };

/* the n-th name beside the target, in writer->temporary, which has the room */
static void name_temporary(file_writer *writer, int n)
{
    sprintf(writer->temporary, "%s.%ld-%d", writer->target, (long)getpid(), n);
}

/* a file without a name in the target's folder; -1: the system has none, or none there */
static int open_unnamed(const char *target)
{
#ifdef O_TMPFILE
    char *folder = strdup(target), *slash = folder ? strrchr(folder, '/') : NULL;
    if (folder == NULL)
        return -1;
    // "/a" lies in "/", "a" in "."
    if (slash != NULL)
        slash[slash == folder] = '\0';
    bool nameable = access("/proc/self/fd", X_OK) == 0;
    int descriptor =
        nameable ? open(slash == NULL ? "." : folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    return descriptor;
#else
    (void)target;
    return -1;
#endif
}

static int open_named(file_writer *writer)
{
    int descriptor = -1;
    for (int n = 0; descriptor < 0 && n < MOST_NAMES; n++) {
        name_temporary(writer, n);
        descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
    }
    return descriptor;
}

/* opens a new file beside the target; `rights` of the old one, or -1 where there is none */
static FILE *open_temporary(file_writer *writer, int rights)
{
    writer->temporary = malloc(strlen(writer->target) + 64);
    if (writer->temporary == NULL)
        return NULL;
    int descriptor = open_unnamed(writer->target);
    writer->unnamed = descriptor >= 0;
    if (descriptor < 0)
        descriptor = open_named(writer);
    writer->named = descriptor >= 0 && !writer->unnamed;
    if (descriptor < 0)
        return NULL;
    bool right = rights < 0 || fchmod(descriptor, (mode_t)rights) == 0;
    FILE *stream = right ? fdopen(descriptor, "wb") : NULL;
    if (stream == NULL)
        close(descriptor);
    return stream;
}

/*
 * Gives a complete file without a name one beside the target: the last thing before it takes the
 * target's place, so that a program that is ended hardly ever leaves it there.
 */
static bool give_name(file_writer *writer, int descriptor)
{
    char link_name[64];
    snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", descriptor);
    for (int n = 0; n < MOST_NAMES && !writer->named; n++) {
        name_temporary(writer, n);
        writer->named =
            linkat(AT_FDCWD, link_name, AT_FDCWD, writer->temporary, AT_SYMLINK_FOLLOW) == 0;
        if (!writer->named && errno != EEXIST)
            return false;
    }
    return writer->named;
}

/* large pieces take the system less time than those of stdio, which do where there is no memory */
static void widen_buffer(file_writer *writer)
{
    enum { SIZE = 1 << 17 };
    writer->buffer = malloc(SIZE);
    if (writer->buffer != NULL)
        setvbuf(writer->stream, writer->buffer, _IOFBF, SIZE);
}

lb_status file_begin(file_writer *writer, const char *path, lb_error *error)
{
    memset(writer, 0, sizeof *writer);
    writer->path = path;
    if (strcmp(path, "-") == 0) {
        writer->path = "<stdout>";
        writer->stream = stdout;
        return LB_OK;
    }

    /* what is there already decides how it is written */
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        return fail(error, path, "cannot be written", EISDIR);
    if (exists && access(path, W_OK) != 0)
        return fail(error, path, "cannot be written", errno);
    if (exists && !S_ISREG(there.st_mode)) {
        writer->stream = fopen(path, "wb");
    } else {
        writer->target = resolve(path);
        int rights = exists ? (int)(there.st_mode & 0777) : -1;
        writer->stream = writer->target == NULL ? NULL : open_temporary(writer, rights);
    }
    writer->own = true;
    if (writer->stream != NULL && writer->target != NULL)
        widen_buffer(writer);
    if (writer->stream != NULL)
        return LB_OK;
    int reason = errno;
    file_discard(writer);
    return fail(error, path, "cannot be written", reason);
}

int file_flush(FILE *stream)
{
    errno = 0;
    bool fine = fflush(stream) == 0 && ferror(stream) == 0;
    if (fine || errno != 0)
        return fine ? 0 : errno;
    // an earlier write failed and the stream kept no reason: writing one more byte fails for the
    // same; if it succeeds, the output is incomplete anyway
    const ssize_t more = write(fileno(stream), "\n", 1);
    return more < 0 && errno != 0 ? errno : EIO;
}

/* hands everything to the system; false, with errno, where it did not take it */
static bool end_stream(file_writer *writer)
{
    int reason = file_flush(writer->stream);
    bool fine = reason == 0;
    if (writer->own && fclose(writer->stream) != 0 && fine) {
        fine = false;
        reason = errno;
    }
    writer->stream = NULL;
    errno = reason;
    return fine;
}

bool file_sink(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size;
}

lb_status file_remove_target(const file_writer *writer, lb_error *error)
{
    bool fine = writer->target == NULL || unlink(writer->target) == 0 || errno == ENOENT;
    return fine ? LB_OK : fail(error, writer->path, "cannot be replaced", errno);
}

lb_status file_commit(file_writer *writer, lb_error *error)
{
    // a file without a name goes with its last descriptor
    int kept = writer->unnamed ? dup(fileno(writer->stream)) : -1;
    bool failed = writer->unnamed && kept < 0;
    int reason = errno;
    // everything must have left this process before the new file may replace the old
    if (!end_stream(writer) && !failed) {
        failed = true;
        reason = errno;
    }
    if (!failed && ((writer->unnamed && !give_name(writer, kept)) ||
                    (writer->target != NULL && rename(writer->temporary, writer->target) != 0))) {
        failed = true;
        reason = errno;
    }
    if (kept >= 0)
        close(kept);
    const char *path = writer->path;
    writer->named = writer->named && failed;
    file_discard(writer);
    return failed ? fail(error, path, "cannot be written", reason) : LB_OK;
}

void file_discard(file_writer *writer)
{
    if (writer->stream != NULL && writer->own)
        fclose(writer->stream);
    if (writer->named)
        unlink(writer->temporary);
    free(writer->buffer);
    free(writer->temporary);
    free(writer->target);
    memset(writer, 0, sizeof *writer);
}
