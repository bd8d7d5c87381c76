/*
 * arm_lines.h - straight lines of random directions that arms of the built-in models follow
 * in tests.
 */
#ifndef TEST_MOTION_ARM_LINES_H
#define TEST_MOTION_ARM_LINES_H

#include "support_load.h"

#include <limber/limber.h>
#include <stdio.h>
#include <string.h>

enum { MOST_Q = 32 };

typedef struct line {
    lb_transform points[2];
    lb_path *path;
} line;

/* from where the tool is in a random configuration */
static inline line make_line(const lb_model *model, const lb_task *task, double length,
                             lb_random *random)
{
    double q[MOST_Q];
    line l;
    lb_configuration_random(model, random, q);
    l.points[0] = l.points[1] = test_task_tool(model, task, q);
    lb_vec3 d = lb_vec3_scale(test_random_direction(random), length);
    l.points[1].p = lb_vec3_add(l.points[0].p, d);
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = l.points, .count = 2};
    assert_ok(lb_path_create(&source, NULL, &l.path, NULL));
    return l;
}

/* a built-in model, with another tool where its name has a second word */
static lb_model *load_arm(const char *name, lb_task *task)
{
    char first[32];
    int tips[LB_DEFAULT_TIPS], count;
    sscanf(name, "%31s", first);
    lb_model *model = test_load(first);
    assert_ok(lb_model_default_tips(model, NULL, tips, &count));
    *task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    if (strchr(name, ' '))
        task->tool = lb_transform_translation(0.05, 0.1, 0.2);
    return model;
}

#endif
