/*
 * description.c - what a map is of, in JSON beside its array.
 */
#include "formats/reach/map_file.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "collision/layout.h"
#include "workspace/orientation.h"
#include "workspace/reach_contents.h"

#include <limber/formats/json.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* of a map that can be: lb_reach_map_create makes no larger one */
enum { MOST_CELLS = 1289 };

/* ---- collisions ----------------------------------------------------------- */

/* hashes numbers by their bits, from the lowest byte on */
static void add_numbers(uint64_t *hash, int count, const double *numbers)
{
    for (int i = 0; i < count; i++) {
        unsigned char bytes[8];
        bytes_put(bytes, bytes_of_double(numbers[i]), sizeof bytes);
        *hash = fingerprint_add(*hash, bytes, sizeof bytes);
    }
}

static void add_vector(uint64_t *hash, lb_vec3 v)
{
    add_numbers(hash, 3, (const double[]){v.x, v.y, v.z});
}

static void add_shape(uint64_t *hash, const body_shape *s)
{
    const convex *shape = &s->shape;
    add_numbers(hash, 3, (const double[]){s->body, shape->core, shape->radius});
    add_vector(hash, shape->half);
    add_vector(hash, shape->center);
    add_vector(hash, shape->scale);
    add_vector(hash, s->origin.x);
    add_vector(hash, s->origin.y);
    add_vector(hash, s->origin.z);
    add_vector(hash, s->origin.p);
    for (int i = 0; i < shape->count; i++)
        add_vector(hash, shape->points[i]);
}

/* what is avoided: margin, shapes and pairs */
static json_t *describe_collision(const lb_collision *collision)
{
    uint64_t hashes[3] = {FINGERPRINT_EMPTY, FINGERPRINT_EMPTY, FINGERPRINT_EMPTY};
    char links[FINGERPRINT_SIZE], scene[FINGERPRINT_SIZE], pairs[FINGERPRINT_SIZE];
    for (int i = 0; i < collision->shape_count; i++)
        add_shape(&hashes[collision->shapes[i].link == LB_WORLD], &collision->shapes[i]);
    for (int i = 0; i < collision->pair_count; i++) {
        const body_pair *pair = &collision->pairs[i];
        bool checked = pair->state == LB_PAIR_CHECKED;
        add_numbers(&hashes[2], 3, (const double[]){pair->a, pair->b, checked});
    }
    fingerprint_digits(hashes[0], links);
    fingerprint_digits(hashes[1], scene);
    fingerprint_digits(hashes[2], pairs);
    return json_pack("{s:f, s:s, s:s, s:s, s:i}", "margin", collision->margin, "links", links,
                     "scene", scene, "pairs", pairs, "left_out", collision->missing);
}

/* ---- describing ----------------------------------------------------------- */

static json_t *list_fields(const map_file *map)
{
    json_t *names = json_array();
    for (map_field f = 0; f < MAP_FIELDS; f++)
        if (map_file_has(map, f))
            json_array_append_new(names, json_string(map_field_name(f)));
    return names;
}

/* of the model as limber JSON: another model of the same name is another map */
static lb_status identify(const lb_model *model, char digits[FINGERPRINT_SIZE], lb_error *error)
{
    char *text = NULL;
    TRY(lb_json_write(model, NULL, &text, error));
    fingerprint_digits(fingerprint_add(FINGERPRINT_EMPTY, text, strlen(text)), digits);
    free(text);
    return LB_OK;
}

/* rotation and place of a tool in the tip, the rows of a matrix; NULL: the tip itself */
static json_t *describe_tool(const lb_transform *t)
{
    if (memcmp(t, &LB_TRANSFORM_IDENTITY, sizeof *t) == 0)
        return NULL;
    return json_pack("[[f, f, f, f], [f, f, f, f], [f, f, f, f]]", t->x.x, t->y.x, t->z.x, t->p.x,
                     t->x.y, t->y.y, t->z.y, t->p.y, t->x.z, t->y.z, t->z.z, t->p.z);
}

/* zero is written without its sign, which means nothing to those who read it */
static double unsign(double number)
{
    return number == 0 ? 0 : number;
}

static json_t *describe(const reach_contents *of, const char *digits, const map_file *map)
{
    const lb_reach_grid *grid = &map->grid;
    const lb_task *task = &of->task;
    const lb_collision *avoided = of->options.filter != NULL ? of->options.user : NULL;
    // the world counts as the root: where a root is placed elsewhere, the center tells them apart
    const char *base = lb_model_link(of->model, task->base == LB_WORLD ? 0 : task->base)->name;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:o, s:o*, s:i, s:[f, f, f], s:f, s:f, s:i, s:i, s:o, s:i, "
        "s:o*}",
        "model", lb_model_name(of->model), "fingerprint", digits, "tip",
        lb_model_link(of->model, task->tip)->name, "base", base, "inverse", map->inverse,
        "avoidance", avoided != NULL ? describe_collision(avoided) : json_null(), "tool",
        describe_tool(&task->tool), "count", grid->count, "center", unsign(grid->center.x),
        unsign(grid->center.y), unsign(grid->center.z), "cell", grid->cell, "radius", grid->radius,
        "orientations", grid->orientations, "iterations", of->options.iterations, "fields",
        list_fields(map), "undecided", MAP_UNDECIDED, "part",
        map->parts == 1 ? NULL
                        : json_pack("[I, I]", (json_int_t)map->part + 1, (json_int_t)map->parts));
}

