/*
 * test_cli_pages.c - manual pages, and completion in shells: every command, option, model and
 * method is proposed where the program takes it, and files where it takes files.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>

#include "support_program.h"

/* what bash does at the last of `count` words, given as an array's elements: program.out has a
 * line for each proposal */
static void complete(const char *words)
{
    if (program_shell("limber --completion >limber.bash && bash --norc -c '"
                      "source ./limber.bash; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]}-1));"
                      "_limber; printf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
                      words) != 0)
        fail_msg("%s: %s", words, program.err);
    assert_string_equal(program.err, "");
}

static void check_proposals(const char *words, const char *lines)
{
    complete(words);
    if (strcmp(program.out, lines) != 0)
        fail_msg("limber %s: expected:\n%sproposed:\n%s", words, lines, program.out);
}

/* the first words of an indented list, a line each */
static char *first_words(const char *list, const char *indent)
{
    char *lines = calloc(strlen(list) + 1, 1);
    for (const char *line = list; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
        if (program_begins(line, indent) && line[strlen(indent)] != ' ') {
            const char *word = line + strlen(indent);
            strncat(lines, word, strcspn(word, " \n"));
            strcat(lines, "\n");
        }
    return lines;
}

/* a section of a help text, up to the next empty line */
static char *help_section(const char *command, const char *heading)
{
    program_must("%s --help", command);
    const char *start = strstr(program.out, heading);
    if (start == NULL)
        return NULL;
    start = strchr(start + 1, '\n') + 1;
    const char *end = strstr(start, "\n\n");
    return strndup(start, end == NULL ? strlen(start) : (size_t)(end + 1 - start));
}

static char *listed(const char *command, const char *heading)
{
    owned char *section = help_section(command, heading);
    char *words = section == NULL ? NULL : first_words(section, "  ");
    return words;
}

/* the commands; help lists --version and --help last, a shell knows the word help before them */
static char *command_names(void)
{
    char *names = listed("", "\nCommands:\n");
    assert_non_null(names);
    *strstr(names, "--version") = '\0';
    return names;
}

/* ---- bash --------------------------------------------------------------- */

TEST(test_commands)
{
    owned char *names = command_names();
    owned char *expected = calloc(strlen(names) + 64, 1);
    sprintf(expected, "%shelp\n--help\n--version\n", names);
    check_proposals("limber \"\"", expected);
    check_proposals("limber wor", "workspace\n");
    check_proposals("limber help col", "collide\n");
}

/* of each command all that its help lists, and nothing else */
TEST(test_options)
{
    owned char *names = command_names();
    int count = 0;
    for (char *rest, *name = strtok_r(names, "\n", &rest); name != NULL;
         name = strtok_r(NULL, "\n", &rest), count++) {
        char words[64];
        owned char *options = listed(name, "\nOptions:\n");
        snprintf(words, sizeof words, "limber %s -", name);
        check_proposals(words, options);
    }
    assert_true(count > 10);
}

TEST(test_names)
{
    owned char *methods = listed("ik", "\nMethods:\n");
    check_proposals("limber ik panda --method \"\"", methods);
    check_proposals("limber ik panda --method = l", "lm\n");
    check_proposals("limber ik panda --method =", methods);
    check_proposals("limber ik panda --protocol \"\"", "nearest\nany\ngiven\n");
    check_proposals("limber info x.bvh --up \"\"", "x\ny\nz\n");
    check_proposals("limber convert g1.xml --as m", "motion\n");
    check_proposals("limber animate panda --interpolation st", "step\n");
    check_proposals("limber elbow iiwa14 --best \"\"", "nearest\nmargin\nmanipulability\n");
}

/* what an option is completed to is what it takes */
TEST(test_names_taken)
{
    static const struct {
        const char *option, *arguments;
    } takes[] = {
        {"--protocol", "ik planar3 --position \"15 10 0\""},
        {"--method", "ik planar3 --position \"15 10 0\" --protocol any"},
        {"--control", "ik planar3 --position \"15 10 0\" --method damped --gains 1"},
        {"--rank", "ik planar3 --position \"15 10 0\" --method ccd-ranked"},
        {"--bend", "ik planar2 --position \"5 5 0\" --method analytic"},
        {"--root", "info planar2"},
    };
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
        char words[64];
        snprintf(words, sizeof words, "limber ik panda %s \"\"", takes[i].option);
        complete(words);
        owned char *proposals = strdup(program.out);
        int count = 0;
        for (char *rest, *name = strtok_r(proposals, "\n", &rest); name != NULL;
             name = strtok_r(NULL, "\n", &rest), count++) {
            program_run("%s %s %s", takes[i].arguments, takes[i].option, name);
            // a method may refuse this arm, and never for its name
            if (program.status == 2 && strstr(program.err, "no '") != NULL)
                fail_msg("%s %s: %s", takes[i].option, name, program.err);
        }
        assert_true(count >= 3 || strcmp(takes[i].option, "--control") == 0);
    }
}

