/*
 * file.c - whole files.
 *
 * Replacing is by rename, which POSIX makes atomic within one directory: a
 * reader sees the old file or the new one, never a part.
 */
#define _XOPEN_SOURCE 700

#include "formats/file.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* fills the error with what the system says of `path` */
static lb_status fail(lb_error *error, const char *path, const char *what, int reason)
{
    if (error != NULL)
        snprintf(error->path, sizeof error->path, "%s", path);
    return lb_error_set(error, LB_FILE_ERROR, 0, "%s: %s", what, strerror(reason));
}

/* ---- reading ------------------------------------------------------------ */

/* the bytes of a stream, the block doubled whenever it is full */
static lb_status read_stream(FILE *stream, const char *path, const lb_allocator *memory,
                             char **text, size_t *size, lb_error *error)
{
    size_t room = 1 << 16, used = 0;
    char *block = memory_take(memory, room, 1);
    while (block != NULL) {
        /* one byte stays free for the terminator */
        errno = 0;
        used += fread(block + used, 1, room - 1 - used, stream);
        if (ferror(stream)) {
            memory_release(memory, block);
            return fail(error, path, "cannot be read", errno);
        }
        if (used < room - 1)
            break;

        char *larger = memory_take(memory, room, 2);
        if (larger != NULL)
            memcpy(larger, block, used);
        memory_release(memory, block);
        block = larger;
        room *= 2;
    }
    if (block == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to read '%s'", path);
    block[used] = '\0';
    *text = block;
    *size = used;
    return LB_OK;
}

lb_status file_read(const char *path, const lb_allocator *allocator, char **text, size_t *size,
                    lb_error *error)
{
    lb_allocator memory = memory_allocator(allocator);
    *text = NULL;
    *size = 0;
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, "<stdin>", &memory, text, size, error);

    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return fail(error, path, "cannot be opened", errno);
    lb_status status = read_stream(stream, path, &memory, text, size, error);
    fclose(stream);
    return status;
}

/* ---- writing ------------------------------------------------------------ */

/* the file that a path leads to, links followed; the path itself where there is none yet */
static char *resolve(const char *path)
{
    char *target = realpath(path, NULL);
    if (target == NULL && errno == ENOENT)
        target = strdup(path);
    return target;
}

/* opens a new file beside the target, with the rights that it has or would have */
static FILE *open_temporary(file_writer *writer, mode_t rights)
{
    static const char ending[] = ".XXXXXX";
    size_t size = strlen(writer->target) + sizeof ending;
    writer->temporary = malloc(size);
    if (writer->temporary == NULL)
        return NULL;
    snprintf(writer->temporary, size, "%s%s", writer->target, ending);

    int descriptor = mkstemp(writer->temporary);
    if (descriptor < 0) {
        free(writer->temporary);
        writer->temporary = NULL;
        return NULL;
    }
    FILE *stream = fchmod(descriptor, rights) == 0 ? fdopen(descriptor, "wb") : NULL;
    if (stream == NULL)
        close(descriptor);
    return stream;
}

/* the rights of a file that is created now */
static mode_t default_rights(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
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
        mode_t rights = exists ? there.st_mode & 0777 : default_rights();
        writer->stream = writer->target == NULL ? NULL : open_temporary(writer, rights);
    }
    writer->own = true;
    if (writer->stream != NULL)
        return LB_OK;
    int reason = errno;
    file_discard(writer);
    return fail(error, path, "cannot be written", reason);
}

lb_status file_commit(file_writer *writer, lb_error *error)
{
    /* everything must have left this process before the new file may replace the old */
    errno = 0;
    bool failed = fflush(writer->stream) != 0 || ferror(writer->stream) != 0;
    int reason = errno;
    if (writer->own && fclose(writer->stream) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    writer->stream = NULL;
    if (!failed && writer->target != NULL && rename(writer->temporary, writer->target) != 0) {
        failed = true;
        reason = errno;
    }
    const char *path = writer->path;
    if (!failed) {
        free(writer->temporary);
        writer->temporary = NULL;
    }
    file_discard(writer);
    return failed ? fail(error, path, "cannot be written", reason) : LB_OK;
}

void file_discard(file_writer *writer)
{
    if (writer->stream != NULL && writer->own)
        fclose(writer->stream);
    if (writer->temporary != NULL)
        unlink(writer->temporary);
    free(writer->temporary);
    free(writer->target);
    memset(writer, 0, sizeof *writer);
}
