/*
 * contacts_json.c - contacts as JSON: points of links, and when they are held.
 */
#include "base/error.h"
#include "base/memory.h"
#include "formats/json_text.h"
#include "formats/motion/motion_json.h"
#include "motion/contacts.h"

#include <limber/formats/motion_json.h>

#include <stdlib.h>

/* One reading: over which model, into what. */
typedef struct contacts_reading {
    json_reader reader;
    const lb_model *model;
    const lb_allocator *allocator;
    lb_contacts **contacts;
    const tree_node *spans; /* of the point that is being read */
    int point;
} contacts_reading;

/* ---- reading -------------------------------------------------------------- */

static lb_status read_link(json_reader *reader, const tree_node *value, void *out)
{
    return motion_json_link(reader, value, ((contacts_reading *)reader)->model, "the model", out);
}

static lb_status note_spans(json_reader *reader, const tree_node *value, void *out)
{
    (void)out;
    ((contacts_reading *)reader)->spans = value;
    return LB_OK;
}

static lb_status read_point(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"link", read_link, offsetof(lb_contact_point, link), true},
        {"at", reader_vec3, offsetof(lb_contact_point, at), false},
        {"height", reader_number, offsetof(lb_contact_point, height), false},
        {"any_height", reader_bool, offsetof(lb_contact_point, any_height), false},
        {"spans", note_spans, 0, true},
    };
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, out));
    contact_fault fault = contact_point_fault(out);
    return fault.name == NULL ? LB_OK
                              : reader_refuse(reader, LB_BAD_VALUE, CONTACT_FAULT, fault.name,
                                              fault.value, fault.side, fault.bound);
}

static lb_status read_span(json_reader *reader, const tree_node *value, void *out)
{
    double span[2];
    TRY(reader_array(reader, value, 2, reader_number, span, sizeof *span));
    if (!(span[0] <= span[1]))
        return reader_refuse(reader, LB_BAD_VALUE, "a span begins before it ends, not %g to %g",
                             span[0], span[1]);
    *(lb_contact_span *)out = (lb_contact_span){span[0], span[1]};
    return LB_OK;
}

static int compare_spans(const void *a, const void *b)
{
    double x = ((const lb_contact_span *)a)->begin, y = ((const lb_contact_span *)b)->begin;
    return (x > y) - (x < y);
}

/* in the order of time, whatever the file's: each is added behind those before it */
static lb_status read_spans(json_reader *reader, const tree_node *value, void *out)
{
    contacts_reading *r = (contacts_reading *)reader;
    MEMORY_POOL(memory, r->allocator);
    size_t count = value->count > 0 ? (size_t)value->count : 1;
    lb_contact_span *spans = memory_take(&memory, count, sizeof *spans);
    (void)out;
    TRY(require_memory(reader->error, spans));
    TRY(reader_array(reader, value, -1, read_span, spans, sizeof *spans));
    qsort(spans, (size_t)value->count, sizeof *spans, compare_spans);
    for (int i = 0; i < value->count; i++)
        TRY(lb_contacts_add(*r->contacts, r->point, spans[i].begin, spans[i].end, reader->error));
    return LB_OK;
}

/* the points first, then their spans */
static lb_status read_points(json_reader *reader, const tree_node *value, void *out)
{
    contacts_reading *r = (contacts_reading *)reader;
    int count = tree_array_size(value);
    (void)out;
    if (count < 1)
        return reader_refuse(reader, LB_BAD_VALUE, "expected an array of one point or more");
    const tree_node *element = value->first;
    for (int i = 0; i < count; i++, element = element->next) {
        lb_contact_point point = {.link = 0};
        TRY(reader_step(reader, NULL, i, read_point, element, &point));
        TRY(lb_contacts_move(*r->contacts, i, &point, reader->error));
        r->point = i;
        TRY(reader_step(reader, "spans", 0, read_spans, r->spans, NULL));
    }
    return LB_OK;
}

