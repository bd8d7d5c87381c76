/* harness.c - the list of tests, and the program that runs those of one file. */
#include "harness.h"

/* by file and line */
static test_entry *entries;

// what runs
static const char *selected;
static int (*start)(void), (*end)(void);
static int word_count;
static char **all_words;

/* ---- registering -------------------------------------------------------- */

static bool comes_before(const test_entry *a, const test_entry *b)
{
    int order = strcmp(a->file, b->file);
    return order < 0 || (order == 0 && a->line < b->line);
}

void test_register(test_entry *entry)
{
    // constructors may run in any order
    test_entry **at = &entries;
    while (*at != NULL && comes_before(*at, entry))
        at = &(*at)->next;
    entry->next = *at;
    *at = entry;
}

/* ---- the command line --------------------------------------------------- */

const char *test_word(int i)
{
    // the name of the file is none of them
    int at = i > 0 ? i + 1 : 0;
    return at < word_count ? all_words[at] : NULL;
}

/* ---- running ------------------------------------------------------------ */

static const char *file_name(const test_entry *entry)
{
    const char *slash = strrchr(entry->file, '/');
    return slash != NULL ? slash + 1 : entry->file;
}

/* whether an entry is of NAME.c */
static bool is_of(const test_entry *entry, const char *name)
{
    size_t size = strlen(name);
    return strncmp(file_name(entry), name, size) == 0 && strcmp(file_name(entry) + size, ".c") == 0;
}

static int call_start(void **state)
{
    (void)state;
    return start != NULL ? start() : 0;
}

static int call_end(void **state)
{
    (void)state;
    return end != NULL ? end() : 0;
}

void (*test_around)(bool before);
lb_error cause;

static int call_before(void **state)
{
    (void)state;
    cause = (lb_error){.status = LB_OK};
    if (test_around != NULL)
        test_around(true);
    return 0;
}

static int call_after(void **state)
{
    (void)state;
    if (test_around != NULL)
        test_around(false);
    return 0;
}

static void call_test(void **state)
{
    const test_entry *entry = *state;
    entry->run();
}

static int select_tests(struct CMUnitTest *tests)
{
    int count = 0;
    for (test_entry *e = entries; e != NULL; e = e->next) {
        if (!is_of(e, selected))
            continue;
        if (e->number != NULL && test_word(e->word) != NULL)
            *e->number = strtol(test_word(e->word), NULL, 10);
        if (e->skipped != NULL && e->skipped() != NULL) {
            printf("skipped: %s\n", e->skipped());
            exit(77);
        }
        start = e->start != NULL ? e->start : start;
        end = e->end != NULL ? e->end : end;
        if (e->run != NULL)
            tests[count++] = (struct CMUnitTest){e->name, call_test, call_before, call_after, e};
    }
    return count;
}

/* the names of the files */
static int refuse(const char *program)
{
    const char *last = "";
    fprintf(stderr, "usage: %s FILE [ARGUMENT ...], FILE one of\n", program);
    for (const test_entry *e = entries; e != NULL; e = e->next) {
        if (strcmp(e->file, last) != 0)
            fprintf(stderr, "    %.*s\n", (int)strlen(file_name(e)) - 2, file_name(e));
        last = e->file;
    }
    return 2;
}

int main(int count, char **words)
{
    int room = 0;
    for (const test_entry *e = entries; e != NULL; e = e->next)
        room++;
    struct CMUnitTest *tests = calloc((size_t)room + 1, sizeof *tests);
    if (tests == NULL)
        return 2;
    word_count = count;
    all_words = words;
    selected = count > 1 ? words[1] : "";
    int selected_count = select_tests(tests);
    // a count of failures may be 77, or 256
    int status = selected_count == 0
                     ? refuse(words[0])
                     : _cmocka_run_group_tests(selected, tests, (size_t)selected_count, call_start,
                                               call_end) != 0;
    free(tests);
    return status;
}
