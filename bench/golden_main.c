/* golden_main.c - prints golden_table.h as this build would have it; see golden.h. */
#include "golden.h"

#include <inttypes.h>
#include <limber/formats/load.h>
#include <stdio.h>

static bool print_robot(const golden_robot *robot)
{
    static const char *const kinds[] = {"LB_TASK_POSITION", "LB_TASK_ROTATION", "LB_TASK_POSE"};
    lb_model *model;
    lb_error error;
    if (lb_load(robot->model, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "golden: %s\n", error.message);
        return false;
    }
    uint64_t hash;
    bool done = golden_hash(robot, model, 1, &hash);
    if (done)
        printf("GOLDEN(\"%s\", \"%s\", \"%s\", %s, 0x%016" PRIx64 ")\n", robot->model, robot->base,
               robot->tip, kinds[robot->kind], hash);
    lb_model_release(model);
    return done;
}

int main(void)
{
    printf("/* golden_table.h - what golden.h says; written by build/bench/golden. */\n");
    bool done = true;
    for (const golden_robot *robot = golden_robots; robot->model; robot++)
        done = print_robot(robot) && done;
    return done ? 0 : 1;
}
