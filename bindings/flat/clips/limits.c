/* limits.c - limits of joints in a file of their own. */
#include "../binding.h"

#include <limber/formats/joint_limits.h>

#include <stdlib.h>

/* of a document as in binding.h; the model outlives what is made of it; accelerations go to a
   number for each joint. NULL on failure */
lb_model *EXPORT(model_limited)(const char *strings, const double *rows, int count,
                                const lb_model *model, int strict, double *accelerations)
{
    lb_model *view = NULL;
    const char *path;
    size_t joints = (size_t)lb_model_joint_count(model) + 1;
    lb_document *document = binding_document(strings, rows, count, &path);
    lb_joint_limit *limits = calloc(joints, sizeof *limits);
    lb_load_options options = binding_load(strict);
    if (document == NULL || limits == NULL)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    else if (lb_document_joint_limits(document, path, model, &options, limits, &binding_error) ==
             LB_OK)
        lb_model_with_limits(model, limits, NULL, &view, &binding_error);
    for (int j = 0; view != NULL && j < lb_model_joint_count(model); j++)
        accelerations[j] = limits[j].acceleration;
    free(limits);
    lb_document_release(document);
    return view;
}
