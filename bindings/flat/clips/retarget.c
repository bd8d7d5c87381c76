/* retarget.c - motion of one figure on another. */
#include "../binding.h"

#include <limber/retarget.h>

/* scale, root scale, ground, rate, any speed, unlocked, blend, normals of the ground and of the
   source's, hands, the distance that links keep */
enum { OPTION_NUMBERS = 15 };

/*
 * scale, root scale, frames, solved, iterations, slowed, fastest, worst slide, worst penetration,
 * spans held, contacts moved, by how much at most, contacts shortened, frames in which links are
 * too near, by how much at most, touches of hands, contacts of hands held, released, by how much
 * they were missed, the slope that cannot be seen, jumps spread, by how much at most, normals of
 * the source's ground and of the target's
 */
enum { REPORT_NUMBERS = 29 };

static lb_retarget_options options_from(const double *n)
{
    lb_retarget_options options = lb_retarget_options_default();
    options.scale = n[0];
    options.root_scale = n[1];
    options.ground = n[2];
    options.rate = n[3];
    options.any_speed = n[4] != 0;
    options.unlocked = n[5] != 0;
    options.blend = n[6] > 0 ? n[6] : options.blend;
    options.ground_normal = lb_vec3_make(n[7], n[8], n[9]);
    options.detect.ground_normal = lb_vec3_make(n[10], n[11], n[12]);
    options.hands = n[13] != 0;
    options.distance = n[14];
    return options;
}

static void report_to(const lb_retarget_report *report, double *out)
{
    lb_vec3 source = report->source_normal, target = report->ground_normal;
    const double numbers[REPORT_NUMBERS] = {report->scale,
                                            report->root_scale,
                                            report->frames,
                                            report->solved,
                                            report->iterations,
                                            report->slowed,
                                            report->fastest,
                                            report->fastest_leg,
                                            report->worst_slide,
                                            report->worst_penetration,
                                            report->held,
                                            report->moved,
                                            report->worst_moved,
                                            report->shortened,
                                            report->near,
                                            report->worst_near,
                                            report->touches,
                                            report->hands_held,
                                            report->released,
                                            report->worst_released,
                                            report->unseen_slope,
                                            report->spread,
                                            report->worst_spread,
                                            source.x,
                                            source.y,
                                            source.z,
                                            target.x,
                                            target.y,
                                            target.z};
    for (int i = 0; i < REPORT_NUMBERS; i++)
        out[i] = numbers[i];
}

/*
 * `rest`, `map`, the source's contacts and the collision may be NULL. *contacts becomes those of
 * the result, NULL where nothing is held; `out` takes the report. NULL on failure.
 */
lb_clip *EXPORT(retarget)(const lb_clip *source, const lb_model *target, const double *numbers,
                          const double *rest, const lb_retarget_map *map, const lb_contacts *given,
                          lb_collision *collision, lb_contacts **contacts, double *out)
{
    lb_clip *made = NULL;
    lb_retarget_report report;
    lb_retarget_options options = options_from(numbers);
    options.rest = rest;
    options.map = map;
    options.contacts = given;
    options.collision = collision;
    *contacts = NULL;
    if (lb_retarget(source, target, &options, NULL, &made, contacts, &report, &binding_error) ==
        LB_OK)
        report_to(&report, out);
    return made;
}

/* the source as slow as the target's legs need it, with its contacts; the rest as above */
lb_clip *EXPORT(retarget_slow)(const lb_clip *source, const lb_model *target, const double *numbers,
                               const double *rest, const lb_retarget_map *map,
                               const lb_contacts *given, lb_contacts **contacts)
{
    lb_clip *slowed = NULL;
    lb_retarget_options options = options_from(numbers);
    options.rest = rest;
    options.map = map;
    options.contacts = given;
    *contacts = NULL;
    lb_retarget_slow(source, target, &options, NULL, &slowed, contacts, &binding_error);
    return slowed;
}

/* which link of a model has each role, LB_ROLE_COUNT of them; 0, or a status with its message */
int EXPORT(rig_find)(const lb_model *model, int *links)
{
    lb_rig rig;
    lb_status status = lb_rig_find(model, NULL, &rig, &binding_error);
    for (int i = 0; i < LB_ROLE_COUNT && status == LB_OK; i++)
        links[i] = rig.links[i];
    return (int)status;
}

/* text of a role, NULL beyond the last */
const char *EXPORT(role_text)(int role)
{
    return role < LB_ROLE_COUNT ? lb_role_text((lb_role)role) : NULL;
}
