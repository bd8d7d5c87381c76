/*
 * feet.c - when the feet of a motion rest.
 */
#include "cli/options/motions.h"

#include "cli/report/report.h"

#include <limber/formats/looks.h>
#include <limber/formats/motion_json.h>
#include <limber/retarget.h>

#include <stdio.h>

lb_looks *feet_looks(const motion *m)
{
    lb_looks *looks = NULL;
    lb_error error = {0};
    const lb_gltf *gltf = m->from.gltf;
    // what draws is known by the links of the file's own model
    if (gltf == NULL || lb_model_link_count(m->model) != lb_model_link_count(lb_gltf_model(gltf)))
        return NULL;
    if (lb_looks_load(m->name, m->model, gltf, NULL, &looks, &error) != LB_OK)
        remark_error(&error);
    return looks;
}

bool feet_find(const motion *m, const char *path, double ground, lb_vec3 ground_normal, feet *out)
{
    lb_error error = {0};
    *out = (feet){.origin = path != NULL ? "given" : "detected"};
    if (path != NULL) {
        lb_status status = lb_contacts_load(path, m->model, NULL, &out->own, &error);
        out->contacts = out->own;
        return complain_unless(status, &error);
    }
    if (m->from.contacts != NULL) {
        out->contacts = m->from.contacts;
        out->origin = "built in";
        return true;
    }
    lb_looks *looks = feet_looks(m);
    lb_status status = lb_rig_contacts_by_looks(m->clip, m->rest, looks, ground, ground_normal,
                                                NULL, &out->own, &out->assumed, &error);
    lb_looks_release(looks);
    exit_if_out_of_memory(status);
    out->contacts = out->own;
    if (status == LB_OK)
        return true;
    snprintf(out->message, sizeof out->message, "%s", error.message);
    out->missing = out->message;
    return status == LB_BAD_MODEL || complain_unless(status, &error);
}

void feet_release(feet *f)
{
    lb_contacts_release(f->own);
    f->own = NULL;
    f->contacts = NULL;
}

int feet_spans(const lb_contacts *contacts)
{
    int spans = 0, n;
    for (int i = 0; contacts != NULL && i < lb_contacts_count(contacts); i++) {
        lb_contacts_spans(contacts, i, &n);
        spans += n;
    }
    return spans;
}
