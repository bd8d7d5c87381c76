/*
 * completion.c - the script that completes words of a command line in bash: one function, a case
 * for each command, and in it one for each kind of word that follows an option. zsh takes the
 * same script by its bashcompinit (cmake/_limber).
 *
 * All is made from the table of commands and their option tables, as the help and the manual are.
 * The kind of a word is known by the name that help texts give it: MODEL, FILE, T.csv ...
 */
#include "cli/command.h"
#include "cli/report/report.h"

#include <limber/formats/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---------------------------------------------------------------- */

typedef enum word_kind {
    WORD_NONE,   /* nothing: the option is a flag, the command has no operand */
    WORD_NAME,   /* one of a list, which words_of() joins */
    WORD_MODEL,  /* a built-in model or a file */
    WORD_FILE,   /* a path */
    WORD_FOLDER, /* a path of a folder */
    WORD_TEXT,   /* what is not listed: numbers, links, joints */
    WORD_KIND_COUNT
} word_kind;

/* names that help texts give to values; a name with an ending, as T.csv, is a file too */
static const struct {
    const char *name;
    word_kind kind;
} kinds[] = {
    {"MODEL", WORD_MODEL}, {"METHOD", WORD_NAME}, {"FILE", WORD_FILE},     {"FIGURE", WORD_FILE},
    {"MAP", WORD_FILE},    {"DIR", WORD_FOLDER},  {"FOLDER", WORD_FOLDER},
};

/* what follows an option */
static word_kind words_after(const struct poptOption *option)
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

/* what the first operand of a command is */
static word_kind words_operand(const command *which)
{
    static const char model[] = "MODEL";
    const char *first = which->synopsis + (*which->synopsis == '[');
    if (which->operands + which->spare == 0)
        return WORD_NONE;
    return strncmp(first, model, sizeof model - 1) == 0 ? WORD_MODEL : WORD_FILE;
}

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
    return join(names, count);
}

/* the names of a WORD_NAME, blanks between them */
static char *words_of(const command *which, const struct poptOption *option)
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

/* ---- bash ----------------------------------------------------------------- */

static const char bash_head[] =
    "# bash completion of limber; limber --completion prints it\n"
    "\n"
    "_limber()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]}\n"
    "    local command=${COMP_WORDS[1]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local kind=name choices='' IFS=$' \\t\\n'\n"
    "    local models='%s'\n"
    "\n"
    "    # --option=value comes in three words\n"
    "    if [[ $current == '=' ]]; then\n"
    "        current=''\n"
    "    elif [[ $option == '=' ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    ((COMP_CWORD > 1)) || command=''\n"
    "\n"
    "    case $command in\n";

static const char bash_tail[] =
    "    esac\n"
    "\n"
    "    COMPREPLY=()\n"
    "    case $kind in\n"
    "    name | model) COMPREPLY=($(compgen -W \"$choices\" -- \"$current\")) ;;\n"
    "    esac\n"
    "    IFS=$'\\n'\n"
    "    case $kind in\n"
    "    model | file) COMPREPLY+=($(compgen -f -- \"$current\")) ;;\n"
    "    folder) COMPREPLY+=($(compgen -d -- \"$current\")) ;;\n"
    "    *) return ;;\n"
    "    esac\n"
    "    compopt -o filenames 2>/dev/null\n"
    "} &&\n"
    "    complete -F _limber limber\n";

static const char *const kind_names[WORD_KIND_COUNT] = {
    [WORD_NAME] = "name",     [WORD_MODEL] = "model", [WORD_FILE] = "file",
    [WORD_FOLDER] = "folder", [WORD_TEXT] = "text",
};

/* "--output | --figure) kind=file ;;": all options of one kind */
static void print_kind(const command *which, word_kind kind)
{
    const struct poptOption *option;
    int found = 0;
    for (int i = 0; (option = option_at(which->options, i)) != NULL; i++)
        if (words_after(option) == kind)
            printf("%s--%s", found++ == 0 ? "        " : " | ", option->longName);
    if (found > 0 && kind == WORD_MODEL)
        printf(") kind=model choices=$models ;;\n");
    else if (found > 0)
        printf(") kind=%s ;;\n", kind_names[kind]);
}

/* elsewhere the name of an option, or an operand: as the first word, or where one was begun */
static void print_elsewhere(const command *which)
{
    const struct poptOption *option;
    word_kind operand = words_operand(which);
    printf("        *)\n            choices='");
    for (int i = 0; (option = option_at(which->options, i)) != NULL; i++)
        printf("--%s ", option->longName);
    puts("--help'");
    if (operand != WORD_NONE)
        printf("            [[ $current == -* || ( -z $current && COMP_CWORD -gt 2 ) ]] ||\n"
               "                kind=%s choices=%s\n",
               kind_names[operand], operand == WORD_MODEL ? "$models" : "''");
    puts("            ;;\n        esac");
}

static void print_bash_command(const command *which)
{
    const struct poptOption *option;
    printf("    %s)\n        case $option in\n", which->name);
    for (int i = 0; (option = option_at(which->options, i)) != NULL; i++)
        if (words_after(option) == WORD_NAME)
            printf("        --%s) choices='%s' ;;\n", option->longName, words_of(which, option));
    for (word_kind kind = WORD_MODEL; kind < WORD_KIND_COUNT; kind++)
        print_kind(which, kind);
    print_elsewhere(which);
    puts("        ;;");
}

void completion_print(const command *const *commands)
{
    printf(bash_head, join_listed(lb_embedded_count(), model_name));
    printf("    '' | help)\n        choices='");
    for (const command *const *one = commands; *one != NULL; one++)
        printf("%s ", (*one)->name);
    puts("help --help --version' ;;");
    for (const command *const *one = commands; *one != NULL; one++)
        print_bash_command(*one);
    fputs(bash_tail, stdout);
}
