/*
 * mjcf_default.c - compiler settings, default classes, and the frames of MJCF elements.
 */
#include "formats/mapping/mjcf.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>

/* ---- compiler ------------------------------------------------------------- */

lb_status mjcf_flag(const element_place *place, const tree_node *source, const char *name,
                    int usual, int *value)
{
    static const char *const words[] = {"false", "true", "auto"};
    const char *text = tree_attribute(source, name);
    suggest nearest;
    int index = text == NULL ? 2 : suggest_choice(&nearest, text, words, 3);
    if (index < 0)
        return element_refuse(place, LB_BAD_VALUE, source, "%s=\"%.40s\"%s", name, text,
                              nearest.phrase);
    *value = index == 2 ? usual : index;
    return LB_OK;
}

static lb_status read_euler_sequence(const element_place *place, const tree_node *node,
                                     const char *text, char sequence[4])
{
    bool fine = strlen(text) == 3;
    for (int i = 0; i < 3 && fine; i++)
        fine = strchr("xyzXYZ", text[i]) != NULL;
    if (!fine)
        return element_refuse(place, LB_BAD_VALUE, node,
                              "eulerseq=\"%.20s\" must be three of the letters x, y, z, X, Y and Z",
                              text);
    memcpy(sequence, text, 4);
    return LB_OK;
}

static lb_status read_angle_unit(const element_place *place, const tree_node *node,
                                 const char *text, bool *degrees)
{
    static const char *const units[] = {"radian", "degree"};
    suggest nearest;
    int index = suggest_choice(&nearest, text, units, 2);
    if (index < 0)
        return element_refuse(place, LB_BAD_VALUE, node, "angle=\"%.20s\"%s", text, nearest.phrase);
    *degrees = index == 1;
    return LB_OK;
}

static lb_status read_one_compiler(mjcf_compiler *compiler, const element_place *place,
                                   const tree_node *node)
{
    const char *angle = tree_attribute(node, "angle"), *sequence = tree_attribute(node, "eulerseq");
    const char *coordinate = tree_attribute(node, "coordinate");
    const char *folder = tree_attribute(node, "meshdir");
    int autolimits = compiler->autolimits;
    TRY(mjcf_flag(place, node, "autolimits", autolimits, &autolimits));
    compiler->autolimits = autolimits == 1;
    if (coordinate != NULL && strcmp(coordinate, "local") != 0)
        return element_refuse(place, LB_UNSUPPORTED, node,
                              "coordinate=\"%.20s\" is not supported; save the model with MuJoCo",
                              coordinate);
    if (angle != NULL)
        TRY(read_angle_unit(place, node, angle, &compiler->degrees));
    if (sequence != NULL)
        TRY(read_euler_sequence(place, node, sequence, compiler->eulerseq));
    if (folder == NULL)
        folder = tree_attribute(node, "assetdir");
    if (folder != NULL)
        compiler->mesh_folder = folder;
    return LB_OK;
}

lb_status mjcf_read_compiler(mjcf_reader *reader)
{
    element_place place = {"compiler", NULL, reader->error, reader->warnings};
    reader->compiler = (mjcf_compiler){true, true, "xyz", NULL};
    const tree_node *node = tree_child(reader->root, "compiler");
    for (; node != NULL; node = tree_next(node))
        TRY(read_one_compiler(&reader->compiler, &place, node));
    return LB_OK;
}

double mjcf_radians(const mjcf_reader *reader, double angle)
{
    // dividing first makes 45, 90 and 180 degrees exact fractions of pi
    return reader->compiler.degrees ? angle / 180 * LB_PI : angle;
}

/* ---- default classes ------------------------------------------------------ */

static bool is_default(const tree_node *node)
{
    return node->kind == LB_NODE_ELEMENT && strcmp(node->name, "default") == 0;
}

/* enters the class of one <default> */
static void add_class(mjcf_reader *reader, const tree_node *node)
{
    const char *name = tree_attribute(node, "class");
    if (name == NULL || name_table_add(&reader->classes, name, reader->node_count) >= 0)
        return;
    reader->nodes[reader->node_count++] = node;
}

