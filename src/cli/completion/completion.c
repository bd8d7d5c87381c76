/* completion.c - the kind of a word by the name that help texts give it: MODEL, FILE, T.csv ... */
#include "cli/completion/completion.h"

#include "cli/report/report.h"

#include <limber/formats/load.h>
#include <stdlib.h>
#include <string.h>

/* names that help texts give to values; a name with an ending, as T.csv, is a file too */
static const struct {
    const char *name;
    word_kind kind;
} kinds[] = {
    {"MODEL", WORD_MODEL}, {"METHOD", WORD_NAME}, {"FILE", WORD_FILE},     {"FIGURE", WORD_FILE},
    {"MAP", WORD_FILE},    {"DIR", WORD_FOLDER},  {"FOLDER", WORD_FOLDER},
};

word_kind words_after(const struct poptOption *option)
{
    const char *name = option->argDescrip;
    if (name == NULL)
        return WORD_NONE;
    if (option_names(option) != NULL)
        return WORD_NAME;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return kinds[i].kind;
    return *name != '"' && strchr(name, '.') != NULL ? WORD_FILE : WORD_TEXT;
}

word_kind words_operand(const command *which)
{
    static const char model[] = "MODEL";
    const char *first = which->synopsis + (*which->synopsis == '[');
    if (which->operands + which->spare == 0)
        return WORD_NONE;
    return strncmp(first, model, sizeof model - 1) == 0 ? WORD_MODEL : WORD_FILE;
}

/* ---- lists -------------------------------------------------------------- */

static char *join(const char *const *names, int count)
{
    size_t size = 1;
    for (int i = 0; i < count; i++)
        size += strlen(names[i]) + 1;
    char *text = allocate_or_exit(size, 1);
    for (int i = 0; i < count; i++) {
        if (i > 0)
            strcat(text, " ");
        strcat(text, names[i]);
    }
    return text;
}

/* of `count` names by a function of their index */
static char *join_listed(int count, const char *(*name)(int i))
{
    const char **names = allocate_or_exit((size_t)count + 1, sizeof *names);
    for (int i = 0; i < count; i++)
        names[i] = name(i);
    char *text = join(names, count);
    free(names);
    return text;
}

char *words_of(const command *which, const struct poptOption *option)
{
    const char *const *names = option_names(option);
    int count = 0;
    // an option without names of its own chooses from the command's list
    if (names == NULL)
        return join_listed(which->choices->count(), which->choices->name);
    while (names[count] != NULL)
        count++;
    return join(names, count);
}

static const char *model_name(int i)
{
    return lb_embedded_at(i)->name;
}

char *words_models(void)
{
    return join_listed(lb_embedded_count(), model_name);
}
