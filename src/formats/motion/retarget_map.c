/*
 * retarget_map.c - maps of retargeting as JSON, limber's own.
 */
#include "formats/motion/motion_json.h"

#include "base/error.h"
#include "formats/json_text.h"

#include <limber/formats/motion_json.h>

/* ---- reading -------------------------------------------------------------- */

static lb_status read_source(json_reader *reader, const tree_node *value, void *out)
{
    return motion_json_link(reader, value, ((map_reading *)reader)->source, "the source", out);
}

static lb_status read_target(json_reader *reader, const tree_node *value, void *out)
{
    return motion_json_link(reader, value, ((map_reading *)reader)->target, "the target", out);
}

static lb_status read_role(json_reader *reader, const tree_node *value, void *out)
{
    const char *names[LB_ROLE_COUNT];
    int choice = 0;
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        names[i] = lb_role_text((lb_role)i);
    TRY(reader_choice(reader, value, "role", names, LB_ROLE_COUNT, &choice));
    *(lb_role *)out = (lb_role)choice;
    return LB_OK;
}

/* a weight, or a scale */
static lb_status read_size(json_reader *reader, const tree_node *value, void *out)
{
    lb_status status = reader_number(reader, value, out);
    if (status == LB_OK && !(*(double *)out >= 0))
        return reader_refuse(reader, LB_BAD_VALUE, "%g is negative", *(double *)out);
    return status;
}

static lb_status read_held(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"source", read_source, offsetof(lb_retarget_held, source), true},
        {"source_at", reader_vec3, offsetof(lb_retarget_held, source_at), false},
        {"at", reader_vec3, offsetof(lb_retarget_held, at), false},
        {"any_height", reader_bool, offsetof(lb_retarget_held, any_height), false},
        {"size", read_size, offsetof(lb_retarget_held, size), false},
    };
    return reader_object(reader, value, fields, sizeof fields / sizeof *fields, out);
}

static lb_status read_helds(json_reader *reader, const tree_node *value, void *out)
{
    lb_retarget_pair *pair = out;
    pair->held_count = tree_array_size(value);
    if (pair->held_count > LB_RETARGET_HELD)
        return reader_refuse(reader, LB_BAD_VALUE, "at most %d points of a pair are held",
                             LB_RETARGET_HELD);
    return reader_array(reader, value, -1, read_held, pair->held, sizeof *pair->held);
}

/* alignment that is given in part: of a pair with a role it is all or nothing */
static lb_status check_alignment(json_reader *reader, const tree_node *value,
                                 const lb_retarget_pair *pair)
{
    static const char *const keys[] = {"source_point", "target_point", "axis", "offset", "held"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (pair->role < LB_ROLE_COUNT && !pair->aligned && tree_member(value, keys[i]) != NULL)
            return reader_refuse(reader, LB_BAD_MODEL,
                                 "\"%s\" needs \"rotation\" beside it; without both they follow "
                                 "from the role",
                                 keys[i]);
    return LB_OK;
}

/* the weights of a role where its pair has none at all */
static void weigh_by_role(const tree_node *value, lb_retarget_pair *pair)
{
    static const char *const keys[] = {"position", "orientation", "direction"};
    lb_retarget_pair usual = lb_retarget_pair_make(pair->role, 0, 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (tree_member(value, keys[i]) != NULL)
            return;
    pair->position = usual.position;
    pair->orientation = usual.orientation;
    pair->direction = usual.direction;
}

static lb_status read_pair(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"role", read_role, offsetof(lb_retarget_pair, role), false},
        {"source", read_source, offsetof(lb_retarget_pair, source), true},
        {"target", read_target, offsetof(lb_retarget_pair, target), true},
        {"position", read_size, offsetof(lb_retarget_pair, position), false},
        {"orientation", read_size, offsetof(lb_retarget_pair, orientation), false},
        {"direction", read_size, offsetof(lb_retarget_pair, direction), false},
        {"rotation", reader_rotation, offsetof(lb_retarget_pair, rotation), false},
        {"source_point", reader_vec3, offsetof(lb_retarget_pair, source_point), false},
        {"target_point", reader_vec3, offsetof(lb_retarget_pair, target_point), false},
        {"axis", reader_vec3, offsetof(lb_retarget_pair, axis), false},
        {"offset", reader_vec3, offsetof(lb_retarget_pair, offset), false},
        {"held", read_helds, 0, false},
    };
    lb_retarget_pair *pair = out;
    *pair = lb_retarget_pair_make(LB_ROLE_COUNT, 0, 0);
    TRY(reader_object(reader, value, fields, sizeof fields / sizeof *fields, pair));
    weigh_by_role(value, pair);
    pair->aligned = tree_member(value, "rotation") != NULL;
    if (pair->axis.x == 0 && pair->axis.y == 0 && pair->axis.z == 0)
        return reader_refuse(reader, LB_BAD_VALUE, "its axis is zero");
    return check_alignment(reader, value, pair);
}

