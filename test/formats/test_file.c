/*
 * test_file.c - whole files: what is read, and that a target is complete or as it was.
 */
#define _GNU_SOURCE

#include "formats/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

static const char path[] = "test_file.tmp";

/* what the file holds; NULL when there is none */
static char *content(const char *name)
{
    char *text = NULL;
    size_t size;
    return file_read(name, NULL, &text, &size, NULL) == LB_OK ? text : NULL;
}

static void assert_content(const char *name, const char *expected)
{
    owned char *text = content(name);
    assert_non_null(text);
    assert_string_equal(text, expected);
}

static void write_or_fail(const char *text)
{
    file_writer writer;
    assert_ok(file_begin(&writer, path, NULL));
    fputs(text, writer.stream);
    assert_ok(file_commit(&writer, NULL));
}

TEST(test_read)
{
    /* sizes around those at which the block grows, zero bytes among them */
    static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 131071, 131072, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        FILE *file = fopen(path, "wb");
        for (size_t k = 0; k < sizes[i]; k++)
            fputc((int)(k * 31 % 256), file);
        fclose(file);
        owned char *text = NULL;
        size_t size;
        assert_ok(file_read(path, NULL, &text, &size, NULL));
        assert_int_equal(size, sizes[i]);
        for (size_t k = 0; k < size; k++)
            assert_int_equal((unsigned char)text[k], k * 31 % 256);
        assert_int_equal(text[size], '\0');
    }
    unlink(path);
}

