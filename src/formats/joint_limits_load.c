/*
 * joint_limits_load.c - limits of joints from files.
 */
#include <limber/formats/joint_limits.h>

#include "base/memory.h"
#include "base/require.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/json_parse.h"
#include "formats/yaml_parse.h"

#include <string.h>

/* JSON begins with a bracket, which in YAML hardly any file of limits does */
static bool is_json(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0')
        i++;
    return i < size && text[i] == '{' && memchr(text, '"', size) != NULL;
}

static lb_status parse_and_read(const char *path, const char *text, size_t size,
                                const lb_model *model, const lb_load_options *options,
                                lb_joint_limit *limits, lb_error *error)
{
    lb_document *document;
    if (lb_document_create(options->allocator, &document) != LB_OK)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    format_parse *parse = is_json(text, size) ? json_parse : yaml_parse;
    lb_status status = parse(text, size, NULL, options->allocator, document, error);
    if (status == LB_OK)
        status = lb_document_joint_limits(document, path, model, options, limits, error);
    lb_document_release(document);
    return status;
}

/* no limits, and an error that is about this file */
static void start(const char *path, const lb_model *model, lb_joint_limit *limits, lb_error *error)
{
    for (int j = 0; j < lb_model_joint_count(model); j++)
        limits[j] = (lb_joint_limit){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    if (error == NULL)
        return;
    *error = (lb_error){.status = LB_OK};
    text_format(error->path, sizeof error->path, "%s", path);
}

lb_status lb_joint_limits_load_memory(const char *name, const char *text, size_t size,
                                      const lb_model *model, const lb_load_options *options,
                                      lb_joint_limit *limits, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_status status =
        REQUIRE(error, {name, "name"}, {text, "text"}, {model, "model"}, {limits, "limits"});
    if (status != LB_OK)
        return status;
    start(name, model, limits, error);
    return parse_and_read(name, text, size, model, &given, limits, error);
}

lb_status lb_joint_limits_load(const char *path, const lb_model *model,
                               const lb_load_options *options, lb_joint_limit *limits,
                               lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_allocator memory = memory_allocator(given.allocator);
    lb_status status = REQUIRE(error, {path, "path"}, {model, "model"}, {limits, "limits"});
    if (status != LB_OK)
        return status;
    char *text;
    size_t size;
    start(path, model, limits, error);
    status = file_read(path, &memory, &text, &size, error);
    if (status != LB_OK)
        return status;
    status = parse_and_read(path, text, size, model, &given, limits, error);
    memory_release(&memory, text);
    return status;
}
