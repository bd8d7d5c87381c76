/*
 * tasks.h - the tasks of limber pose, from a JSON file that docs/format.md describes.
 */
#ifndef CLI_OPTIONS_TASKS_H
#define CLI_OPTIONS_TASKS_H

#include <limber/body.h>

/* A target: what a file says of it. */
typedef struct task_target {
    bool placed, turned; /* it has a position; axes */
    lb_transform at;
    double value[LB_JOINT_MAX_NQ]; /* of a joint task */
    int values;                    /* how many of them are given */
} task_target;

typedef struct task_list {
    lb_body_task *tasks;
    task_target *targets;
    double (*vertices)[LB_BODY_VERTICES][2]; /* of each task; the tasks point there */
    int count;
    double usual_distance; /* of distance tasks that give none */
} task_list;

/* Prints an error that names file, task and key, and returns false. Release with tasks_release. */
bool tasks_read(const lb_model *model, const char *path, double usual_distance, task_list *list);
void tasks_release(task_list *list);

/* Whether any task keeps a distance, and the largest of these distances; 0 where there is none. */
bool tasks_have_distance(const task_list *list, double *most);
/* What distance tasks measure. */
void tasks_keep_apart(task_list *list, lb_collision *collision);

/* A body's targets as the file has them; what it does not say is where things are at `start`. */
bool tasks_aim(const task_list *list, const char *path, lb_body *body, const double *start);

#endif