static lb_status check_class(const mjcf_reader *reader, const tree_node *node, const char *name)
{
    const char *wanted = tree_attribute(node, name);
    if (wanted == NULL || strcmp(wanted, "main") == 0 ||
        name_table_find(&reader->classes, wanted) >= 0)
        return LB_OK;
    element_place place = {node->name, tree_attribute(node, "name"), reader->error, NULL};
    suggest nearest = suggest_start(wanted);
    for (int i = 0; i < reader->node_count; i++)
        if (is_default(reader->nodes[i]))
            suggest_consider(&nearest, tree_attribute(reader->nodes[i], "class"));
    return element_refuse(&place, LB_BAD_MODEL, node, "no default class '%.60s'%s", wanted,
                          suggest_phrase(&nearest));
}

/*
 * A <default>, an element and an attribute as one name, for a table: what has the attribute is
 * found at once, however many defaults, elements and attributes there are. Those of all outermost
 * <default>s count as of one level, NULL, too.
 */
enum { ELEMENT_SIZE = 16, KEY_SIZE = 96 };

static const char *default_key(const tree_node *level, const char *element, const char *attribute,
                               char text[KEY_SIZE])
{
    text_format(text, KEY_SIZE, "%llx %s %s", (unsigned long long)(uintptr_t)level, element,
                attribute);
    return text;
}

/* no element or attribute that is read has a longer name */
static bool is_short(const tree_node *element, const tree_node *attribute)
{
    return strlen(element->name) < ELEMENT_SIZE && strlen(attribute->name) < 2 * ELEMENT_SIZE;
}

int mjcf_count_defaults(const tree_node *node)
{
    int count = 0;
    for (const tree_node *element = node->first; element != NULL; element = element->next)
        for (const tree_node *a = element->first_attribute; a != NULL; a = a->next)
            count += is_short(element, a) ? 2 : 0;
    return count;
}

/* enters an element of a level; the first one with an attribute counts */
static bool add_defaults(mjcf_reader *reader, const tree_node *level, const tree_node *element)
{
    char text[KEY_SIZE];
    for (const tree_node *a = element->first_attribute; a != NULL; a = a->next) {
        if (!is_short(element, a))
            continue;
        default_key(level, element->name, a->name, text);
        if (name_table_find(&reader->defaults, text) >= 0)
            continue;
        const char *key = tree_copy_text(reader->scratch, text);
        if (key == NULL)
            return false;
        name_table_add(&reader->defaults, key, reader->source_count);
        reader->sources[reader->source_count++] = element;
    }
    return true;
}

/* one <default> and all elements in it */
static bool add_level(mjcf_reader *reader, const tree_node *level)
{
    bool fine = true;
    add_class(reader, level);
    for (const tree_node *element = level->first; element != NULL && fine; element = element->next)
        fine = add_defaults(reader, level, element) &&
               (level->parent != reader->root || add_defaults(reader, NULL, element));
    return fine;
}

lb_status mjcf_read_classes(mjcf_reader *reader)
{
    const tree_node *top, *node;
    for (top = tree_child(reader->root, "default"); top != NULL; top = tree_next(top))
        for (node = top; node != NULL; node = tree_walk(node, top, is_default(node)))
            if (is_default(node) && !add_level(reader, node))
                return error_out_of_memory(reader->error);

    // every class that a body or what is in it names must exist
    for (top = tree_child(reader->root, "worldbody"); top != NULL; top = tree_next(top))
        for (node = top; node != NULL; node = tree_walk(node, top, true)) {
            TRY(check_class(reader, node, "class"));
            TRY(check_class(reader, node, "childclass"));
        }
    return LB_OK;
}

/* the class of an element: its own, or the childclass of what is around it */
static const tree_node *class_of(const mjcf_reader *reader, const tree_node *node)
{
    const char *name = tree_attribute(node, "class");
    for (const tree_node *at = node->parent; at != NULL && name == NULL; at = at->parent)
        name = tree_attribute(at, "childclass");
    int index = name == NULL ? -1 : name_table_find(&reader->classes, name);
    return index < 0 ? NULL : reader->nodes[index];
}

/* the default of this element in one <default> that has the attribute, of all equalities those of
   one element; NULL: none */
static const tree_node *default_with(const mjcf_reader *reader, const tree_node *level,
                                     const tree_node *node, const char *name)
{
    char text[KEY_SIZE];
    bool equality = node->parent != NULL && strcmp(node->parent->name, "equality") == 0;
    const char *element = equality ? "equality" : node->name;
    int index = name_table_find(&reader->defaults, default_key(level, element, name, text));
    return index < 0 ? NULL : reader->sources[index];
}

