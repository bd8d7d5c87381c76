/*
 * corpus.h - one command for each of many captures and models, each a process of its own.
 *
 * A job is a capture and a model. The names of its files are those that options give, with {clip}
 * and {model} in them replaced. What is done is a file that is as new as the capture, the model and
 * the files that options name, so a run that was ended goes on where it was, parts of a run can be
 * anywhere, and a job that fails or dies costs itself alone. The files are the same bytes for any
 * number of processes.
 */
#ifndef CLI_WORK_CORPUS_H
#define CLI_WORK_CORPUS_H

#include "cli/options/arguments.h"

/* --jobs, --part and --anew */
extern const struct poptOption corpus_options[];

typedef struct corpus {
    const char *const *clips;  /* paths; NULL after the last */
    text_option models;        /* paths or names of built-in ones */
    text_option *const *files; /* the options that name files to write, the main one first; NULL */
    const char *const *names;  /* of these options */
    const struct poptOption *options; /* of the command: what the run is */
    /* One job, in a process of its own: `files` and the first model are its own there. The exit
       status. */
    int (*run)(const char *clip);
} corpus;

/* Whether there is more than one job, or a name with a {. */
bool corpus_is(const corpus *all);

/* Runs what is not done yet, and says at the end what failed. The exit status. */
int corpus_run(const corpus *all);

#endif
