/*
 * zsh.c - completion for zsh: the specifications that its _arguments takes, for each command.
 */
#include "cli/completion/completion.h"

#include <stdio.h>
#include <stdlib.h>

static const char head[] = "#compdef limber\n"
                           "# zsh completion of limber; limber --completion zsh prints it\n"
                           "\n"
                           "_limber_model()\n"
                           "{\n"
                           "    _alternative 'models:built-in model:(%s)' 'files:file:_files'\n"
                           "}\n"
                           "\n"
                           "_limber()\n"
                           "{\n"
                           "    local curcontext=$curcontext context state state_descr line\n"
                           "    local -a commands\n"
                           "    typeset -A opt_args\n"
                           "    commands=(\n";

static const char middle[] =
    "    )\n"
    "\n"
    "    _arguments -C '(- *)--help[list the commands]' '(- *)--version[print the version]' \\\n"
    "        '1:command:->command' '*::argument:->argument'\n"
    "    if [[ $state == command ]]; then\n"
    "        _describe command commands\n"
    "        return\n"
    "    fi\n"
    "    [[ $state == argument ]] || return\n"
    "    case $line[1] in\n"
    "    help) _describe command commands ;;\n";

/* loaded by compinit it is the body of its own function; otherwise it is made known */
static const char tail[] = "    esac\n"
                           "}\n"
                           "\n"
                           "if [[ $funcstack[1] == _limber ]]; then\n"
                           "    _limber \"$@\"\n"
                           "else\n"
                           "    compdef _limber limber\n"
                           "fi\n";

/* within single quotes, where _arguments takes brackets and colons for its own */
static void print_quoted(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
}

/* ":what it is:how it is completed" */
static void print_word(const command *which, const struct poptOption *option)
{
    static const char *const actions[WORD_KIND_COUNT] = {[WORD_MODEL] = "_limber_model",
                                                         [WORD_FILE] = "_files",
                                                         [WORD_FOLDER] = "_files -/",
                                                         [WORD_TEXT] = " "};
    word_kind kind = words_after(option);
    putchar(':');
    print_quoted(option->argDescrip);
    putchar(':');
    if (kind == WORD_NAME) {
        char *names = words_of(which, option);
        printf("(%s)", names);
        free(names);
    } else {
        fputs(actions[kind], stdout);
    }
}

static bool print_option(void *user, const struct poptOption *option)
{
    const command *which = user;
    printf("            '%s--%s%s[", option->val == OPTION_REPEATED ? "*" : "", option->longName,
           option->argDescrip == NULL ? "" : "=");
    print_quoted(option->descrip);
    putchar(']');
    if (option->argDescrip != NULL)
        print_word(which, option);
    puts("' \\");
    return true;
}

static void print_command(const command *which)
{
    word_kind operand = words_operand(which);
    printf("    %s)\n        _arguments \\\n", which->name);
    option_each(which->options, print_option, (void *)which);
    if (operand != WORD_NONE)
        printf("            '1:%s' \\\n",
               operand == WORD_MODEL ? "model:_limber_model" : "file:_files");
    if (which->operands + which->spare > 1)
        puts("            '*:file:_files' \\");
    puts("            '(- *)--help[describe the command]'\n        ;;");
}

void completion_print_zsh(const command *const *commands)
{
    char *models = words_models();
    printf(head, models);
    free(models);
    for (const command *const *one = commands; *one != NULL; one++) {
        printf("        '%s:", (*one)->name);
        print_quoted((*one)->summary);
        puts("'");
    }
    fputs(middle, stdout);
    for (const command *const *one = commands; *one != NULL; one++)
        print_command(*one);
    fputs(tail, stdout);
}
