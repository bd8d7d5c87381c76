/*
 * motion_json.c - from files of JSON about motion to a tree of nodes, and names of links in it.
 */
#include "formats/motion/motion_json.h"

#include "base/error.h"
#include "base/suggest.h"
#include "formats/parse.h"

static lb_status read_tree(const lb_document *document, motion_read *read, void *into,
                           lb_error *error)
{
    lb_status status = tree_status(document);
    if (status != LB_OK)
        return lb_error_set(error, status, 0,
                            status == LB_OUT_OF_MEMORY ? "out of memory"
                                                       : "its nodes are no complete tree");
    return read(into, tree_root(document), error);
}

lb_status motion_json_text(const motion_source *from, const lb_allocator *allocator,
                           lb_document **document, lb_error *error)
{
    return parse_text(json_parse, from->text, from->size, NULL, allocator, document, error);
}

lb_status motion_json_file(const motion_source *from, const lb_allocator *allocator,
                           lb_document **document, lb_error *error)
{
    return parse_file(json_parse, from->name, allocator, document, error);
}

lb_status motion_json_read(const motion_source *from, const lb_allocator *allocator,
                           motion_read *read, void *into, lb_error *error)
{
    lb_document *own = NULL;
    lb_error local;
    error = error != NULL ? error : &local;
    error_begin(error, from->name);
    MEMORY_POOL(memory, allocator);
    if (from->parse != NULL)
        TRY(from->parse(from, &memory, &own, error));
    return read_tree(own != NULL ? own : from->document, read, into, error);
}

lb_status motion_json_link(json_reader *reader, const tree_node *value, const lb_model *model,
                           const char *whose, int *link)
{
    const char *name = NULL;
    TRY(reader_text(reader, value, (void *)&name));
    *link = lb_model_find_link(model, name);
    if (*link >= 0)
        return LB_OK;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_model_link_count(model); i++)
        suggest_consider(&nearest, lb_model_link(model, i)->name);
    return reader_refuse(reader, LB_BAD_MODEL, "%s has no link '%.60s'%s", whose, name,
                         suggest_phrase(&nearest));
}
