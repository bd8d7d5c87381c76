/*
 * corpus.c - one command for each of many captures and models, each a process of its own.
 */
#define _XOPEN_SOURCE 700

#include "cli/work/corpus.h"

#include "base/text.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "formats/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_SIZE = 4096, JOBS_MOST = 1024 };

static text_option jobs_given, part_given;
static int anew;

const struct poptOption corpus_options[] = {
    OPTION_TEXT("jobs", jobs_given, "N",
                "of several captures and models: N at a time, each in a process of its own; "
                "default: 1"),
    OPTION_TEXT("part", part_given, "I/N", "of these: only each N-th, from the I-th on"),
    OPTION_FLAG("anew", anew,
                "of these: all of them; default: those whose file is not there or older than its "
                "capture, its model or a file that an option names"),
    OPTION_END,
};

/* A job that runs, or ran. */
typedef struct process {
    pid_t id; /* 0: none */
    long job;
    FILE *said; /* its standard error */
} process;

typedef struct run {
    const corpus *all;
    long clips, models, part, parts;
    char **clip_names, **model_names; /* what {clip} and {model} become */
    char **inputs; /* files that options name, as --map does; NULL after the last */
    process *processes;
    int count;
    long written, there, failed;
    char **failures; /* a line for each */
} run;

/* ---- names ---------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* the first text that is there twice, NULL: none */
static const char *find_twice(char *const *texts, long count)
{
    const char *found = NULL;
    char **sorted = allocate_or_exit((size_t)count, sizeof *sorted);
    memcpy(sorted, texts, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_texts);
    for (long i = 1; i < count && found == NULL; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            found = sorted[i];
    return found;
}

/* copies of paths without their endings and their first `folder` bytes, -1: without all folders */
static char **cut_names(const char *const *paths, long count, long folder)
{
    char **names = allocate_or_exit((size_t)count + 1, sizeof *names);
    for (long i = 0; i < count; i++) {
        const char *file = file_name(paths[i]), *dot = strrchr(file, '.');
        const char *begin = folder < 0 ? file : paths[i] + folder;
        size_t size = dot != NULL && dot != file ? (size_t)(dot - begin) : strlen(begin);
        names[i] = allocate_or_exit(size + 1, 1);
        memcpy(names[i], begin, size);
    }
    return names;
}

/* the names of files or, where two are equal, their paths below the last folder that all are in */
static char **name_all(const char *const *paths, long count)
{
    char **names = cut_names(paths, count, -1);
    if (find_twice(names, count) == NULL)
        return names;
    long common = (long)(file_name(paths[0]) - paths[0]);
    for (long i = 1; i < count; i++) {
        long same = 0;
        while (same < common && paths[i][same] == paths[0][same])
            same++;
        while (same > 0 && paths[0][same - 1] != '/')
            same--;
        common = same;
    }
    return cut_names(paths, count, common);
}

/* a pattern with {clip} and {model} replaced; false where that is too long */
static bool expand(const run *r, const char *pattern, long job, char name[NAME_SIZE])
{
    const char *const words[] = {"{clip}", "{model}"};
    const char *const texts[] = {r->clip_names[job / r->models], r->model_names[job % r->models]};
    size_t used = 0;
    while (*pattern != '\0' && used < NAME_SIZE) {
        int which = strncmp(pattern, words[0], strlen(words[0])) == 0   ? 0
                    : strncmp(pattern, words[1], strlen(words[1])) == 0 ? 1
                                                                        : -1;
        int size = which < 0 ? 1 : (int)strlen(texts[which]);
        const char *text = which < 0 ? pattern : texts[which];
        used += (size_t)snprintf(name + used, NAME_SIZE - used, "%.*s", size, text);
        pattern += which < 0 ? 1 : strlen(words[which]);
    }
    return used < NAME_SIZE;
}

/* each job must have files of its own */
static void check_pattern(const run *r, const char *option, const char *pattern)
{
    const struct {
        const char *word, *what;
        long count;
    } needed[] = {{"{clip}", "captures", r->clips}, {"{model}", "models", r->models}};
    for (int i = 0; i < 2; i++)
        if (needed[i].count > 1 && strstr(pattern, needed[i].word) == NULL)
            refuse("%s '%s' is one file for %ld %s: put %s in its name, as in "
                   "'out/{model}/{clip}.npz'",
                   option, pattern, needed[i].count, needed[i].what, needed[i].word);
    for (const char *at = strchr(pattern, '{'); at != NULL; at = strchr(at + 1, '{'))
        if (strncmp(at, "{clip}", 6) != 0 && strncmp(at, "{model}", 7) != 0)
            refuse("%s '%s': {clip} and {model} are what can be in braces", option, pattern);
}

/* no two jobs may write the same file */
static void check_distinct(const run *r, const char *option, const char *pattern)
{
    long count = r->clips * r->models;
    char **names = allocate_or_exit((size_t)count + 1, sizeof *names), name[NAME_SIZE];
    for (long i = 0; i < count; i++) {
        if (!expand(r, pattern, i, name))
            refuse("%s: a name is too long", option);
        names[i] = copy_or_exit(name);
    }
    const char *twice = find_twice(names, count);
    if (twice != NULL)
        refuse("%s: '%s' would be written twice: captures and models need names that differ in "
               "more than their endings",
               option, twice);
}

static void check_files(const run *r)
{
    for (int i = 0; r->all->files[i] != NULL; i++) {
        const char *pattern = option_text(*r->all->files[i]), *option = r->all->names[i];
        if (pattern == NULL && i == 0)
            refuse("of several captures or models %s names the files, as in "
                   "'out/{model}/{clip}.npz'",
                   option);
        if (pattern == NULL)
            continue;
        check_pattern(r, option, pattern);
        check_distinct(r, option, pattern);
    }
}

/* ---- what a run is ---------------------------------------------------------- */

static void add_input(run *r, const char *path)
{
    struct stat found;
    int count = option_count(r->inputs);
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return;
    r->inputs = resize_or_exit(r->inputs, (size_t)count + 2, sizeof(char *));
    r->inputs[count] = copy_or_exit(path);
    r->inputs[count + 1] = NULL;
}

/* what options say of all jobs; files among it are inputs */
static json_t *describe_options(run *r)
{
    static const char *const left_out[] = {"to", "jobs", "part", "anew"};
    json_t *options = json_object();
    const struct poptOption *option;
    for (int i = 0; (option = option_at(r->all->options, i)) != NULL; i++) {
        if (text_index(option->longName, left_out, sizeof left_out / sizeof *left_out) >= 0 ||
            !option_is_given(option))
            continue;
        json_t *values = json_array();
        char **given = option->argInfo == POPT_ARG_ARGV ? *(text_option *)option->arg : NULL;
        for (int g = 0; g < option_count(given); g++) {
            json_array_append_new(values, json_string(given[g]));
            add_input(r, given[g]);
        }
        json_object_set_new(options, option->longName, values);
    }
    return options;
}

static void write_description(const void *object, FILE *stream)
{
    print_json((json_t *)object, JSON_INDENT(2) | JSON_SORT_KEYS, stream);
}

/* makes the folders of a file */
static void make_folders(const char *path)
{
    char folder[NAME_SIZE];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            refuse("the folder '%s' cannot be made: %s", folder, strerror(errno));
        *slash = '/';
    }
}

