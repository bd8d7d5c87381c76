/*
 * test_cli_terminal.c - what a person sees: words, colours and progress on a terminal.
 *
 * A pseudo-terminal is the program's standard output and error; words are compared with the rows
 * that the same command writes into a file.
 */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results.h"

/* runs limber with a terminal as standard output and returns what appeared there */
static char *run_on_terminal(const char *line)
{
    int controller = posix_openpt(O_RDWR | O_NOCTTY);
    if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0)
        return NULL;
    size_t size = 0, room = 1 << 16;
    char *text = calloc(room, 1), *name = strdup(ptsname(controller));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setsid();
        int terminal = open(name, O_RDWR);
        dup2(terminal, STDOUT_FILENO);
        dup2(terminal, STDERR_FILENO);
        setenv("TERM", "xterm", 1);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    for (ssize_t got;
         size < room - 1 && (got = read(controller, text + size, room - 1 - size)) > 0;)
        size += (size_t)got;
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    close(controller);
    free(name);
    return text;
}

/* a person gets words and colours; with NO_COLOR words alone */
TEST(test_terminal)
{
    char *text = run_on_terminal("limber ik planar3 --position '10 5 0'");
    if (text == NULL) {
        print_message("no terminal can be opened: not tried\n");
        skip();
    }
    assert_non_null(strstr(text, "outcome   \033[32mreached\033[0m"));
    assert_null(strstr(text, "status,"));
    free(text);
    text = run_on_terminal("NO_COLOR=1 limber ik planar3 --position '10 5 0'");
    assert_non_null(strstr(text, "outcome   reached"));
    assert_null(strchr(text, '\033'));
    free(text);
    text = run_on_terminal("limber fk planar3 --at 'joint_1=0'");
    assert_non_null(strstr(text, "position"));
    free(text);
    text = run_on_terminal("limber ik planar3 --position '10 5 0' --output -");
    assert_non_null(strstr(text, "status,iterations,"));
    free(text);
    // a whole file on the screen: how to keep it
    text = run_on_terminal("limber convert planar2");
    assert_non_null(strstr(text, "--output FILE.json"));
    free(text);
}

/* a number behind a word of what appeared */
static double number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    if (at == NULL)
        fail_msg("'%s' is not in '%s'", word, text);
    return strtod(at + strlen(word), NULL);
}

/* a motion in words: sums over the rows of its file */
TEST(test_motion_in_words)
{
    char *text = run_on_terminal("NO_COLOR=1 limber animate planar3 --to '-20 5 0' --frames 21 "
                                 "--output moved.csv");
    if (text == NULL)
        skip();
    csv_table rows = table_of_file("moved.csv");
    int x = csv_column(&rows, "tool_x"), y = csv_column(&rows, "tool_y");
    int worst = csv_column(&rows, "condition");
    double tool = 0, joints = 0, condition = number_at(&rows, 0, worst);
    for (int i = 1; i < rows.rows; i++) {
        tool += hypot(number_at(&rows, i, x) - number_at(&rows, i - 1, x),
                      number_at(&rows, i, y) - number_at(&rows, i - 1, y));
        // three hinges, in the last columns
        for (int k = rows.columns - 3; k < rows.columns; k++)
            joints += fabs(number_at(&rows, i, k) - number_at(&rows, i - 1, k));
        condition = fmax(condition, number_at(&rows, i, worst));
    }
    assert_near(number_after(text, "the tool went "), tool, 1e-3 * tool);
    assert_near(number_after(text, "the joints "), joints, 1e-3 * joints);
    assert_near(number_after(text, "worst condition "), condition, 1e-2 * condition);
    assert_non_null(strstr(text, "21 frames, 21 reached"));
    csv_release(&rows);
    free(text);
    // frames that are out of reach are counted
    text = run_on_terminal("NO_COLOR=1 limber animate planar3 --to '-80 5 0' --frames 21 "
                           "--output moved.csv; true");
    rows = table_of_file("moved.csv");
    int reached = 0, status = csv_column(&rows, "status");
    for (int i = 0; i < rows.rows; i++)
        reached += strcmp(csv_text(&rows, i, status), "reached") == 0;
    assert_true(reached > 0 && reached < 21);
    assert_int_equal((int)number_after(text, "21 frames, "), reached);
    csv_release(&rows);
    free(text);
}

/* what takes more than half a second says how far it is, and leaves nothing on the line */
TEST(test_progress)
{
    static const double cells[] = {0.3, 0.2, 0.1, 0.07, 0.05, 0.035};
    char *text = NULL;
    // the faster the machine the finer the map that takes so long
    for (int i = 0; i < 6 && (text == NULL || strchr(text, '%') == NULL); i++) {
        char line[128];
        snprintf(line, sizeof line,
                 "limber workspace panda --grid %g --threads 1 --anew --output p.npy", cells[i]);
        free(text);
        text = run_on_terminal(line);
        if (text == NULL)
            skip();
    }
    const char *last = strrchr(text, '%');
    assert_non_null(last);
    assert_non_null(strstr(text, " of "));
    assert_non_null(strstr(last, "\r\033[K"));
    free(text);
}

TEST_FIXTURE(program_start, program_stop)