static lb_status read_contacts(void *into, const tree_node *root, lb_error *error)
{
    static const reader_field fields[] = {
        {"limber_contacts", reader_version, 0, true},
        {"points", read_points, 0, true},
    };
    contacts_reading *r = into;
    r->reader = (json_reader){.root = root, .error = error};
    // as many points as the file has; what they are comes with reading
    int count = tree_array_size(tree_member(root, "points"));
    TRY(lb_contacts_create(NULL, count > 0 ? count : 1, r->allocator, r->contacts, error));
    return reader_object(&r->reader, root, fields, sizeof fields / sizeof *fields, NULL);
}

static lb_status load_contacts(const motion_source *from, const lb_model *model,
                               const lb_allocator *allocator, lb_contacts **contacts,
                               lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}, {contacts, "contacts"}));
    contacts_reading reading = {.model = model, .allocator = allocator, .contacts = contacts};
    return contacts_keep(motion_json_read(from, allocator, read_contacts, &reading, error),
                         contacts);
}

lb_status lb_contacts_load_memory(const char *name, const char *text, size_t size,
                                  const lb_model *model, const lb_allocator *allocator,
                                  lb_contacts **contacts, lb_error *error)
{
    require_clear(contacts);
    TRY(REQUIRE(error, {name, "name"}, {text, "text"}));
    return load_contacts(&(motion_source){name, NULL, motion_json_text, text, size}, model,
                         allocator, contacts, error);
}

lb_status lb_contacts_load_document(const char *name, const lb_document *document,
                                    const lb_model *model, const lb_allocator *allocator,
                                    lb_contacts **contacts, lb_error *error)
{
    require_clear(contacts);
    TRY(REQUIRE(error, {name, "name"}, {document, "document"}));
    return load_contacts(&(motion_source){name, document, NULL, NULL, 0}, model, allocator,
                         contacts, error);
}

lb_status lb_contacts_load(const char *path, const lb_model *model, const lb_allocator *allocator,
                           lb_contacts **contacts, lb_error *error)
{
    require_clear(contacts);
    TRY(REQUIRE(error, {path, "path"}));
    return load_contacts(&(motion_source){path, NULL, motion_json_file, NULL, 0}, model, allocator,
                         contacts, error);
}

/* ---- writing -------------------------------------------------------------- */

static void put_point(json_text *out, const lb_contacts *contacts, const lb_model *model, int i)
{
    const lb_contact_point *point = &lb_contacts_points(contacts)[i];
    int count;
    const lb_contact_span *spans = lb_contacts_spans(contacts, i, &count);
    json_text_open(out, '{', false);
    json_text_text(out, "link", lb_model_link(model, point->link)->name);
    json_text_list(out, "at", (double[]){point->at.x, point->at.y, point->at.z}, 3);
    if (point->height != 0)
        json_text_member(out, "height", point->height);
    json_text_flag(out, "any_height", point->any_height);
    json_text_break(out);
    json_text_begin(out, "spans", '[', false);
    for (int k = 0; k < count; k++)
        json_text_numbers(out, (double[]){spans[k].begin, spans[k].end}, 2);
    json_text_close(out, ']');
    json_text_close(out, '}');
}

lb_status lb_contacts_write(const lb_contacts *contacts, const lb_model *model,
                            const lb_allocator *allocator, char **text, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(text, error, {contacts, "contacts"}, {model, "model"}));
    for (int i = 0; i < lb_contacts_count(contacts); i++) {
        int link = lb_contacts_points(contacts)[i].link;
        if (link < 0 || link >= lb_model_link_count(model))
            return REFUSE_ARGUMENT(error, "the model has no link %d", link);
    }
    json_text out = json_text_start(allocator);
    json_text_open(&out, '{', true);
    json_text_member(&out, "limber_contacts", 1);
    json_text_begin(&out, "points", '[', true);
    for (int i = 0; i < lb_contacts_count(contacts); i++)
        put_point(&out, contacts, model, i);
    json_text_close(&out, ']');
    json_text_close(&out, '}');
    json_text_end(&out);
    return json_text_take(&out, text, error);
}
