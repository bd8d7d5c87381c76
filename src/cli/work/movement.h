/*
 * movement.h - a movement in full: its frames, and how they are written down.
 */
#ifndef CLI_WORK_MOVEMENT_H
#define CLI_WORK_MOVEMENT_H

#include <limber/motion.h>

#include "figures/film.h"

#include <stdio.h>

/* All frames of a movement. */
typedef struct movement {
    const lb_model *model;
    lb_task task; /* whose tool is watched */
    int count;
    double *q;         /* count x nq */
    lb_vec3 *tools;    /* count: where the tool is; world */
    lb_vec3 *places;   /* count: the same in the frame of the task's base */
    double *condition; /* count: of the task's Jacobian */
    lb_frame *frames;  /* count: of a tool that followed a path; NULL: poses were played */
    lb_vec3 *goals;    /* count: where it was to be; world; NULL as `frames` */
    double *times;     /* count: of poses that were played; NULL: a path was followed */
    double rate;       /* frames a second of a path that was followed; 0: none is given */
    int planned;       /* jumps of the plan that was followed; -1: there was none */
} movement;

/* Follows a path from `start`. */
movement movement_follow(const lb_model *model, const lb_follow *how, const double *start);
/* Plays a clip in `count` frames, whose loops must close; the task says which tool is watched. */
movement movement_play(const lb_model *model, const lb_task *task, const lb_clip *clip, int count);

/* Frames that did not reach their goal. */
int movement_missed(const movement *m);
/* Frames that no continuous motion leads to from the ones before. */
int movement_jumps(const movement *m);
/*
 * What ended the motion that led to a frame, in words: "joint 'elbow' meets its limit"; "" where
 * nothing did. Fills `text`, of MOVEMENT_END_SIZE bytes.
 */
enum { MOVEMENT_END_SIZE = 160 };
void movement_end(const movement *m, int frame, char *text);

/*
 * A row for each frame of `count` movements of one model, all followed or all played;
 * where they are several, a column `row` numbers them from 1.
 */
void movement_write_csv(const movement *all, int count, FILE *stream);
/* A JSON object with a list of frames. */
void movement_write_json(const movement *m, FILE *stream);
/* In words: what was reached, how well, and how far the joints went. */
void movement_write_words(const movement *m, FILE *stream);
/* The strip of a film that shows some of the frames. */
film_strip movement_strip(const movement *m, const int *shown, int shown_count);

#endif
