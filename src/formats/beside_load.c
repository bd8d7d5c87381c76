/*
 * beside_load.c - what stands beside a model, from files: scenes, SRDF and limits of joints.
 */
#include <limber/formats/scene.h>

#include "base/error.h"
#include "formats/mapping/mapping.h"
#include "formats/parse.h"

#include <limber/formats/joint_limits.h>
#include <limber/formats/srdf.h>

#include <string.h>

lb_status lb_scene_load(const char *path, const lb_load_options *options, lb_scene **scene,
                        lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE_TO_MAKE(scene, error, {path, "path"}));
    TRY(parse_file(json_parse, path, given.allocator, &document, error));
    lb_status status = lb_document_scene(document, path, &given, scene, error);
    lb_document_release(document);
    return status;
}

lb_status lb_srdf_load(const char *path, const lb_model *model, const lb_load_options *options,
                       lb_srdf **srdf, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE_TO_MAKE(srdf, error, {path, "path"}, {model, "model"}));
    TRY(parse_file(xml_parse, path, given.allocator, &document, error));
    lb_status status = lb_document_srdf(document, path, model, &given, srdf, error);
    lb_document_release(document);
    return status;
}

/* ---- limits of joints ----------------------------------------------------- */

/* JSON begins with a bracket, which in YAML hardly any file of limits does */
static bool is_json(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0')
        i++;
    return i < size && text[i] == '{' && memchr(text, '"', size) != NULL;
}

static lb_status json_or_yaml_parse(const char *text, size_t size, const char *path,
                                    const lb_allocator *allocator, lb_document *document,
                                    lb_error *error)
{
    format_parse *parse = is_json(text, size) ? json_parse : yaml_parse;
    return parse(text, size, path, allocator, document, error);
}

/* what a document that was parsed means; it is released */
static lb_status take_limits(lb_document *document, const char *name, const lb_model *model,
                             const lb_load_options *options, lb_joint_limit *limits,
                             lb_error *error)
{
    lb_status status = lb_document_joint_limits(document, name, model, options, limits, error);
    lb_document_release(document);
    return status;
}

lb_status lb_joint_limits_load_memory(const char *name, const char *text, size_t size,
                                      const lb_model *model, const lb_load_options *options,
                                      lb_joint_limit *limits, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE(error, {name, "name"}, {text, "text"}, {model, "model"}, {limits, "limits"}));
    joint_limits_clear(model, limits);
    error_begin(error, name);
    TRY(parse_text(json_or_yaml_parse, text, size, NULL, given.allocator, &document, error));
    return take_limits(document, name, model, &given, limits, error);
}

lb_status lb_joint_limits_load(const char *path, const lb_model *model,
                               const lb_load_options *options, lb_joint_limit *limits,
                               lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE(error, {path, "path"}, {model, "model"}, {limits, "limits"}));
    joint_limits_clear(model, limits);
    TRY(parse_file(json_or_yaml_parse, path, given.allocator, &document, error));
    return take_limits(document, path, model, &given, limits, error);
}