TEST(test_models_and_files)
{
    program_write("targets.csv", "x,y,z\n");
    program_shell_exits(0, "mkdir -p figures && touch 'my robot.urdf'");

    /* models come before files */
    char models[4096] = "";
    for (int i = 0; i < lb_embedded_count(); i++) {
        strcat(models, lb_embedded_at(i)->name);
        strcat(models, "\n");
    }
    complete("limber ik \"\"");
    assert_true(program_begins(program.out, models));
    assert_printed("\nmy robot.urdf\n");
    check_proposals("limber ik pand", "panda\n");
    check_proposals("limber draw my", "my robot.urdf\n");
    check_proposals("limber retarget walk.bvh --to hum", "human\n");

    check_proposals("limber ik panda --targets t", "targets.csv\n");
    check_proposals("limber figures --output \"\"", "figures\n");
    check_proposals("limber merge t", "targets.csv\n");
    check_proposals("limber ik panda --position \"\"", "\n");
    check_proposals("limber models t", "\n");
}

/* ---- manual pages ------------------------------------------------------- */

/* roff takes a page without a warning */
static void check_page(const char *arguments)
{
    if (program_shell("command -v groff") != 0) {
        print_message("groff is not there: the page was not set\n");
        return;
    }
    program_shell_exits(0, "limber %s | groff -man -Tutf8 -ww -z", arguments);
    assert_string_equal(program.err, "");
}

/* the program's page refers to that of each command */
TEST(test_manual)
{
    check_page("--manual");
    owned char *names = command_names();
    for (char *rest, *name = strtok_r(names, "\n", &rest); name != NULL;
         name = strtok_r(NULL, "\n", &rest)) {
        char text[64];
        program_must("--manual");
        snprintf(text, sizeof text, ".BR limber\\-%s (1)\n", name);
        assert_printed(text);

        program_must("--manual %s", name);
        snprintf(text, sizeof text, "\nlimber\\-%s \\- ", name);
        assert_printed(text);
        assert_printed("\n\\fB\\-\\-help\\fR\n");
        snprintf(text, sizeof text, "--manual %s", name);
        check_page(text);
    }
    check_page("--manual mpi");
    program_prints("--manual mpi", "limber\\-mpi \\- maps");
    program_refuses("--manual iks", "no command 'iks'; did you mean 'ik'?");
}

/* ---- zsh ---------------------------------------------------------------- */

/* zsh takes the script for bash */
TEST(test_zsh)
{
    static const char run[] =
        "limber --completion >limber.bash && zsh -f -c 'autoload -Uz compinit bashcompinit; "
        "compinit -u -D; bashcompinit; source ./limber.bash; emulate sh; setopt ksharrays; "
        "COMP_WORDS=(limber ik panda --method \"\"); COMP_CWORD=4; _limber; "
        "echo \"${COMPREPLY[@]}\"'";
    if (program_shell("command -v zsh") != 0) {
        print_message("zsh is not there: it did not run the script\n");
        return;
    }
    program_shell_exits(0, run);
    assert_string_equal(program.err, "");
    assert_printed("ccd ccd-ranked fabrik");
    assert_not_printed("panda");
}

TEST_FIXTURE(program_start, program_stop)
