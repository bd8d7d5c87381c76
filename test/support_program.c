/*
 * support_program.c - runs the program as a user would.
 */
#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_program.h"

program_result program;

static char folder[4096], home[4096];
static const char line_out[] = ".stdout", line_err[] = ".stderr";

/* ---- the folder --------------------------------------------------------- */

/* what was there before the first test: "/a.csv/b.csv/" */
static char kept[4096];

static void remove_all(const char *name)
{
    char line[1024];
    snprintf(line, sizeof line, "rm -rf './%s'", name);
    if (remove(name) != 0 && system(line) != 0)
        printf("%s: cannot be removed\n", name);
}

static void clear_folder(bool before)
{
    char name[512];
    bool first = kept[0] == '\0';
    DIR *directory = before && !first ? NULL : opendir(".");
    if (first)
        strcpy(kept, "/./../");
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        size_t used = strlen(kept);
        snprintf(name, sizeof name, "/%s/", entry->d_name);
        if (strstr(kept, name) != NULL)
            continue;
        if (first)
            snprintf(kept + used, sizeof kept - used, "%s/", entry->d_name);
        else
            remove_all(entry->d_name);
    }
    if (directory != NULL)
        closedir(directory);
}

int program_start(void)
{
    char path[16384];
    assert_non_null(getcwd(home, sizeof home));
    snprintf(folder, sizeof folder, "program-XXXXXX");
    assert_non_null(mkdtemp(folder));

    /* the program's own folder comes first in the search path */
    const char *slash = strrchr(LIMBER_PROGRAM, '/');
    snprintf(path, sizeof path, "%.*s:%s", (int)(slash - LIMBER_PROGRAM), LIMBER_PROGRAM,
             getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    test_around = clear_folder;
    return chdir(folder);
}

int program_stop(void)
{
    char line[8192];
    free(program.out);
    free(program.err);
    if (chdir(home) != 0)
        return 1;
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

bool program_begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* ---- files -------------------------------------------------------------- */

void program_write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void program_write(const char *path, const char *text)
{
    program_write_bytes(path, text, strlen(text));
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("there is no file '%s'", path);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    *size = fread(text, 1, (size_t)length, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

char *program_read(const char *path)
{
    size_t size;
    return read_whole(path, &size);
}

double program_number_behind(const char *text, const char *name)
{
    const char *found = text != NULL ? strstr(text, name) : NULL;
    assert_non_null(found);
    return strtod(found + strlen(name), NULL);
}

bool program_has_file(const char *path)
{
    return access(path, F_OK) == 0;
}

long program_file_size(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (long)about.st_size : 0;
}

int program_count_files(void)
{
    int count = 0;
    DIR *directory = opendir(".");
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, line_out) != 0 && strcmp(entry->d_name, line_err) != 0)
            count++;
    closedir(directory);
    return count;
}

/* ---- running ------------------------------------------------------------ */

/* runs a line in the shell and keeps what it said */
static int run_line(const char *line)
{
    size_t size = strlen(line) + 64;
    char *whole = malloc(size);
    assert_non_null(whole);
    snprintf(whole, size, "{ %s\n} </dev/null >%s 2>%s", line, line_out, line_err);
    fflush(NULL);
    int status = system(whole);
    free(whole);
    free(program.out);
    free(program.err);
    program.out = read_whole(line_out, &program.out_size);
    program.err = read_whole(line_err, &program.err_size);
    program.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return program.status;
}

static int run_formatted(const char *before, const char *format, va_list arguments)
{
    static char line[65536];
    size_t used = (size_t)snprintf(line, sizeof line, "%s", before);
    int length = vsnprintf(line + used, sizeof line - used, format, arguments);
    assert_true(length >= 0 && (size_t)length < sizeof line - used);
    return run_line(line);
}

int program_shell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = run_formatted("", format, arguments);
    va_end(arguments);
    return status;
}

int program_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = run_formatted("limber ", format, arguments);
    va_end(arguments);
    return status;
}

static void check_exit(int wanted, const char *format)
{
    if (program.status != wanted)
        fail_msg("%s: exit status %d, not %d\n%s", format, program.status, wanted, program.err);
}

void program_exits(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run_formatted("limber ", format, arguments);
    va_end(arguments);
    check_exit(status, format);
}

void program_shell_exits(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run_formatted("", format, arguments);
    va_end(arguments);
    check_exit(status, format);
}

void program_find(const char *in, const char *text, bool there, const char *file, int line)
{
    if ((strstr(in, text) != NULL) == there)
        return;
    print_error("\"%s\" is%s in: %s\n", text, there ? " not" : "", in);
    _fail(file, line);
}

void program_find_in(const char *path, const char *text, bool there, const char *file, int line)
{
    owned char *whole = program_read(path);
    program_find(whole, text, there, file, line);
}

bool program_same_files(const char *a, const char *b)
{
    owned char *one = program_read(a), *other = program_read(b);
    return strcmp(one, other) == 0;
}

void program_must(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run_formatted("limber ", format, arguments);
    va_end(arguments);
    check_exit(0, format);
}

void program_prints(const char *arguments, const char *says)
{
    program_must("%s", arguments);
    if (strstr(program.out, says) == NULL)
        fail_msg("limber %s: \"%s\" is not in: %s", arguments, says, program.out);
}

void program_says(int status, const char *arguments, const char *says)
{
    program_exits(status, "%s", arguments);
    if (strstr(program.err, says) == NULL)
        fail_msg("limber %s: \"%s\" is not in: %s", arguments, says, program.err);
}

void program_refuses(const char *arguments, const char *says)
{
    int files = program_count_files();
    int status = program_run("%s", arguments);
    if (status != 2)
        fail_msg("limber %s: exit status %d, not 2\n%s", arguments, status, program.err);
    if (program.out_size > 0)
        fail_msg("limber %s: printed, though refused: %s", arguments, program.out);
    if (strncmp(program.err, "limber: ", 8) != 0 ||
        strchr(program.err, '\n') != program.err + program.err_size - 1)
        fail_msg("limber %s: not one line that begins \"limber: \": %s", arguments, program.err);
    if (strstr(program.err, says) == NULL)
        fail_msg("limber %s: \"%s\" is not in: %s", arguments, says, program.err);
    if (program_count_files() != files)
        fail_msg("limber %s: left a file behind", arguments);
}

int program_start_figures(void)
{
    int failed = program_start();
    if (failed == 0)
        program_must("figures --output f");
    return failed;
}

int program_stop_figures(void)
{
    program_shell("rm -rf f");
    return program_stop();
}
