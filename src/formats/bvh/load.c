/*
 * load.c - BVH from files, and as one of the formats that models are read from.
 */
#include "formats/load.h"

#include "base/error.h"
#include "base/memory.h"
#include "formats/bvh/bvh.h"
#include "formats/file.h"

lb_status lb_bvh_load(const char *path, const lb_bvh_options *options, lb_bvh **bvh,
                      lb_error *error)
{
    char *text;
    size_t size;
    error_begin(error, path);
    TRY(REQUIRE_TO_MAKE(bvh, error, {path, "path"}));
    lb_allocator memory = memory_allocator(options == NULL ? NULL : options->load.allocator);
    TRY(file_read(path, &memory, &text, &size, error));
    lb_status status = lb_bvh_load_memory(path, text, size, options, bvh, error);
    memory_release(&memory, text);
    return status;
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