const tree_node *mjcf_source(const mjcf_reader *reader, const tree_node *node, const char *name)
{
    if (reader->source_count == 0 || tree_attribute(node, name) != NULL)
        return node;
    const tree_node *found = NULL, *level = class_of(reader, node);
    for (; level != NULL && is_default(level) && found == NULL; level = level->parent)
        found = default_with(reader, level, node, name);

    // the outermost defaults hold for everything
    if (found == NULL)
        found = default_with(reader, NULL, node, name);
    return found == NULL ? node : found;
}

/* ---- frames --------------------------------------------------------------- */

lb_quat mjcf_turn_from_z(lb_vec3 direction)
{
    lb_vec3 d = lb_vec3_normalize(direction, lb_vec3_make(0, 0, 1));
    lb_quat arc = {1 + d.z, -d.y, d.x, 0};
    // straight down, every half turn is as short
    lb_quat half_turn = {0, 1, 0, 0};
    return d.x == 0 && d.y == 0 && d.z < 0 ? half_turn : lb_quat_normalize(arc);
}

static lb_quat turn_about(char letter, double angle)
{
    char lower = (char)(letter | 0x20);
    lb_vec3 axis = lb_vec3_make(lower == 'x', lower == 'y', lower == 'z');
    return lb_quat_from_axis_angle(axis, angle);
}

static lb_quat turn_of_euler(const mjcf_reader *reader, const double n[6])
{
    lb_quat q = {1, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        char letter = reader->compiler.eulerseq[i];
        lb_quat turn = turn_about(letter, mjcf_radians(reader, n[i]));
        // small letters: about the axes as turned so far; large ones: about the fixed axes
        q = letter >= 'a' ? lb_quat_multiply(q, turn) : lb_quat_multiply(turn, q);
    }
    return q;
}

static lb_quat turn_of_quat(const mjcf_reader *reader, const double n[6])
{
    (void)reader;
    return (lb_quat){n[0], n[1], n[2], n[3]};
}

static lb_quat turn_of_axis(const mjcf_reader *reader, const double n[6])
{
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_make(n[0], n[1], n[2]), lb_vec3_make(0, 0, 1));
    return lb_quat_from_axis_angle(axis, mjcf_radians(reader, n[3]));
}

static lb_quat turn_of_axes(const mjcf_reader *reader, const double n[6])
{
    // y is made orthogonal to x
    (void)reader;
    lb_vec3 given = lb_vec3_make(n[3], n[4], n[5]);
    lb_transform t = LB_TRANSFORM_IDENTITY;
    t.x = lb_vec3_normalize(lb_vec3_make(n[0], n[1], n[2]), t.x);
    t.y = lb_vec3_sub(given, lb_vec3_scale(t.x, lb_vec3_dot(t.x, given)));
    t.y = lb_vec3_normalize(t.y, lb_vec3_perpendicular(t.x));
    t.z = lb_vec3_cross(t.x, t.y);
    return lb_transform_quat(&t);
}

static lb_quat turn_of_z(const mjcf_reader *reader, const double n[6])
{
    (void)reader;
    return mjcf_turn_from_z(lb_vec3_make(n[0], n[1], n[2]));
}

/* A way to give a rotation: how many numbers, how many of them must not all be zero. */
typedef struct rotation_form {
    const char *name;
    int count, direction;
    lb_quat (*turn)(const mjcf_reader *reader, const double numbers[6]);
} rotation_form;

