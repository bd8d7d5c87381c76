/*
 * srdf_load.c - SRDF from files.
 */
#include <limber/formats/srdf.h>

#include "base/memory.h"
#include "base/require.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/xml.h"

static lb_status parse_and_read(const char *path, const char *text, size_t size,
                                const lb_model *model, const lb_load_options *options,
                                lb_srdf **srdf, lb_error *error)
{
    lb_document *document;
    if (lb_document_create(options->allocator, &document) != LB_OK)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    lb_status status = xml_parse(text, size, NULL, options->allocator, document, error);
    if (status == LB_OK)
        status = lb_document_srdf(document, path, model, options, srdf, error);
    lb_document_release(document);
    return status;
}

lb_status lb_srdf_load(const char *path, const lb_model *model, const lb_load_options *options,
                       lb_srdf **srdf, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_allocator memory = memory_allocator(given.allocator);
    if (srdf != NULL)
        *srdf = NULL;
    lb_status status = REQUIRE(error, {path, "path"}, {model, "model"}, {srdf, "srdf"});
    if (status != LB_OK)
        return status;
    char *text;
    size_t size;
    if (error != NULL) {
        *error = (lb_error){.status = LB_OK};
        text_format(error->path, sizeof error->path, "%s", path);
    }
    status = file_read(path, &memory, &text, &size, error);
    if (status != LB_OK)
        return status;
    status = parse_and_read(path, text, size, model, &given, srdf, error);
    memory_release(&memory, text);
    return status;
}