/* the options are those with which the files there were written, or nothing is there yet */
static void check_description(run *r)
{
    char path[NAME_SIZE], version[32];
    const char *pattern = option_text(*r->all->files[0]);
    int size = (int)strcspn(pattern, "{");
    while (size > 0 && pattern[size - 1] != '/')
        size--;
    snprintf(path, sizeof path, "%.*slimber.json", size, pattern);
    snprintf(version, sizeof version, "%d.%d.%d", LB_VERSION_MAJOR, LB_VERSION_MINOR,
             LB_VERSION_PATCH);
    json_t *now = json_object(), *before = json_load_file(path, 0, NULL);
    r->inputs = allocate_or_exit(1, sizeof *r->inputs);
    json_object_set_new(now, "limber", json_string(version));
    json_object_set_new(now, "options", describe_options(r));
    if (!anew && before != NULL && json_equal(before, now) == 0)
        refuse("'%s' is of other options or another version: give those, another folder, or --anew",
               path);
    make_folders(path);
    destination_save(path, write_description, now);
    json_decref(before);
}

/* ---- jobs -------------------------------------------------------------------- */

static bool is_newer(const char *file, const char *than)
{
    struct stat a, b;
    if (stat(file, &a) != 0)
        return false;
    // a model that is built in has no file
    return stat(than, &b) != 0 || a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
           (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec);
}

static bool is_done(const run *r, long job)
{
    for (int i = 0; r->all->files[i] != NULL; i++) {
        char name[NAME_SIZE];
        const char *pattern = option_text(*r->all->files[i]);
        if (pattern == NULL)
            continue;
        expand(r, pattern, job, name);
        if (!is_newer(name, r->all->clips[job / r->models]) ||
            !is_newer(name, r->all->models[job % r->models]))
            return false;
        for (char **input = r->inputs; *input != NULL; input++)
            if (!is_newer(name, *input))
                return false;
    }
    return true;
}

