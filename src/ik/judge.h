/*
 * judge.h - confirms answers by forward kinematics of the model itself.
 *
 * A solver works on a tree of its own (reduce.h); what it claims is checked here on
 * the model's, along nothing but the ways from the root to bases and tips.
 */
#ifndef IK_JUDGE_H
#define IK_JUDGE_H

#include "model/layout.h"

#include <limber/task.h>

typedef struct ik_judge {
    const lb_model *model;
    const lb_task *tasks;
    int task_count;
    kernel_tree tree;     /* the model's elements on the ways, parents renumbered */
    lb_transform *frames; /* T_world_element of those */
    int *tips;            /* for each task: its tip's element in tree, -1: the root link */
    lb_transform *tools;  /* T_element_tool of each task */
    int base;             /* the common base's element, -1: the root link or the world */
    lb_transform stand;   /* T_element_base, T_world_base where there is no element */
    void *memory;
} ik_judge;

/* `tasks` must outlive it. Answers false when there is no memory. */
bool ik_judge_create(ik_judge *judge, const lb_model *model, const lb_task *tasks, int n,
                     const lb_allocator *allocator);

/* The largest errors over all tasks at the model's configuration q, as in lb_task_error. */
void ik_judge_errors(const ik_judge *judge, const double *q, const lb_transform *targets,
                     double *position_error, double *rotation_error);

/* A task's errors when its tool is at T_base_tool. */
void ik_task_error(const lb_task *task, const lb_transform *base_tool, const lb_transform *target,
                   double *position_error, double *rotation_error);

#endif