static const rotation_form forms[] = {
    {"quat", 4, 4, turn_of_quat},   {"axisangle", 4, 3, turn_of_axis},
    {"euler", 3, 0, turn_of_euler}, {"xyaxes", 6, 3, turn_of_axes},
    {"zaxis", 3, 3, turn_of_z},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

/* the form that an element's own attributes have, else the first among its defaults */
static const rotation_form *find_form(const mjcf_reader *reader, const tree_node *node,
                                      const tree_node **source)
{
    const rotation_form *found = NULL;
    *source = node;
    for (int i = 0; i < FORM_COUNT; i++)
        if (tree_attribute(node, forms[i].name) != NULL)
            return &forms[i];
    for (int i = 0; i < FORM_COUNT && found == NULL; i++) {
        *source = mjcf_source(reader, node, forms[i].name);
        found = *source != node ? &forms[i] : NULL;
    }
    return found;
}

static lb_status read_rotation(const mjcf_reader *reader, const element_place *place,
                               const tree_node *node, lb_quat *rotation)
{
    double n[6] = {0};
    const tree_node *source;
    const rotation_form *form = find_form(reader, node, &source);
    *rotation = (lb_quat){1, 0, 0, 0};
    if (form == NULL)
        return LB_OK;
    TRY(element_numbers(place, source, form->name, form->count, n));
    bool has_direction = form->direction == 0;
    for (int i = 0; i < form->direction; i++)
        has_direction = has_direction || n[i] != 0;
    if (!has_direction)
        return element_refuse(place, LB_BAD_VALUE, source, "%s is zero; give it a direction",
                              form->name);
    *rotation = lb_quat_normalize(form->turn(reader, n));
    return LB_OK;
}

lb_status mjcf_ends(const mjcf_reader *reader, const element_place *place, const tree_node *node,
                    lb_vec3 ends[2], bool *given)
{
    double n[6] = {0};
    int count;
    TRY(element_some_numbers(place, mjcf_source(reader, node, "fromto"), "fromto", 6, 6, n,
                             &count));
    *given = count == 6;
    for (int i = 0; i < 2; i++)
        ends[i] = lb_vec3_make(n[3 * i], n[3 * i + 1], n[3 * i + 2]);
    return LB_OK;
}

lb_status mjcf_frame(const mjcf_reader *reader, const element_place *place, const tree_node *node,
                     lb_transform *frame)
{
    double pos[3] = {0, 0, 0};
    lb_vec3 ends[2];
    bool has_ends;
    lb_quat rotation;
    TRY(mjcf_ends(reader, place, node, ends, &has_ends));
    if (has_ends) {
        *frame = lb_transform_from_quat(mjcf_turn_from_z(lb_vec3_sub(ends[0], ends[1])),
                                        lb_vec3_scale(lb_vec3_add(ends[0], ends[1]), 0.5));
        return LB_OK;
    }
    TRY(element_numbers(place, mjcf_source(reader, node, "pos"), "pos", 3, pos));
    TRY(read_rotation(reader, place, node, &rotation));
    *frame = lb_transform_from_quat(rotation, lb_vec3_make(pos[0], pos[1], pos[2]));
    return LB_OK;
}

const tree_node *mjcf_next_own(const tree_node *node, const tree_node *body)
{
    return tree_walk(node, body,
                     node == body ||
                         (node->kind == LB_NODE_ELEMENT && strcmp(node->name, "frame") == 0));
}

/* the frames around an element, the outermost first; those that were around the last one stay */
static lb_status follow_frames(mjcf_reader *reader, const element_place *place,
                               const tree_node *node, const tree_node *body)
{
    const tree_node *chain[MJCF_FRAMES];
    int count = 0, same = 0;
    for (const tree_node *at = node->parent; at != body; at = at->parent) {
        if (count == MJCF_FRAMES)
            return element_refuse(place, LB_UNSUPPORTED, node, "<frame>s are nested deeper than %d",
                                  MJCF_FRAMES);
        chain[count++] = at;
    }
    while (same < count && same < reader->frame_count &&
           reader->frames[same].node == chain[count - 1 - same])
        same++;
    for (reader->frame_count = same; reader->frame_count < count; reader->frame_count++) {
        mjcf_frame_around *made = &reader->frames[reader->frame_count];
        made->node = chain[count - 1 - reader->frame_count];
        TRY(mjcf_frame(reader, place, made->node, &made->in_body));
        if (reader->frame_count > 0)
            made->in_body = lb_transform_multiply(&made[-1].in_body, &made->in_body);
    }
    return LB_OK;
}

lb_status mjcf_frame_in_body(mjcf_reader *reader, const element_place *place, const tree_node *node,
                             const tree_node *body, lb_transform *frame)
{
    TRY(mjcf_frame(reader, place, node, frame));
    TRY(follow_frames(reader, place, node, body));
    if (reader->frame_count > 0)
        *frame = lb_transform_multiply(&reader->frames[reader->frame_count - 1].in_body, frame);
    return LB_OK;
}
