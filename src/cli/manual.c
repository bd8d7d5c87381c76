/*
 * cli/manual.c - the manual pages, in the man macros, from the table of commands.
 */
#include "cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- text --------------------------------------------------------------- */

/* one line's characters, those that mean something to roff escaped */
static void print_escaped(const char *text, int length)
{
    if (length > 0 && (*text == '.' || *text == '\''))
        fputs("\\&", stdout);
    for (int i = 0; i < length; i++)
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
}

/* lines as they are, an empty one beginning a new paragraph */
static void print_lines(const char *text)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, "\n");
        if (length == 0)
            fputs(".PP", stdout);
        else
            print_escaped(text, length);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
}

/* ---- commands ----------------------------------------------------------- */

static void print_options(const struct poptOption *table)
{
    const struct poptOption *option;
    for (int i = 0; (option = option_at(table, i)) != NULL; i++) {
        printf(".TP\n\\fB\\-\\-");
        print_escaped(option->longName, (int)strlen(option->longName));
        fputs("\\fR", stdout);
        if (option->argDescrip != NULL) {
            putchar(' ');
            print_escaped(option->argDescrip, (int)strlen(option->argDescrip));
        }
        putchar('\n');
        print_lines(option->descrip);
    }
}

static void print_choices(const choice_list *choices)
{
    if (choices == NULL)
        return;
    printf(".PP\n%s\n", choices->heading);
    for (int i = 0; i < choices->count(); i++) {
        fputs(".TP\n\\fB", stdout);
        print_escaped(choices->name(i), (int)strlen(choices->name(i)));
        fputs("\\fR\n", stdout);
        print_lines(choices->says(i));
    }
}

/* "limber-ik \- solve ...", by which apropos finds it */
static void print_head(const char *title, const char *name, const char *summary)
{
    printf(".TH %s 1 \"\" \"limber %d.%d.%d\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n", title,
           LB_VERSION_MAJOR, LB_VERSION_MINOR, LB_VERSION_PATCH);
    printf("%s \\- ", name);
    print_escaped(summary, (int)strlen(summary));
    putchar('\n');
}

static void print_title(const command *which)
{
    char title[64], name[64];
    snprintf(title, sizeof title, "LIMBER\\-%s", which->name);
    for (char *letter = title; *letter != '\0'; letter++)
        *letter = (char)toupper(*letter);
    snprintf(name, sizeof name, "limber\\-%s", which->name);
    print_head(title, name, which->summary);
}

void manual_print_command(const command *which)
{
    print_title(which);
    printf(".SH SYNOPSIS\n.nf\n\\fBlimber %s\\fR ", which->name);
    print_lines(which->synopsis);
    printf("%s.fi\n", *which->synopsis == '\0' ? "\n" : "");
    if (*which->details != '\0')
        puts(".SH DESCRIPTION");
    print_lines(which->details);
    puts(".SH OPTIONS");
    print_options(which->options);
    puts(".TP\n\\fB\\-\\-help\\fR\nthese options, in short");
    print_choices(which->choices);
    puts(".SH EXAMPLES");
    for (const example *one = which->examples; one->line != NULL; one++) {
        printf(".PP\n# %s\n.RS 4\n.nf\n", one->says);
        print_lines(one->line);
        puts(".fi\n.RE");
    }
    puts(".SH SEE ALSO\n.BR limber (1),\nfor models, units, files and the exit status");
}

/* the commands, and the page of each */
static void print_commands(const command *const *commands)
{
    puts(".SH COMMANDS");
    for (const command *const *one = commands; *one != NULL; one++) {
        printf(".TP\n.BR limber\\-%s (1)\n", (*one)->name);
        print_lines((*one)->summary);
    }
}

/* ---- the rest ----------------------------------------------------------- */

