/*
 * document.c - which mapping a tree of nodes is read by, and the end of loading a model.
 */
#include "formats/mapping/mapping.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

/* A format of XML, recognised by the name of its root. */
typedef struct xml_format {
    const char *root;
    mapping_build *build;
} xml_format;

static const xml_format xml_formats[] = {
    {"robot", mapping_urdf},
    {"mujoco", mapping_mjcf},
};

/* NULL for an unknown root; all JSON is limber's own */
static mapping_build *find_mapping(const tree_node *root)
{
    if (root->kind != LB_NODE_ELEMENT)
        return mapping_json;
    for (size_t i = 0; i < sizeof xml_formats / sizeof *xml_formats; i++)
        if (strcmp(xml_formats[i].root, root->name) == 0)
            return xml_formats[i].build;
    return NULL;
}

lb_status mapping_open(const lb_document *document, const char *path, lb_error *error)
{
    error_begin(error, path);
    lb_status status = tree_status(document);
    return status == LB_OK
               ? LB_OK
               : lb_error_set(error, status, 0, "the file's tree: %s", lb_status_text(status));
}

lb_load_options lb_load_options_default(void)
{
    return (lb_load_options){.strict = false};
}

lb_status lb_document_model(const lb_document *document, const char *path,
                            const lb_load_options *options, lb_model **model, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    load_warnings warnings = {.options = &given, .path = path};
    TRY(REQUIRE_TO_MAKE(model, error, {document, "document"}, {path, "path"}));
    TRY(mapping_open(document, path, error));

    const tree_node *root = tree_root(document);
    mapping_build *build = find_mapping(root);
    if (build == NULL)
        return lb_error_set(
            error, LB_BAD_MODEL, root->line,
            "the outermost element is <%.60s>, not <robot> as in URDF or <mujoco> as in MJCF",
            root->name);
    TRY(build(root, &warnings, given.allocator, model, error));
    return mapping_finish(&warnings, model, error);
}

/* ---- the end of loading ------------------------------------------------- */

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
        return REFUSE_ARGUMENT(error, "option 'root' is %d, but there are %d kinds of root",
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
