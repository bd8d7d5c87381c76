/*
 * fuzz_gait.c - walks of extreme steps: refused with a message, or a motion within the figure's
 * limits whose feet stay where they rest.
 */
#include "chain.h"

#include <limber/check.h>
#include <limber/formats/load.h>
#include <limber/gait.h>

#include <limits.h>
#include <string.h>

/* a walk of more keys takes longer than a test should; of more than these it is refused */
enum { MOST_KEYS = 40 };

/* a factor about 1, or any number in its place */
static void vary(fuzz_bytes *bytes, double *number)
{
    int kind = fuzz_choice(bytes, 8);
    if (kind == 7)
        *number = fuzz_choice(bytes, 2) ? fuzz_number(bytes) : fuzz_bits(bytes);
    else if (kind > 3)
        *number *= fuzz_byte(bytes) / 128.0;
}

static lb_gait gait_of(fuzz_bytes *bytes)
{
    lb_gait gait = lb_gait_default();
    gait.rate = 8;
    double *const numbers[] = {
        &gait.step_length, &gait.cadence,     &gait.step_width,  &gait.heel_lead,
        &gait.toe_out,     &gait.flat,        &gait.heel_off,    &gait.toe_off,
        &gait.heel_pitch,  &gait.toe_pitch,   &gait.clearance,   &gait.pelvis_height,
        &gait.pelvis_rise, &gait.pelvis_sway, &gait.pelvis_turn, &gait.pelvis_list,
        &gait.lean,        &gait.chest_turn,  &gait.arm_swing,   &gait.arm_middle,
        &gait.elbow,       &gait.ground,      &gait.rate,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        vary(bytes, numbers[i]);
    static const int cycles[] = {1, 2, 0, -1, INT_MAX, INT_MIN, 100000000, 3};
    if (fuzz_choice(bytes, 4) == 0)
        gait.cycles = cycles[fuzz_choice(bytes, 8)];
    return gait;
}

static void walk(const lb_model *model, const lb_gait *gait)
{
    lb_clip *clip = NULL;
    lb_contacts *contacts = NULL;
    lb_check_report report;
    lb_error error = {0};
    lb_status status = lb_gait_walk(model, gait, NULL, &clip, &contacts, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL) && (clip != NULL) == (contacts != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip == NULL)
        return;
    for (int i = 0; i < lb_clip_count(clip); i++)
        FUZZ_CHECK(lb_configuration_validate(model, lb_clip_key(clip, i), 1e-9, NULL) == LB_OK);
    lb_check_options options = lb_check_options_default();
    options.ground = gait->ground;
    FUZZ_CHECK(lb_clip_check(clip, contacts, &options, NULL, NULL, &report, &error) == LB_OK);
    double most = fmax(fabs(gait->ground), lb_clip_key(clip, lb_clip_count(clip) - 1)[0]);
    FUZZ_CHECK(report.items[LB_CHECK_SLIDE].worst <= 1e-7 + 1e-12 * fabs(most));
    lb_contacts_release(contacts);
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lb_model *human;
    const lb_load_options options = {.root = LB_ROOT_FLOATING};
    fuzz_bytes bytes = {data, size};
    if (human == NULL)
        FUZZ_CHECK(lb_load_with_options("human", &options, &human, NULL) == LB_OK);
    lb_gait gait = gait_of(&bytes);
    double keys = gait.cycles * gait.rate * 120 / gait.cadence;
    if (keys > MOST_KEYS && keys < 1e6)
        return 0;
    walk(human, &gait);
    return 0;
}