/* the description as text */
static lb_status set_description(map_file *map, json_t *description, lb_error *error)
{
    char *text = json_dumps(description, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    size_t length = text != NULL ? strlen(text) : 0;
    map->size = length + 1;
    map->description = text != NULL ? malloc(length + 2) : NULL;
    if (map->description != NULL)
        snprintf(map->description, length + 2, "%s\n", text);
    free(text);
    json_decref(description);
    return map->description != NULL ? LB_OK : error_out_of_memory(error);
}

lb_status map_file_start(map_file *map, const lb_reach_map *of, size_t part, size_t parts,
                         lb_error *error)
{
    const reach_contents *contents = reach_map_contents(of);
    const lb_reach_map_options *options = &contents->options;
    char digits[FINGERPRINT_SIZE];
    *map = (map_file){.grid = *lb_reach_map_grid(of),
                      .inverse = options->inverse,
                      .contents = options->contents,
                      .part = part,
                      .parts = parts};
    if (options->filter != NULL && options->filter != lb_collision_filter)
        return REFUSE_UNSUPPORTED(error,
                                  "the filter is not lb_collision_filter: nothing describes it");
    map_file_lay(map);
    TRY(identify(contents->model, digits, error));
    json_t *description = describe(contents, digits, map);
    if (description == NULL)
        return REFUSE_VALUE(error,
                            "the map cannot be described: the name of the model, the tip or the "
                            "base is not UTF-8, or memory has run out");
    return set_description(map, description, error);
}

void map_file_release(map_file *map)
{
    free(map->description);
    free(map->records);
    *map = (map_file){.records = NULL};
}

/* ---- reading -------------------------------------------------------------- */

/* which fields there are; false: one that is unknown, or none that says what is reached */
static bool parse_fields(const json_t *names, map_file *map)
{
    size_t i;
    const json_t *name;
    bool has_reached = false;
    json_array_foreach(names, i, name)
    {
        map_field f = 0;
        const char *text = json_string_value(name);
        while (f < MAP_FIELDS && (text == NULL || strcmp(text, map_field_name(f)) != 0))
            f++;
        if (f == MAP_FIELDS)
            return false;
        map->contents |= map_field_contents(f);
        has_reached = has_reached || f == MAP_REACHED;
    }
    return has_reached;
}

/* [I, N]; without them the whole */
static bool parse_part(const json_t *given, map_file *map)
{
    json_int_t part = 1, parts = 1;
    bool read = given == NULL || json_unpack((json_t *)given, "[I, I]", &part, &parts) == 0;
    map->part = (size_t)(part - 1);
    map->parts = (size_t)parts;
    return read && part >= 1 && part <= parts && parts <= UINT32_MAX;
}

bool map_file_parse(map_file *map)
{
    lb_reach_grid *grid = &map->grid;
    json_t *root = json_loadb(map->description, map->size, 0, NULL), *names = NULL, *part = NULL;
    int inverse = 0;
    bool read =
        json_unpack(root, "{s:b, s:i, s:[F, F, F], s:F, s:F, s:i, s:o, s?o}", "inverse", &inverse,
                    "count", &grid->count, "center", &grid->center.x, &grid->center.y,
                    &grid->center.z, "cell", &grid->cell, "radius", &grid->radius, "orientations",
                    &grid->orientations, "fields", &names, "part", &part) == 0 &&
        parse_fields(names, map) && parse_part(part, map);
    map->inverse = inverse != 0;
    json_decref(root);
    read = read && grid->count >= 1 && grid->count <= MOST_CELLS &&
           hopf_level(grid->orientations) >= 0 && grid->cell > 0;
    if (read)
        map_file_lay(map);
    return read;
}

lb_status map_file_make_whole(map_file *whole, const map_file *part, lb_error *error)
{
    json_t *description;
    *whole = *part;
    whole->part = 0;
    whole->parts = 1;
    whole->description = NULL;
    whole->records = NULL;
    if (part->parts == 1) {
        whole->description = malloc(part->size + 1);
        TRY(require_memory(error, whole->description));
        memcpy(whole->description, part->description, part->size);
        return LB_OK;
    }
    description = json_loadb(part->description, part->size, 0, NULL);
    json_object_del(description, "part");
    return set_description(whole, description, error);
}

/* ---- comparing ------------------------------------------------------------ */

/* adds the keys of either; there is one object in an object */
static void list_differences(json_t *own, json_t *others, const char *prefix, text_writer *names)
{
    const char *key;
    json_t *value;
    json_object_foreach(own, key, value)
    {
        json_t *other = json_object_get(others, key);
        if (json_equal(value, other))
            continue;
        if (json_is_object(value) && json_is_object(other))
            list_differences(value, other, "avoidance.", names);
        else
            text_write(names, "%s%s%s", names->length > 0 ? ", " : "", prefix, key);
    }
    json_object_foreach(others, key, value) if (json_object_get(own, key) == NULL)
        text_write(names, "%s%s%s", names->length > 0 ? ", " : "", prefix, key);
}

bool map_file_differs(const map_file *map, const map_file *other, char *names, size_t room)
{
    text_writer to = {names, room, 0};
    json_t *own = json_loadb(map->description, map->size, 0, NULL);
    json_t *others = json_loadb(other->description, other->size, 0, NULL);
    list_differences(own, others, "", &to);
    json_decref(own);
    json_decref(others);
    return to.length > 0;
}