/* in the new process: the options are those of one job */
static _Noreturn void run_job(const run *r, long job, FILE *said)
{
    static char names[8][NAME_SIZE];
    if (dup2(fileno(said), STDERR_FILENO) < 0)
        _exit(EXIT_BAD_INPUT);
    for (int i = 0; r->all->files[i] != NULL; i++) {
        text_option option = *r->all->files[i];
        if (option == NULL)
            continue;
        expand(r, option[0], job, names[i]);
        option[0] = names[i];
        make_folders(names[i]);
    }
    // the first one, which stays in the list: the process may end anywhere
    char *model = r->all->models[job % r->models];
    r->all->models[job % r->models] = r->all->models[0];
    r->all->models[0] = model;
    int status = r->all->run(r->all->clips[job / r->models]);
    fflush(NULL);
    _exit(status);
}

static bool start(run *r, process *free_one, long job)
{
    *free_one = (process){.job = job, .said = tmpfile()};
    if (free_one->said == NULL)
        return complain("no temporary file can be made: %s", strerror(errno));
    fflush(NULL);
    free_one->id = fork();
    if (free_one->id == 0)
        run_job(r, job, free_one->said);
    return free_one->id > 0 || complain("no process can be started: %s", strerror(errno));
}

/* says what a job said, line by line, and keeps the last line of one that failed */
static void repeat_lines(run *r, process *p, bool failed)
{
    char line[NAME_SIZE], last[NAME_SIZE] = "it ended without a word", job[NAME_SIZE];
    snprintf(job, sizeof job, "%s on %s", r->clip_names[p->job / r->models],
             r->model_names[p->job % r->models]);
    rewind(p->said);
    while (fgets(line, sizeof line, p->said) != NULL) {
        static const char *const before[] = {"limber: ", "note: "};
        const char *words = line;
        line[strcspn(line, "\n")] = '\0';
        for (int i = 0; i < 2; i++)
            if (strncmp(words, before[i], strlen(before[i])) == 0)
                words += strlen(before[i]);
        snprintf(last, sizeof last, "%s", words);
        if (!failed)
            remark("%s: %s", job, words);
    }
    fclose(p->said);
    if (failed) {
        snprintf(line, sizeof line, "%.800s: %.3000s", job, last);
        r->failures[r->failed++] = copy_or_exit(line);
    }
}

/* waits for one of the processes */
static process *wait_for_one(run *r)
{
    int status;
    pid_t id = wait(&status);
    for (int i = 0; i < r->count; i++) {
        process *p = &r->processes[i];
        if (id <= 0 || p->id != id)
            continue;
        bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_DONE;
        p->id = 0;
        repeat_lines(r, p, failed);
        r->written += !failed;
        progress_at(r->written + r->failed);
        return p;
    }
    return NULL;
}

/* a place for one more process */
static process *find_free(run *r)
{
    for (int i = 0; i < r->count; i++)
        if (r->processes[i].id == 0)
            return &r->processes[i];
    return wait_for_one(r);
}

static int run_all(run *r)
{
    long count = r->clips * r->models, wanted = 0;
    bool going = true;
    bool *open = allocate_or_exit((size_t)count, sizeof *open);
    for (long job = r->part; job < count; job += r->parts) {
        open[job] = anew || !is_done(r, job);
        wanted += open[job];
        r->there += !open[job];
    }
    r->failures = allocate_or_exit((size_t)wanted + 1, sizeof *r->failures);
    progress_start("retargeted", wanted);
    for (long job = 0; going && job < count; job++)
        going = !open[job] || start(r, find_free(r), job);
    for (int i = 0; i < r->count; i++)
        if (r->processes[i].id != 0)
            wait_for_one(r), i = -1;
    progress_clear();
    for (long i = 0; i < r->failed; i++)
        complain("%s", r->failures[i]);
    remark("%ld written, %ld there already, %ld failed", r->written, r->there, r->failed);
    return going && r->failed == 0 ? EXIT_DONE : EXIT_BAD_INPUT;
}

/* ---- a run -------------------------------------------------------------------- */

bool corpus_is(const corpus *all)
{
    bool several = all->clips[0] != NULL && all->clips[1] != NULL;
    for (int i = 0; all->files[i] != NULL; i++) {
        const char *pattern = option_text(*all->files[i]);
        several |= pattern != NULL && strchr(pattern, '{') != NULL;
    }
    return several || option_count(all->models) > 1;
}

int corpus_run(const corpus *all)
{
    run r = {.all = all};
    while (all->clips[r.clips] != NULL)
        r.clips++;
    r.models = option_count(all->models);
    r.clip_names = name_all(all->clips, r.clips);
    r.model_names = name_all((const char *const *)all->models, r.models);
    r.count = argument_count("--jobs", option_text(jobs_given), 1, JOBS_MOST, 1);
    argument_part("--part", option_text(part_given), &r.part, &r.parts);
    check_files(&r);
    check_description(&r);
    r.processes = allocate_or_exit((size_t)r.count, sizeof *r.processes);
    return run_all(&r);
}
