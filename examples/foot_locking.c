/*
 * foot_locking.c - holding a foot for a given time, in a clip that slides.
 *
 * The built-in figure is pushed along without moving its legs, so its feet slide by 20 cm.
 * Its left foot is then held from 0.3 to 0.7 seconds: the clip is retargeted onto the figure
 * itself, with given contacts in place of detected ones. The leg gives way; the foot stays,
 * and moves to its place and away from it without a jump.
 *
 * Prints:
 *     the left foot moves by 80.0 mm from 0.3 to 0.7 s
 *     held it moves by 0.0 mm, and from frame to frame by 9.3 mm at most elsewhere
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 31 };

static void stop(const lb_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* a second at 30 frames a second, 20 cm forward */
static lb_clip *push(const lb_model *model)
{
    static double times[FRAMES], keys[FRAMES][100];
    int nq = lb_model_nq(model);
    lb_clip *clip = NULL;
    lb_error error;
    double *rows = malloc(sizeof *rows * (size_t)(FRAMES * nq));
    for (int i = 0; i < FRAMES; i++) {
        times[i] = i / 30.0;
        lb_configuration_neutral(model, keys[i]);
        keys[i][lb_model_joint_q(model, 0)] = 0.2 * times[i];
        for (int k = 0; rows != NULL && k < nq; k++)
            rows[i * nq + k] = keys[i][k];
    }
    if (rows == NULL || lb_clip_create(model, times, rows, FRAMES, LB_INTERPOLATION_LINEAR, NULL,
                                       &clip, &error) != LB_OK)
        stop(&error);
    free(rows);
    return clip;
}

/* where the left ankle is in a frame, along x */
static double foot_at(const lb_clip *clip, lb_state *state, int frame)
{
    int foot = lb_model_find_link(lb_clip_model(clip), "left_foot");
    lb_state_update(state, lb_clip_key(clip, frame));
    return lb_state_transforms(state)[foot].p.x;
}

int main(void)
{
    lb_model *model = NULL;
    lb_state *state = NULL;
    lb_contacts *contacts = NULL;
    lb_clip *held = NULL;
    lb_error error;
    lb_load_options load = lb_load_options_default();
    load.root = LB_ROOT_FLOATING;
    if (lb_load_with_options("human", &load, &model, &error) != LB_OK ||
        lb_state_create(model, NULL, &state) != LB_OK)
        stop(&error);
    lb_clip *clip = push(model);

    // ankle and toes, which stand for heel and toe of the sole
    lb_contact_point points[2] = {{.link = lb_model_find_link(model, "left_foot")},
                                  {.link = lb_model_find_link(model, "left_toe")}};
    if (lb_contacts_create(points, 2, NULL, &contacts, &error) != LB_OK ||
        lb_contacts_add(contacts, 0, 0.3, 0.7, &error) != LB_OK ||
        lb_contacts_add(contacts, 1, 0.3, 0.7, &error) != LB_OK)
        stop(&error);
    lb_retarget_options options = lb_retarget_options_default();
    options.contacts = contacts;
    if (lb_retarget(clip, model, &options, NULL, &held, NULL, NULL, &error) != LB_OK)
        stop(&error);

    double step = 0;
    for (int i = 1; i < FRAMES; i++)
        step = fmax(step, foot_at(held, state, i) - foot_at(held, state, i - 1));
    printf("the left foot moves by %.1f mm from 0.3 to 0.7 s\n",
           1000 * (foot_at(clip, state, 21) - foot_at(clip, state, 9)));
    printf("held it moves by %.1f mm, and from frame to frame by %.1f mm at most elsewhere\n",
           1000 * fabs(foot_at(held, state, 21) - foot_at(held, state, 9)), 1000 * step);

    lb_clip_release(held);
    lb_contacts_release(contacts);
    lb_clip_release(clip);
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
