/*
 * parse.c - from texts and files to documents, whatever their format.
 */
#include "formats/parse.h"

#include "base/error.h"
#include "base/memory.h"
#include "formats/file.h"

lb_status parse_text(format_parse *parse, const char *text, size_t size, const char *path,
                     const lb_allocator *allocator, lb_document **document, lb_error *error)
{
    lb_document *made;
    *document = NULL;
    if (lb_document_create(allocator, &made) != LB_OK)
        return error_out_of_memory(error);
    lb_status status = parse(text, size, path, allocator, made, error);
    if (status == LB_OK)
        *document = made;
    else
        lb_document_release(made);
    return status;
}

lb_status parse_file(format_parse *parse, const char *path, const lb_allocator *allocator,
                     lb_document **document, lb_error *error)
{
    char *text;
    size_t size;
    MEMORY_POOL(memory, allocator);
    *document = NULL;
    error_begin(error, path);
    TRY(file_read(path, &memory, &text, &size, error));
    return parse_text(parse, text, size, NULL, allocator, document, error);
}
