/*
 * json.c - the limber JSON linkage format: whole files.
 *
 * docs/format.md specifies the format. jansson parses; doubled keys are refused,
 * and its limit on depth keeps nested brackets from eating the stack.
 */
#include "formats/json_reader.h"

#include "formats/format.h"

#include <limits.h>
#include <string.h>

/* ---- the outermost object ----------------------------------------------- */

static lb_status read_version(json_reader *reader, const json_t *value, void *out)
{
    (void)out;
    if (!json_is_integer(value) || json_integer_value(value) != 1)
        return reader_refuse(reader, LB_UNSUPPORTED,
                             "this version of the format is not known; 1 is");
    return LB_OK;
}

/* a text for people, which the model does not keep */
static lb_status read_note(json_reader *reader, const json_t *value, void *out)
{
    const char *text;
    (void)out;
    return reader_text(reader, value, (void *)&text);
}

static lb_status read_angles(json_reader *reader, const json_t *value, void *out)
{
    static const char *const names[] = {"radians", "degrees"};
    int choice;
    (void)out;
    lb_status status = reader_choice(reader, value, "unit of angles", names, 2, &choice);
    reader->degrees = status == LB_OK && choice == 1;
    return status;
}

static lb_status read_joint(json_reader *reader, const json_t *value, void *out)
{
    (void)out;
    return reader_joint(reader, value, draft_joint(&reader->draft, 0));
}

static lb_status read_joints(json_reader *reader, const json_t *value, void *out)
{
    model_draft *draft = &reader->draft;
    int first = draft->joint_count;
    lb_status status = reader_array(reader, value, -1, read_joint, out, 0);
    lines_of_elements(reader->text, reader->size, reader->path, reader->depth,
                      draft->joint_lines + first, draft->joint_count - first);
    return status;
}

static lb_status read_model(json_reader *reader, const json_t *value, void *out)
{
    // angles come first, links before the tables that may add to them
    static const reader_field fields[] = {
        {"limber", read_version, 0, false},
        {"name", reader_text, offsetof(model_draft, source.name), true},
        {"summary", read_note, 0, false},
        {"source", read_note, 0, false},
        {"angles", read_angles, 0, false},
        {"root", reader_placement, offsetof(model_draft, source.root), false},
        {"links", reader_links, 0, false},
        {"dh", reader_dh, 0, false},
        {"joints", read_joints, 0, false},
    };
    lb_status status = reader_object(reader, value, fields, sizeof fields / sizeof *fields, out);
    if (status == LB_OK && reader->draft.link_count == 0)
        return reader_refuse(reader, LB_BAD_MODEL, "it has no links; give \"links\" or \"dh\"");
    return status;
}

/* ---- loading ------------------------------------------------------------ */

/* room for all that the file describes; what is not an array counts as none */
static lb_status create_draft(model_draft *draft, const json_t *root, const lb_allocator *allocator,
                              lb_error *error)
{
    const json_t *links = json_object_get(root, "links");
    int rows = (int)json_array_size(json_object_get(json_object_get(root, "dh"), "rows"));
    int joints = (int)json_array_size(json_object_get(root, "joints"));
    int link_count = (int)json_array_size(links), visuals = 0;
    for (int i = 0; i < link_count; i++)
        visuals +=
            (int)json_array_size(json_object_get(json_array_get(links, (size_t)i), "visuals"));

    // a table brings its base, and in the standard convention its tool
    return draft_create(draft, link_count + rows + 2, joints + rows + 1, visuals, allocator, error);
}

static lb_status load_root(json_reader *reader, const json_t *root, const load_notes *notes,
                           const lb_allocator *allocator, lb_model **model)
{
    lb_status status = create_draft(&reader->draft, root, allocator, reader->error);
    if (status != LB_OK)
        return status;
    reader->draft.notes = notes;
    status = read_model(reader, root, &reader->draft);
    if (status == LB_OK)
        status = draft_build(&reader->draft, model, reader->error);
    lb_model_release(reader->dh);
    draft_release(&reader->draft);
    return status;
}

static lb_status refuse_text(const json_error_t *said, lb_error *error)
{
    // jansson says nothing where it finds no memory for a value
    if (json_error_code(said) == json_error_out_of_memory || said->text[0] == '\0')
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory while reading JSON");
    lb_error_set(error, LB_SYNTAX_ERROR, said->line, "this is not well-formed JSON: %s",
                 said->text);
    if (error != NULL)
        error->column = said->column;
    return LB_SYNTAX_ERROR;
}

/* jansson steps over a zero byte behind a number or a word */
static lb_status refuse_zero(const char *text, const char *zero, lb_error *error)
{
    int line = 1;
    for (; text < zero; text++)
        line += *text == '\n';
    return lb_error_set(error, LB_SYNTAX_ERROR, line,
                        "this is not well-formed JSON: there is a zero byte in it");
}

lb_status model_from_json(const char *text, size_t size, const load_notes *notes,
                          const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    json_error_t said;
    *model = NULL;

    // a byte order mark says nothing here
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    const char *zero = memchr(text, '\0', size);
    if (zero != NULL)
        return refuse_zero(text, zero, error);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &said);
    if (root == NULL)
        return refuse_text(&said, error);
    json_reader reader = {.text = text, .size = size, .error = error};
    lb_status status = load_root(&reader, root, notes, allocator, model);
    json_decref(root);
    return status;
}
