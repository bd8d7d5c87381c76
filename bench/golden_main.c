/* golden_main.c - prints golden_table.h or golden_body_table.h as this build has it; see golden.h.
 */
#include "golden.h"

#include <inttypes.h>
#include <limber/formats/load.h>
#include <stdio.h>
#include <string.h>

static bool load(const char *name, lb_model **model)
{
    lb_error error;
    bool loaded = lb_load(name, NULL, model, &error) == LB_OK;
    if (!loaded)
        fprintf(stderr, "golden: %s\n", error.message);
    return loaded;
}

static bool print_robot(const golden_robot *robot)
{
    static const char *const kinds[] = {"LB_TASK_POSITION", "LB_TASK_ROTATION", "LB_TASK_POSE"};
    lb_model *model;
    if (!load(robot->model, &model))
        return false;
    uint64_t hash;
    bool done = golden_hash(robot, model, 1, &hash);
    if (done)
        printf("GOLDEN(\"%s\", \"%s\", \"%s\", %s, 0x%016" PRIx64 ")\n", robot->model, robot->base,
               robot->tip, kinds[robot->kind], hash);
    lb_model_release(model);
    return done;
}

static bool print_body(const golden_body *body)
{
    lb_model *model;
    if (!load(body->model, &model))
        return false;
    uint64_t hash;
    bool done = golden_body_hash(body, model, 1, &hash);
    if (done)
        printf("GOLDEN_BODY(\"%s\", 0x%016" PRIx64 ")\n", body->model, hash);
    lb_model_release(model);
    return done;
}

int main(int count, char **words)
{
    bool done = true;
    if (count > 1 && strcmp(words[1], "bodies") == 0) {
        printf("/* golden_body_table.h - what golden.h says of bodies; written by "
               "build/bench/golden. */\n");
        for (const golden_body *body = golden_bodies; body->model; body++)
            done = print_body(body) && done;
        return done ? 0 : 1;
    }
    printf("/* golden_table.h - what golden.h says; written by build/bench/golden. */\n");
    for (const golden_robot *robot = golden_robots; robot->model; robot++)
        done = print_robot(robot) && done;
    return done ? 0 : 1;
}