static lb_status read_pairs(json_reader *reader, const tree_node *value, void *out)
{
    lb_retarget_map *map = out;
    map->count = tree_array_size(value);
    if (map->count < 1 || map->count > LB_RETARGET_PAIRS)
        return reader_refuse(reader, LB_BAD_VALUE, "a map has 1 to %d pairs", LB_RETARGET_PAIRS);
    return reader_array(reader, value, -1, read_pair, map->pairs, sizeof *map->pairs);
}

static lb_status read_own(map_reading *r, const tree_node *root)
{
    static const reader_field fields[] = {
        {"limber_map", reader_version, 0, true},
        {"scale", read_size, offsetof(lb_retarget_map, scale), false},
        {"root_scale", read_size, offsetof(lb_retarget_map, root_scale), false},
        {"pairs", read_pairs, 0, true},
    };
    return reader_object(&r->reader, root, fields, sizeof fields / sizeof *fields, r->map);
}

static lb_status read_map(void *into, const tree_node *root, lb_error *error)
{
    map_reading *r = into;
    r->reader = (json_reader){.root = root, .error = error};
    *r->map = (lb_retarget_map){.count = 0};
    return tree_member(root, "ik_match_table1") != NULL ? gmr_map_read(r, root) : read_own(r, root);
}

static lb_status load_map(const motion_source *from, const lb_model *source, const lb_model *target,
                          const lb_allocator *allocator, lb_retarget_map *map, lb_error *error)
{
    TRY(REQUIRE(error, {source, "source"}, {target, "target"}, {map, "map"}));
    map_reading reading = {.source = source, .target = target, .allocator = allocator, .map = map};
    return motion_json_read(from, allocator, read_map, &reading, error);
}

lb_status lb_retarget_map_load_memory(const char *name, const char *text, size_t size,
                                      const lb_model *source, const lb_model *target,
                                      const lb_allocator *allocator, lb_retarget_map *map,
                                      lb_error *error)
{
    TRY(REQUIRE(error, {name, "name"}, {text, "text"}));
    return load_map(&(motion_source){name, NULL, motion_json_text, text, size}, source, target,
                    allocator, map, error);
}

lb_status lb_retarget_map_load_document(const char *name, const lb_document *document,
                                        const lb_model *source, const lb_model *target,
                                        const lb_allocator *allocator, lb_retarget_map *map,
                                        lb_error *error)
{
    TRY(REQUIRE(error, {name, "name"}, {document, "document"}));
    return load_map(&(motion_source){name, document, NULL, NULL, 0}, source, target, allocator, map,
                    error);
}

lb_status lb_retarget_map_load(const char *path, const lb_model *source, const lb_model *target,
                               const lb_allocator *allocator, lb_retarget_map *map, lb_error *error)
{
    TRY(REQUIRE(error, {path, "path"}));
    return load_map(&(motion_source){path, NULL, motion_json_file, NULL, 0}, source, target,
                    allocator, map, error);
}

