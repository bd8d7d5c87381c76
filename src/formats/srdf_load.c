/*
 * srdf_load.c - SRDF from files.
 */
#include <limber/formats/srdf.h>

#include "base/error.h"
#include "formats/parse.h"

lb_status lb_srdf_load(const char *path, const lb_model *model, const lb_load_options *options,
                       lb_srdf **srdf, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    lb_status status = REQUIRE_TO_MAKE(srdf, error, {path, "path"}, {model, "model"});
    if (status == LB_OK)
        status = parse_file(xml_parse, path, given.allocator, &document, error);
    if (status != LB_OK)
        return status;
    status = lb_document_srdf(document, path, model, &given, srdf, error);
    lb_document_release(document);
    return status;
}
