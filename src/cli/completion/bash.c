/*
 * bash.c - completion for bash: one function, a case for each command, and in it one for each kind
 * of word that follows an option.
 */
#include "cli/completion/completion.h"

#include <stdio.h>
#include <stdlib.h>

static const char head[] = "# bash completion of limber; limber --completion bash prints it\n"
                           "\n"
                           "_limber()\n"
                           "{\n"
                           "    local current=${COMP_WORDS[COMP_CWORD]}\n"
                           "    local command=${COMP_WORDS[1]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
                           "    local kind=name words='' IFS=$' \\t\\n'\n"
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

static const char tail[] =
    "    esac\n"
    "\n"
    "    COMPREPLY=()\n"
    "    case $kind in\n"
    "    name | model) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
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

/* ---- options ------------------------------------------------------------ */

/* Goes through the options of a command. */
typedef struct option_reading {
    const command *which;
    word_kind kind; /* the one looked for */
    int found;
} option_reading;

static bool print_pattern(void *user, const struct poptOption *option)
{
    option_reading *reading = user;
    if (words_after(option) == reading->kind)
        printf("%s--%s", reading->found++ == 0 ? "        " : " | ", option->longName);
    return true;
}

/* "--output | --figure) kind=file ;;": all options of one kind */
static void print_kind(const command *which, word_kind kind)
{
    option_reading reading = {which, kind, 0};
    option_each(which->options, print_pattern, &reading);
    if (reading.found > 0 && kind == WORD_MODEL)
        printf(") kind=model words=$models ;;\n");
    else if (reading.found > 0)
        printf(") kind=%s ;;\n", kind_names[kind]);
}

static bool print_names(void *user, const struct poptOption *option)
{
    const option_reading *reading = user;
    if (words_after(option) != WORD_NAME)
        return true;
    char *words = words_of(reading->which, option);
    printf("        --%s) words='%s' ;;\n", option->longName, words);
    free(words);
    return true;
}

static bool print_option(void *user, const struct poptOption *option)
{
    (void)user;
    printf("--%s ", option->longName);
    return true;
}

/* ---- commands ----------------------------------------------------------- */

/* elsewhere the name of an option, or an operand: as the first word, or where one was begun */
static void print_elsewhere(const command *which)
{
    word_kind operand = words_operand(which);
    printf("        *)\n            words='");
    option_each(which->options, print_option, NULL);
    puts("--help'");
    if (operand != WORD_NONE)
        printf("            [[ $current == -* || ( -z $current && COMP_CWORD -gt 2 ) ]] ||\n"
               "                kind=%s words=%s\n",
               kind_names[operand], operand == WORD_MODEL ? "$models" : "''");
    puts("            ;;\n        esac");
}

static void print_command(const command *which)
{
    option_reading reading = {.which = which};
    printf("    %s)\n        case $option in\n", which->name);
    option_each(which->options, print_names, &reading);
    for (word_kind kind = WORD_MODEL; kind < WORD_KIND_COUNT; kind++)
        print_kind(which, kind);
    print_elsewhere(which);
    puts("        ;;");
}

void completion_print_bash(const command *const *commands)
{
    char *models = words_models();
    printf(head, models);
    free(models);
    printf("    '' | help)\n        words='");
    for (const command *const *one = commands; *one != NULL; one++)
        printf("%s ", (*one)->name);
    puts("help --help --version' ;;");
    for (const command *const *one = commands; *one != NULL; one++)
        print_command(*one);
    fputs(tail, stdout);
}
