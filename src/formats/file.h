/*
 * file.h - files read at once or in pieces, and written so that nothing is ever half there.
 */
#ifndef FORMATS_FILE_H
#define FORMATS_FILE_H

#include <limber/base.h>
#include <stdint.h>
#include <stdio.h>

/* The most bytes of a file that are read into memory; longer ones, as /dev/zero, are refused. */
#define FILE_SIZE_MAX ((size_t)1 << 30)

/*
 * Reads all of the file at `path`, "-" being standard input. *text has *size
 * bytes and a terminating zero after them; release it through the same
 * allocator. A directory, or what cannot be opened or read, is LB_FILE_ERROR
 * with the system's reason, more than FILE_SIZE_MAX bytes LB_UNSUPPORTED; *text is NULL then.
 */
lb_status file_read(const char *path, const lb_allocator *allocator, char **text, size_t *size,
                    lb_error *error);

/*
 * The same of a file that another file names: a regular one only, because a pipe or a terminal
 * might never end; "-" is a name as any other.
 */
lb_status file_read_named(const char *path, const lb_allocator *allocator, char **text,
                          size_t *size, lb_error *error);

/* Whether there is a file at `path` that is no folder, pipe or device. */
bool file_is_regular(const char *path);

/* The same, and which file it is, by whatever path or link: two of the same identity are one. */
typedef struct file_identity {
    uintmax_t device, number;
} file_identity;
bool file_identify(const char *path, file_identity *identity);

/* A path without its folders: a part of the text that is given. */
const char *file_name(const char *path);

/* A file that is read from its beginning to its end. */
typedef struct file_reader {
    FILE *stream;
    const char *path; /* for messages; must outlive the reader */
    bool own;         /* the stream is closed with the reader */
} file_reader;

/* Opens the file at `path`, "-" being standard input. On failure there is nothing to close. */
lb_status file_open(file_reader *reader, const char *path, lb_error *error);

/* The next bytes, at most `room`: *size of them, fewer than `room` only at the end. */
lb_status file_next(file_reader *reader, char *bytes, size_t room, size_t *size, lb_error *error);

/* The same up to the end of a line, so that nothing is waited for behind it. */
lb_status file_next_line(file_reader *reader, char *bytes, size_t room, size_t *size,
                         lb_error *error);

/* Whether it is a regular file, all of which is there: else it may be written while it is read. */
bool file_is_whole(const file_reader *reader);

/* Reads what is left as file_read() does, but at most `most` bytes, and closes the reader. */
lb_status file_read_rest(file_reader *reader, size_t most, const lb_allocator *allocator,
                         char **text, size_t *size, lb_error *error);

/* Accepts a reader that is closed or was never opened (all zeros). */
void file_close(file_reader *reader);

/*
 * Whether what is written to one path takes the place of what was written to the other: by links
 * to files and folders, too, and where the file is not there yet. "-" is standard output, and so is
 * a path that leads there. Other pipes, terminals and devices are no file that something replaces.
 * Paths in folders that are not there are compared as texts.
 */
bool file_is_same(const char *a, const char *b);

/*
 * A file being written. What is printed to `stream` goes to a new file beside
 * the target, which takes the target's place at file_commit(); until then, and
 * after file_discard(), the target is as it was. A link stays, and the file that it leads to is
 * replaced, or made where it is not there yet. A target that is no regular file (a pipe, a
 * terminal, /dev/null) is written directly; "-" is standard output.
 */
typedef struct file_writer {
    FILE *stream;
    char *buffer;    /* of the stream */
    char *target;    /* links followed; NULL when written directly */
    char *temporary; /* room for the new file's name beside it */
    bool unnamed;    /* it gets its name when it is complete */
    bool named;      /* there is a file of that name, which goes unless it is committed */
    bool own;        /* the stream is closed with the writer */
    const char *path;
} file_writer;

/* The file that writing to a path makes or replaces, links followed; NULL where it is written
   directly. Release with free(). */
char *file_target(const char *path);

/* `path` must outlive the writer. On failure there is nothing to discard. */
lb_status file_begin(file_writer *writer, const char *path, lb_error *error);

/* The sink of formats that writes to a stream, which is `stream`. */
bool file_sink(void *stream, const void *bytes, size_t size);

/* Ends the writing: the target is complete, or as it was and *error says why. */
lb_status file_commit(file_writer *writer, lb_error *error);

/* Removes the target, so that nothing is there until file_commit(). */
lb_status file_remove_target(const file_writer *writer, lb_error *error);

/* Hands what a stream holds to the system. Returns 0, or the errno for which this, or anything that
   was written to it before, has failed. */
int file_flush(FILE *stream);

/* Discards what was written; accepts a writer that was committed, discarded or never begun (all
 * zeros). */
void file_discard(file_writer *writer);

#endif
