/* limits.c - limits of joints in a file of their own. */
#include "../binding.h"

#include <limber/formats/joint_limits.h>

#include <stdlib.h>

/* a view of the model with these limits, whose accelerations go to a number for each joint */
static lb_model *narrow(const lb_model *model, const lb_joint_limit *limits,
                        lb_joint_setting *settings, double *accelerations)
{
    lb_model *view = NULL;
    int used = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        accelerations[j] = limits[j].acceleration;
        if (lb_model_joint(model, j)->kind != LB_JOINT_FIXED)
            settings[used++] = lb_joint_limit_setting(limits, j);
    }
    lb_model_view(model, settings, used, NULL, &view, &binding_error);
    return view;
}

/* of a document as in binding.h; the model outlives what is made of it. NULL on failure */
lb_model *EXPORT(model_limited)(const char *strings, const double *rows, int count,
                                const lb_model *model, int strict, double *accelerations)
{
    lb_model *view = NULL;
    const char *path;
    size_t joints = (size_t)lb_model_joint_count(model) + 1;
    lb_document *document = binding_document(strings, rows, count, &path);
    lb_joint_limit *limits = calloc(joints, sizeof *limits);
    lb_joint_setting *settings = calloc(joints, sizeof *settings);
    lb_load_options options = binding_load(strict);
    if (document == NULL || limits == NULL || settings == NULL)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    else if (lb_document_joint_limits(document, path, model, &options, limits, &binding_error) ==
             LB_OK)
        view = narrow(model, limits, settings, accelerations);
    free(settings);
    free(limits);
    lb_document_release(document);
    return view;
}