/* ---- writing -------------------------------------------------------------- */

static void put_vector(json_text *out, const char *key, lb_vec3 v)
{
    json_text_list(out, key, (double[]){v.x, v.y, v.z}, 3);
}

static void put_weight(json_text *out, const char *key, double weight)
{
    if (weight > 0)
        json_text_member(out, key, weight);
}

static void put_held(json_text *out, const lb_retarget_pair *pair, const lb_model *source)
{
    json_text_break(out);
    json_text_begin(out, "held", '[', false);
    for (int i = 0; i < pair->held_count; i++) {
        json_text_open(out, '{', false);
        json_text_text(out, "source", lb_model_link(source, pair->held[i].source)->name);
        put_vector(out, "source_at", pair->held[i].source_at);
        put_vector(out, "at", pair->held[i].at);
        json_text_flag(out, "any_height", pair->held[i].any_height);
        put_weight(out, "size", pair->held[i].size);
        json_text_close(out, '}');
    }
    json_text_close(out, ']');
}

static void put_alignment(json_text *out, const lb_retarget_pair *pair)
{
    lb_quat q = pair->rotation;
    json_text_break(out);
    json_text_list(out, "rotation", (double[]){q.w, q.x, q.y, q.z}, 4);
    put_vector(out, "axis", pair->axis);
    json_text_break(out);
    put_vector(out, "source_point", pair->source_point);
    put_vector(out, "target_point", pair->target_point);
    if (lb_vec3_length(pair->offset) > 0)
        put_vector(out, "offset", pair->offset);
}

static void put_pair(json_text *out, const lb_retarget_pair *pair, const lb_model *source,
                     const lb_model *target)
{
    json_text_open(out, '{', false);
    if (pair->role < LB_ROLE_COUNT)
        json_text_text(out, "role", lb_role_text(pair->role));
    json_text_text(out, "source", lb_model_link(source, pair->source)->name);
    json_text_text(out, "target", lb_model_link(target, pair->target)->name);
    put_weight(out, "position", pair->position);
    put_weight(out, "orientation", pair->orientation);
    // without any weight the role's would be read
    if (pair->position == 0 && pair->orientation == 0 && pair->role < LB_ROLE_COUNT)
        json_text_member(out, "direction", pair->direction);
    else
        put_weight(out, "direction", pair->direction);
    if (pair->aligned)
        put_alignment(out, pair);
    // what follows from a role is not read without an alignment
    if (pair->held_count > 0 && (pair->aligned || pair->role == LB_ROLE_COUNT))
        put_held(out, pair, source);
    json_text_close(out, '}');
}

static lb_status check_links(const lb_retarget_map *map, const lb_model *source,
                             const lb_model *target, lb_error *error)
{
    for (int i = 0; i < map->count; i++) {
        const lb_retarget_pair *p = &map->pairs[i];
        if (p->source < 0 || p->source >= lb_model_link_count(source) || p->target < 0 ||
            p->target >= lb_model_link_count(target))
            return REFUSE_ARGUMENT(error, "pair %d: its links are not those of the models", i);
    }
    return LB_OK;
}

lb_status lb_retarget_map_write(const lb_retarget_map *map, const lb_model *source,
                                const lb_model *target, const lb_allocator *allocator, char **text,
                                lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(text, error, {map, "map"}, {source, "source"}, {target, "target"}));
    TRY(check_links(map, source, target, error));
    json_text out = json_text_start(allocator);
    json_text_open(&out, '{', true);
    json_text_member(&out, "limber_map", 1);
    json_text_member(&out, "scale", map->scale);
    json_text_member(&out, "root_scale", map->root_scale);
    json_text_begin(&out, "pairs", '[', true);
    for (int i = 0; i < map->count; i++)
        put_pair(&out, &map->pairs[i], source, target);
    json_text_close(&out, ']');
    json_text_close(&out, '}');
    json_text_end(&out);
    return json_text_take(&out, text, error);
}
