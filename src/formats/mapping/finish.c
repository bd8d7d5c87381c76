/*
 * finish.c - the end of loading a model, whatever its format.
 */
#include "formats/mapping/mapping.h"

#include "base/text.h"

const char *lb_root_text(lb_root root)
{
    static const char *const texts[] = {LB_ROOT_LIST(LIST_TEXT)};
    return root < LB_ROOT_COUNT ? texts[root] : "";
}

/* *model with another root, in its place */
static lb_status replace_root(const lb_load_options *options, lb_model **model, lb_error *error)
{
    static const lb_joint_kind kinds[LB_ROOT_COUNT] = {[LB_ROOT_FIXED] = LB_JOINT_FIXED,
                                                       [LB_ROOT_PLANAR] = LB_JOINT_PLANAR,
                                                       [LB_ROOT_FLOATING] = LB_JOINT_FLOATING};
    if (options->root >= LB_ROOT_COUNT)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "option 'root' is %d, but there are %d kinds of root",
                            (int)options->root, (int)LB_ROOT_COUNT);
    lb_model *made;
    lb_status status =
        lb_model_with_root(*model, kinds[options->root], options->allocator, &made, error);
    lb_model_release(*model);
    *model = made;
    return status;
}

lb_status mapping_finish(const load_warnings *warnings, lb_model **model, lb_error *error)
{
    const lb_load_options *options = warnings->options;
    lb_status status = warnings_refuse_strict(warnings, error);
    if (status == LB_OK && options->root != LB_ROOT_AS_READ)
        status = replace_root(options, model, error);
    if (status != LB_OK) {
        lb_model_release(*model);
        *model = NULL;
    }
    return status;
}
