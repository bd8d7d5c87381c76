/* questions.c - targets, and starts to search from. */
#include "questions.h"

#include "oracle.h"

#include <stdlib.h>

/* one start near a configuration, each velocity up to `distance`, inside the limits */
static void start_near(const lb_model *model, const double *goal, double distance,
                       lb_random *random, double *v, double *start)
{
    for (int i = 0; i < lb_model_nv(model); i++)
        v[i] = lb_random_between(random, -distance, distance);
    lb_configuration_integrate(model, goal, v, start);
    lb_configuration_clamp(model, start, start);
}

/* farther from the base than the model is large, links laid end to end */
static void move_beyond(const lb_model *model, lb_random *random, lb_transform *target)
{
    double size = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        size += lb_vec3_length(joint->placement.p);
        if (joint->kind == LB_JOINT_PRISMATIC)
            size += fmax(fabs(joint->lower[0]), fabs(joint->upper[0]));
    }
    lb_vec3 away = lb_vec3_normalize(target->p, lb_vec3_make(1, 0, 0));
    target->p = lb_vec3_scale(away, size * lb_random_between(random, 2, 4));
}

bool questions_make(questions *all, const lb_model *model, const lb_task *task, question_kind kind,
                    int count, uint64_t seed)
{
    size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    *all = (questions){.count = count, .nq = (int)nq};
    all->targets = malloc(sizeof *all->targets * (size_t)count);
    all->starts = malloc(sizeof *all->starts * (size_t)count * nq);
    double *goal = malloc(sizeof *goal * (nq + nv));
    lb_transform *links = malloc(sizeof *links * (size_t)lb_model_link_count(model));
    bool done = all->targets && all->starts && goal && links;
    lb_random random = lb_random_seed(seed);
    for (int i = 0; done && i < count; i++) {
        double *start = all->starts + (size_t)i * nq;
        lb_configuration_random(model, &random, goal);
        lb_configuration_random(model, &random, start);
        all->targets[i] = oracle_tool(model, task, goal, links);
        if (kind == QUESTION_NEAR || kind == QUESTION_WARM)
            start_near(model, goal, kind == QUESTION_NEAR ? 0.02 : 0.1, &random, goal + nq, start);
        if (kind == QUESTION_TURNED) {
            lb_configuration_random(model, &random, goal);
            all->targets[i].p = oracle_tool(model, task, goal, links).p;
        }
        if (kind == QUESTION_BEYOND)
            move_beyond(model, &random, &all->targets[i]);
    }
    free(links);
    free(goal);
    return done;
}

void questions_release(questions *all)
{
    free(all->targets);
    free(all->starts);
    *all = (questions){.count = 0};
}
