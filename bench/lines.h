/*
 * lines.h - straight lines for arms to follow, and an exhaustive search of what is possible.
 *
 * A tool moves 0.3 m in a second, its axes as they are, and a controller wants joint values a
 * thousand times a second. Whether an arm can do that without a jump is decided here by following
 * every solution on every turn at once, in small steps, sharing nothing with lb_follower.
 */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include <limber/motion.h>

enum { LINES_FRAMES = 1001, LINES_ARMS = 10 };

/* A line that some configuration reaches at every place, inside the limits. */
typedef struct line {
    lb_transform points[2];
    double start[8]; /* reaches points[0], inside the limits */
} line;

/* What the exhaustive search found. */
typedef struct line_truth {
    bool any;   /* some start leads along the whole line without a jump */
    bool given; /* line.start does */
    int jumps;  /* the fewest, from any start */
} line_truth;

/* The name of one of the ten arms; NULL beyond. */
const char *lines_arm_name(int arm);
/* Builds it and says which link is moved; NULL where its file is not there. */
lb_model *lines_arm(int arm, lb_task *task);

/* Fills up to `count` lines of `length` metres; returns how many it found. */
int lines_make(const lb_model *model, const lb_task *task, double length, int count, uint64_t seed,
               line *lines);

/*
 * The truth about a line; of a redundant arm for sampled values of one joint, about a tenth of a
 * radian apart: paths through narrower gaps are not found. False where it cannot be had.
 */
bool lines_search(const lb_model *model, const lb_task *task, const line *l, line_truth *truth);

#endif
