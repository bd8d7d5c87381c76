/* model.c - what every model that a harness has loaded must stand. */
#include "model.h"

#include "fuzz.h"

#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/kinematics.h>

#include <string.h>

/* text that was written is read, and written the same again */
static void check_round_trip(const lb_model *model)
{
    char *text = NULL, *again = NULL;
    lb_model *back = NULL;
    lb_error error;
    lb_status status = lb_json_write(model, NULL, &text, &error);
    // a name that is not UTF-8 cannot be written
    if (status == LB_BAD_VALUE || status == LB_OUT_OF_MEMORY)
        return;
    FUZZ_CHECK(status == LB_OK);
    status = lb_load_memory("back.json", text, strlen(text), NULL, &back, &error);
    if (status != LB_OK)
        fprintf(stderr, "%s\n%s\n", error.message, text);
    FUZZ_CHECK(status == LB_OK);
    FUZZ_CHECK(lb_json_write(back, NULL, &again, &error) == LB_OK);
    FUZZ_CHECK(strcmp(text, again) == 0);
    lb_model_release(back);
    free(text);
    free(again);
}

static void check_kinematics(const lb_model *model)
{
    lb_state *state = NULL;
    size_t nq = (size_t)lb_model_nq(model);
    double *q = calloc(nq + 1, sizeof *q);
    lb_random random = lb_random_seed(5);
    if (q && lb_state_create(model, NULL, &state) == LB_OK)
        for (int i = 0; i < 3; i++) {
            lb_configuration_random(model, &random, q);
            for (size_t k = 0; k < nq; k++)
                FUZZ_CHECK(isfinite(q[k]));
            lb_state_update(state, q);
            for (int link = 0; link < lb_model_link_count(model); link++)
                FUZZ_CHECK(lb_vec3_is_finite(lb_state_transforms(state)[link].p));
        }
    lb_state_release(state);
    free(q);
}

void fuzz_use_model(lb_model *model)
{
    if (!model)
        return;
    check_round_trip(model);
    check_kinematics(model);
    lb_model_release(model);
}
