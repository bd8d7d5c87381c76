/*
 * json.c - the limber JSON linkage format: whole files.
 *
 * docs/format.md specifies the format.
 */
#include "formats/mapping/json_reader.h"

#include "base/error.h"

/* ---- the outermost object ----------------------------------------------- */

static lb_status read_joint(json_reader *reader, const tree_node *value, void *out)
{
    (void)out;
    return reader_joint(reader, value, draft_joint(&reader->draft, value->line));
}

static lb_status read_joints(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, -1, read_joint, out, 0);
}

static lb_status read_model(json_reader *reader, const tree_node *value, void *out)
{
    // angles come first, links before the tables that may add to them
    static const reader_field fields[] = {
        {"limber", reader_version, 0, false},
        {"name", reader_text, offsetof(model_draft, source.name), true},
        {"summary", reader_note, 0, false},
        {"source", reader_note, 0, false},
        {"angles", reader_angles, 0, false},
        {"root", reader_placement, offsetof(model_draft, source.root), false},
        {"links", reader_links, 0, false},
        {"dh", reader_dh, 0, false},
        {"joints", read_joints, 0, false},
        {"loops", reader_loops, 0, false},
    };
    lb_status status = reader_object(reader, value, fields, sizeof fields / sizeof *fields, out);
    if (status == LB_OK && reader->draft.link_count == 0)
        return reader_refuse(reader, LB_BAD_MODEL, "it has no links; give \"links\" or \"dh\"");
    return status;
}

/* ---- loading ------------------------------------------------------------ */

/* room for all that the file describes; what is not an array counts as none */
static lb_status create_draft(model_draft *draft, const tree_node *root, const lb_allocator *pool,
                              lb_error *error)
{
    const tree_node *links = tree_member(root, "links"), *link;
    int rows = tree_array_size(tree_member(tree_member(root, "dh"), "rows"));
    int joints = tree_array_size(tree_member(root, "joints"));
    int link_count = tree_array_size(links), shapes = 0;
    for (link = link_count > 0 ? links->first : NULL; link != NULL; link = link->next)
        shapes += tree_array_size(tree_member(link, "visuals")) +
                  tree_array_size(tree_member(link, "collisions"));

    // a table brings its base, and in the standard convention its tool
    return draft_create(draft, link_count + rows + 2, joints + rows + 1, shapes, pool, error);
}

lb_status mapping_json(const tree_node *root, load_warnings *warnings,
                       const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    json_reader reader = {.root = root, .error = error};
    MEMORY_POOL(memory, allocator);
    TRY(create_draft(&reader.draft, root, &memory, error));
    reader.draft.warnings = warnings;
    TRY(read_model(&reader, root, &reader.draft));
    return draft_build(&reader.draft, allocator, model, error);
}