static const char *const sections[][2] = {
    {"MODELS", "A MODEL is a file or the name of a model built in, as limber models lists them.\n"
               "A file of that name wins. Files are URDF, MJCF, BVH, glTF or limber JSON; the\n"
               "ending and the content say which."},
    {"UNITS", "Metres and radians; angles of joints and roll, pitch, yaw are in degrees with\n"
              "--degrees. Quaternions are w x y z; one that is not of length 1 is\n"
              "normalised, and that is said."},
    {"FILES", "CSV files have a header of column names and a row for each pose or target; the\n"
              "order of columns does not matter. Numbers are written with 17 significant\n"
              "digits, so that they read back as they were.\n"
              "\n"
              "Poses and starts have a column for each joint; joints without a column are at\n"
              "their default. A joint with several values has a column for each, its name\n"
              "followed by a point and qw, qx, qy, qz (ball), x, y, angle (planar), angle1,\n"
              "angle2 (universal), or x, y, z, qw, qx, qy, qz (floating).\n"
              "\n"
              "Targets, and what limber fk writes, have x,y,z,qw,qx,qy,qz; targets may have\n"
              "roll,pitch,yaw in place of the quaternion, and either part alone.\n"
              "\n"
              "An output file is complete or not there: it is written beside its place and\n"
              "moved there at the end."},
    {"EXIT STATUS",
     "0 when everything is done and every target is reached, 1 when some targets are\n"
     "not reached, 2 for bad input, with a message on standard error that names it."},
    {"SOURCES", "The textbook, its chapter and its arm, and equations and figures numbered 5.x:\n"
                "R. Parent, Computer Animation: Algorithms and Techniques, 3rd edition 2012,\n"
                "chapter 5, Kinematic Linkages. limber models --sources names those of the\n"
                "models, and docs/methods.md those of the methods."},
    {"ENVIRONMENT", "LIMBER_WIDTH, 1, 2, 4 or 8, is used where --width is not given.\n"
                    "NO_COLOR, when set, keeps colours out of a terminal too."},
};

static void print_sections(const char *const (*list)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf(".SH %s\n", list[i][0]);
        print_lines(list[i][1]);
    }
}

static const char *const mpi_sections[][2] = {
    {"DESCRIPTION",
     "Two commands of limber, with the same options, computed by all processes of an MPI\n"
     "job: a map of poses (limber workspace --grid, written as .npy) and the inverse\n"
     "kinematics of many targets (limber ik, read and written as .npy). The file has the\n"
     "same bytes as that of limber, for any number of processes.\n"
     "\n"
     "Each process takes the next tile of 64 cells, or block of targets, by a one-sided\n"
     "operation on a shared counter. No process leads and none waits. Cells are written\n"
     "to their places in the file (MPI-IO), undecided until then: after a job or a\n"
     "process was killed the same line goes on, and so does limber workspace. Solutions\n"
     "of targets appear when all are there; until then they are in OUT.npy.part, and\n"
     "OUT.npy.state says which, so that the same line goes on, too.\n"
     "\n"
     "The file must be on a file system that all processes see. Every process reads the\n"
     "model, and all targets."},
    {"OPTIONS", "Those of limber-workspace(1) and limber-ik(1)."},
    {"EXAMPLES", "mpirun -n 64 limber-mpi workspace panda --grid 0.02 --output panda.npy\n"
                 "\n"
                 "mpirun -n 64 limber-mpi ik panda --targets targets.npy --output q.npy\n"
                 "\n"
                 "limber merge panda.npy --output panda.vti"},
    {"EXIT STATUS", "As limber(1)."},
    {"SEE ALSO", "limber(1), limber-workspace(1), limber-ik(1), limber-merge(1), mpirun(1)"},
};

void manual_print_mpi(void)
{
    print_head("LIMBER\\-MPI", "limber\\-mpi", "maps and targets by the processes of an MPI job");
    puts(".SH SYNOPSIS\n\\fBmpirun\\fR \\-n N \\fBlimber\\-mpi workspace\\fR MODEL \\-\\-grid "
         "METRES "
         "\\-\\-output MAP.npy ...\n.br\n"
         "\\fBmpirun\\fR \\-n N \\fBlimber\\-mpi ik\\fR MODEL \\-\\-targets T.npy \\-\\-output "
         "OUT.npy ...");
    print_sections(mpi_sections, sizeof mpi_sections / sizeof *mpi_sections);
}

void manual_print_program(const command *const *commands)
{
    print_head("LIMBER", "limber", "kinematic linkages: forward and inverse kinematics");
    puts(".SH SYNOPSIS\n\\fBlimber\\fR COMMAND ...\n.br\n\\fBlimber\\fR COMMAND \\-\\-help\n.br\n"
         "\\fBlimber\\fR \\-\\-version\n.br\n\\fBlimber\\fR \\-\\-manual [COMMAND]\n.br\n"
         "\\fBlimber\\fR \\-\\-completion");
    print_commands(commands);
    print_sections(sections, sizeof sections / sizeof *sections);
}