TEST(test_read_refused)
{
    char *text;
    size_t size;
    assert_int_equal(file_read("none.tmp", NULL, &text, &size, &cause), LB_FILE_ERROR);
    assert_null(text);
    assert_string_equal(cause.path, "none.tmp");
    assert_string_equal(cause.message, "cannot be opened: No such file or directory");
    assert_int_equal(file_read(".", NULL, &text, &size, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.message, "cannot be read: Is a directory");
}

/* files without an end, and too long ones, which are not read */
TEST(test_read_bounded)
{
    enum { MOST = 70000 };
    file_reader reader;
    char *text;
    size_t size;
    assert_ok(file_open(&reader, "/dev/zero", NULL));
    assert_int_equal(file_read_rest(&reader, MOST, NULL, &text, &size, &cause), LB_UNSUPPORTED);
    assert_null(text);
    assert_string_equal(cause.path, "/dev/zero");
    assert_string_equal(cause.message, "more than 70000 bytes, the most that is read");

    // the size itself is not too long
    FILE *file = fopen(path, "wb");
    assert_int_equal(ftruncate(fileno(file), MOST), 0);
    assert_ok(file_open(&reader, path, NULL));
    assert_ok(file_read_rest(&reader, MOST, NULL, &text, &size, NULL));
    assert_int_equal(size, MOST);
    free(text);
    assert_ok(file_open(&reader, path, NULL));
    assert_int_equal(file_read_rest(&reader, MOST - 1, NULL, &text, &size, &cause), LB_UNSUPPORTED);

    // known before any memory is taken
    test_memory memory = {.fail_at = 0};
    lb_allocator allocator = test_memory_allocator(&memory);
    assert_int_equal(ftruncate(fileno(file), (off_t)FILE_SIZE_MAX + 1), 0);
    fclose(file);
    assert_int_equal(file_read(path, &allocator, &text, &size, &cause), LB_UNSUPPORTED);
    assert_string_equal(cause.path, path);
    unlink(path);
}

/* what a file names is a regular file, and "-" is none */
TEST(test_read_named)
{
    char *text;
    size_t size;
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(file_read_named(path, NULL, &text, &size, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.path, path);
    assert_string_equal(cause.message, "is no regular file");
    assert_false(file_is_regular(path));
    unlink(path);
    assert_int_equal(file_read_named("-", NULL, &text, &size, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.message, "cannot be opened: No such file or directory");
    write_or_fail("text");
    assert_ok(file_read_named(path, NULL, &text, &size, NULL));
    assert_string_equal(text, "text");
    free(text);
    unlink(path);
}

/* each allocation failing in turn: an error, and nothing kept */
TEST(test_read_no_memory)
{
    FILE *file = fopen(path, "wb");
    for (int k = 0; k < 200000; k++)
        fputc('x', file);
    fclose(file);
    ALLOCATIONS_FAIL (failing, 1000) {
        char *text;
        size_t size;
        failing.status = file_read(path, &failing.allocator, &text, &size, NULL);
        failing.allocator.release(failing.allocator.user, text);
        assert_true((text != NULL) == (failing.status == LB_OK));
    }
    unlink(path);
}

/* the old content stands until the commit, and after a discard */
TEST(test_replace)
{
    file_writer writer;
    write_or_fail("old");
    assert_content(path, "old");

    assert_ok(file_begin(&writer, path, NULL));
    fputs("half", writer.stream);
    fflush(writer.stream);
    assert_content(path, "old");
    file_discard(&writer);
    assert_content(path, "old");
    file_discard(&writer);

    write_or_fail("new");
    assert_content(path, "new");
    unlink(path);
}

/* ---- links, and what is one file ------------------------------------------ */

/* links to what is not there yet lead there: it is made, and they stay */
TEST(test_link_to_nothing)
{
    struct stat about;
    file_writer writer;
    assert_int_equal(mkdir("test_file.d", 0777), 0);
    assert_int_equal(symlink("../test_file.tmp", "test_file.d/link"), 0);
    assert_int_equal(symlink("test_file.d/link", "test_file.link"), 0);
    assert_true(file_is_same("test_file.link", path));
    assert_true(file_is_same("./test_file.tmp", "test_file.d/link"));
    assert_false(file_is_same("test_file.link", "other.tmp"));
    assert_ok(file_begin(&writer, "test_file.link", NULL));
    fputs("text", writer.stream);
    assert_ok(file_commit(&writer, NULL));
    assert_content(path, "text");
    assert_int_equal(lstat("test_file.link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat("test_file.d/link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    unlink(path);
    unlink("test_file.link");
    unlink("test_file.d/link");
    rmdir("test_file.d");

    // a circle leads nowhere
    assert_int_equal(symlink("test_file.b", "test_file.a"), 0);
    assert_int_equal(symlink("test_file.a", "test_file.b"), 0);
    assert_false(file_is_same("test_file.a", "test_file.b"));
    assert_int_equal(file_begin(&writer, "test_file.a", &cause), LB_FILE_ERROR);
    unlink("test_file.a");
    unlink("test_file.b");
}

/* what is one with "-" while standard output is `output` */
static void check_output(int output, bool device, bool file)
{
    int before = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(output, STDOUT_FILENO);
    bool same_device = file_is_same("-", "/dev/fd/1"), same_file = file_is_same(path, "-");
    bool named = file_is_same("-", "./-"), itself = file_is_same("-", "-");
    dup2(before, STDOUT_FILENO);
    close(before);
    assert_int_equal(same_device, device);
    assert_int_equal(same_file, file);
    assert_false(named);
    assert_true(itself);
}

TEST(test_same_output)
{
    int ends[2], null = open("/dev/null", O_WRONLY);
    assert_int_equal(pipe(ends), 0);
    write_or_fail("text");
    int file = open(path, O_WRONLY);
    check_output(ends[1], true, false);
    check_output(file, true, true);
    check_output(null, false, false);
    close(ends[0]);
    close(ends[1]);
    close(file);
    close(null);
    unlink(path);

    // nothing is replaced there
    assert_false(file_is_same("/dev/null", "/dev/null"));
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_false(file_is_same(path, path));
    unlink(path);
    assert_true(file_is_same(path, path));
    assert_true(file_is_same("nowhere/x", "nowhere/x"));
}

TEST(test_write_refused)
{
    file_writer writer;
    assert_int_equal(file_begin(&writer, "none/x.tmp", &cause), LB_FILE_ERROR);
    assert_string_equal(cause.path, "none/x.tmp");
    assert_string_equal(cause.message, "cannot be written: No such file or directory");
    assert_int_equal(file_begin(&writer, ".", &cause), LB_FILE_ERROR);
    assert_string_equal(cause.message, "cannot be written: Is a directory");
    file_discard(&writer);
}

/* a full device is noticed at the commit, not passed over */
TEST(test_write_full)
{
    file_writer writer;
    if (access("/dev/full", W_OK) != 0) {
        print_message("there is no /dev/full: not tried\n");
        skip();
    }
    assert_ok(file_begin(&writer, "/dev/full", &cause));
    fputs("x", writer.stream);
    assert_int_equal(file_commit(&writer, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.message, "cannot be written: No space left on device");
}

/* the rights are those of any new file, and those of other threads' files meanwhile, too */
TEST(test_rights)
{
    struct stat made;
    unlink(path);
    mode_t before = umask(027);
    write_or_fail("new");
    assert_int_equal(stat(path, &made), 0);
    assert_int_equal(made.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    write_or_fail("newer");
    assert_int_equal(stat(path, &made), 0);
    assert_int_equal(made.st_mode & 0777, 0604);
    assert_int_equal(umask(before), 027);
    unlink(path);
}

static int count_files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strstr(entry->d_name, path) != NULL;
    closedir(folder);
    return count;
}

/* where files may have no name, a file that is being written has none: nothing to leave behind */
TEST(test_unnamed)
{
#ifdef O_TMPFILE
    // what gives them names later is in /proc
    int unnamed = open(".", O_TMPFILE | O_WRONLY, 0600);
    if (unnamed < 0 || access("/proc/self/fd", X_OK) != 0) {
        print_message("no files without a name here: skipped\n");
        skip();
    }
    close(unnamed);
    file_writer writer;
    unlink(path);
    assert_int_equal(count_files(), 0);
    assert_ok(file_begin(&writer, path, NULL));
    fputs("text", writer.stream);
    fflush(writer.stream);
    assert_int_equal(count_files(), 0);
    assert_ok(file_commit(&writer, NULL));
    assert_int_equal(count_files(), 1);
    assert_content(path, "text");
    unlink(path);
#else
    print_message("no files without a name on this system: skipped\n");
    skip();
#endif
}
