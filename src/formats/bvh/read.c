/*
 * read.c - an lb_bvh from a text.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"
#include "formats/file.h"
#include "formats/load.h"

static lb_status check_options(const lb_bvh_options *options, bool model_only, lb_error *error)
{
    // a unit beyond these is a mistake, and its lengths might not be finite
    if (!(options->unit == 0 || (options->unit >= 1e-9 && options->unit <= 1e9)))
        return REFUSE_ARGUMENT(error, "unit: %g is not between 1e-9 and 1e9 metres", options->unit);
    if (options->up >= LB_BVH_UP_COUNT)
        return REFUSE_ARGUMENT(error, "up is no known axis");
    // the clip has values for each channel of the file
    if (!model_only && options->load.root != LB_ROOT_AS_READ)
        return REFUSE_UNSUPPORTED(
            error, "a BVH file's root moves as its channels say, and cannot be made %s",
            lb_root_text(options->load.root));
    return LB_OK;
}

static lb_status read_all(lb_bvh *bvh, const char *text, size_t size, const lb_bvh_options *options,
                          load_warnings *warnings, bool model_only, lb_error *error)
{
    text_scan scan = text_scan_start(text, size);
    TRY(check_options(options, model_only, error));
    if (text_is_utf16(text, size))
        return lb_error_set(error, LB_SYNTAX_ERROR, 1, TEXT_IS_UTF16);
    TRY(bvh_read_hierarchy(bvh, &scan, error));
    TRY(bvh_read_motion(bvh, &scan, error));
    TRY(bvh_recognise(bvh, options, error));
    TRY(bvh_build_model(bvh, warnings, error));
    if (!model_only)
        TRY(bvh_build_clip(bvh, error));
    return mapping_finish(warnings, &bvh->model, error);
}

/* a text whole; with `model_only` no clip is made */
static lb_status bvh_parse(const char *name, const char *text, size_t size,
                           const lb_bvh_options *options, bool model_only, lb_bvh **bvh,
                           lb_error *error)
{
    load_warnings warnings = {.options = &options->load, .path = name};
    lb_allocator memory;
    lb_bvh *made = memory_pool_object(sizeof *made, options->load.allocator, &memory);
    *bvh = NULL;
    TRY(require_memory(error, made));
    made->allocator = memory;
    lb_status status = read_all(made, text, size, options, &warnings, model_only, error);
    if (status == LB_OK)
        *bvh = made;
    else
        lb_bvh_release(made);
    return status;
}

lb_status lb_bvh_load_memory(const char *name, const char *text, size_t size,
                             const lb_bvh_options *options, lb_bvh **bvh, lb_error *error)
{
    error_begin(error, name);
    TRY(REQUIRE_TO_MAKE(bvh, error, {name, "name"}, {text, "text"}));
    lb_bvh_options given = options == NULL ? lb_bvh_options_default() : *options;
    return bvh_parse(name, text, size, &given, false, bvh, error);
}

/* ---- files, and one of the formats that models are read from ------------ */

lb_status lb_bvh_load(const char *path, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error)
{
    char *text;
    size_t size;
    error_begin(error, path);
    TRY(REQUIRE_TO_MAKE(bvh, error, {path, "path"}));
    MEMORY_POOL(memory, options == NULL ? NULL : options->load.allocator);
    TRY(file_read(path, &memory, &text, &size, error));
    return lb_bvh_load_memory(path, text, size, options, bvh, error);
}

lb_status bvh_load_model(const char *name, const char *file, const char *text, size_t size,
                         const lb_load_options *options, lb_model **model, lb_error *error)
{
    lb_bvh_options given = {.load = *options};
    (void)file;
    lb_bvh *bvh;
    TRY(bvh_parse(name, text, size, &given, true, &bvh, error));
    *model = bvh->model;
    bvh->model = NULL;
    lb_bvh_release(bvh);
    return LB_OK;
}
