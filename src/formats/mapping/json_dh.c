/*
 * json_dh.c - Denavit-Hartenberg tables in the JSON linkage format.
 *
 * lb_model_from_dh turns the rows into placements; names, limits and all else
 * that a row says of its joint are added to what it returns.
 */
#include "formats/mapping/json_reader.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/names.h"

#include <string.h>

/* A row while it is being read. */
typedef struct row_reading {
    lb_joint joint;
    double theta, d, a, alpha;
} row_reading;

/* The table while it is being read. */
typedef struct table_reading {
    int convention; /* 0 standard, 1 modified */
    const char *base;
    lb_joint tool; /* names alone */
    lb_dh_row *rows;
    int row_count;
    int first; /* in the draft, of the joints that are made from the rows */
} table_reading;

/* ---- reading ------------------------------------------------------------ */

static lb_status read_row_kind(json_reader *reader, const tree_node *value, void *out)
{
    lb_joint *joint = out;
    lb_status status = reader_kind(reader, value, joint);
    if (status == LB_OK && joint->kind != LB_JOINT_REVOLUTE && joint->kind != LB_JOINT_CONTINUOUS &&
        joint->kind != LB_JOINT_PRISMATIC)
        return reader_refuse(reader, LB_BAD_MODEL,
                             "a row is revolute, continuous or prismatic, not %s",
                             lb_joint_kind_text(joint->kind));
    return status;
}

static lb_status read_row(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"joint", reader_text, offsetof(row_reading, joint.name), false},
        {"link", reader_text, offsetof(row_reading, joint.child), false},
        {"kind", read_row_kind, offsetof(row_reading, joint), false},
        {"theta", reader_turn, offsetof(row_reading, theta), false},
        {"d", reader_number, offsetof(row_reading, d), false},
        {"a", reader_number, offsetof(row_reading, a), false},
        {"alpha", reader_turn, offsetof(row_reading, alpha), false},
        READER_MOTION_FIELDS(offsetof(row_reading, joint)),
    };
    table_reading *table = out;
    row_reading row = {.joint = lb_joint_default()};
    row.joint.kind = LB_JOINT_REVOLUTE;
    lb_status status = reader_object(reader, value, fields, sizeof fields / sizeof *fields, &row);
    if (status == LB_OK && tree_member(value, "value") == NULL)
        draft_rest(&row.joint);

    // limits are left to the joint: they are checked under its own name
    table->rows[table->row_count++] = (lb_dh_row){
        .kind = row.joint.kind,
        .theta = row.theta,
        .d = row.d,
        .a = row.a,
        .alpha = row.alpha,
        .lower = -INFINITY,
        .upper = INFINITY,
    };
    *draft_joint(&reader->draft, value->line) = row.joint;
    return status;
}

static lb_status read_rows(json_reader *reader, const tree_node *value, void *out)
{
    table_reading *table = out;
    int count = tree_array_size(value);
    if (count == 0)
        return reader_refuse(reader, LB_BAD_MODEL, "expected an array of at least one row");
    table->rows = memory_take(&reader->draft.allocator, (size_t)count, sizeof *table->rows);
    if (table->rows == NULL)
        return reader_refuse(reader, LB_OUT_OF_MEMORY, "out of memory");
    return reader_array(reader, value, -1, read_row, table, 0);
}

static lb_status read_convention(json_reader *reader, const tree_node *value, void *out)
{
    static const char *const names[] = {"standard", "modified"};
    return reader_choice(reader, value, "convention", names, 2, out);
}

static lb_status read_tool(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"joint", reader_text, offsetof(lb_joint, name), false},
        {"link", reader_text, offsetof(lb_joint, child), false},
    };
    return reader_object(reader, value, fields, sizeof fields / sizeof *fields, out);
}

/* ---- joints and links --------------------------------------------------- */

/* takes names that were not given from the table's own model */
static void fill_names(lb_joint *joint, const lb_joint *made, const char *parent)
{
    if (joint->name == NULL)
        joint->name = made->name;
    if (joint->child == NULL)
        joint->child = made->child;
    joint->parent = parent;
}

/* the rows' joints get their placements; the standard convention adds a tool at the end */
static void place_joints(json_reader *reader, const table_reading *table)
{
    const char *parent = table->base;
    int count = lb_model_joint_count(reader->dh);
    for (int i = 0; i < count; i++) {
        const lb_joint *made = lb_model_joint(reader->dh, i);
        if (i == table->row_count)
            *draft_joint(&reader->draft, 0) = table->tool;
        lb_joint *joint = &reader->draft.joints[table->first + i];
        fill_names(joint, made, parent);
        joint->placement = made->placement;
        joint->axis = made->axis;
        parent = joint->child;
    }
}

/* links that "links" does not describe are added, in the table's order */
static lb_status add_links(json_reader *reader, const table_reading *table)
{
    model_draft *draft = &reader->draft;
    size_t room = (size_t)(draft->link_count + table->row_count + 2);
    name_table known;
    void *block = name_table_create(&known, room, &draft->allocator);
    if (block == NULL)
        return reader_refuse(reader, LB_OUT_OF_MEMORY, "out of memory");

    int described = draft->link_count;
    for (int i = 0; i < described; i++)
        name_table_add(&known, draft->links[i].name, i);
    for (int i = table->first - 1; i < draft->joint_count; i++) {
        const char *name = i < table->first ? table->base : draft->joints[i].child;
        if (name_table_add(&known, name, draft->link_count) < 0)
            draft_link(draft, 0)->name = name;
    }
    return LB_OK;
}

/* everything that follows from the rows once they are read */
static lb_status make_joints(json_reader *reader, table_reading *table)
{
    TRY(lb_model_from_dh("", table->rows, table->row_count, table->convention == 1,
                         &reader->draft.allocator, &reader->dh, reader->error));
    if (table->base == NULL)
        table->base = lb_model_link(reader->dh, 0)->name;
    place_joints(reader, table);
    return add_links(reader, table);
}

lb_status reader_dh(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"convention", read_convention, offsetof(table_reading, convention), true},
        {"base", reader_text, offsetof(table_reading, base), false},
        {"tool", read_tool, offsetof(table_reading, tool), false},
        {"rows", read_rows, 0, true},
    };
    (void)out;
    table_reading table = {.tool = lb_joint_default(), .first = reader->draft.joint_count};
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, &table));
    if (table.convention == 1 && tree_member(value, "tool") != NULL)
        return reader_refuse(reader, LB_BAD_MODEL,
                             "the modified convention ends at its last joint: there is no tool; "
                             "add a fixed joint to \"joints\"");
    return make_joints(reader, &table);
}
