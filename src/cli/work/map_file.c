/*
 * map_file.c - maps of what a tool reaches: what describes them, and what is known of them in
 * words.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/map_file.h"

#include "cli/options/models.h"
#include "cli/report/fingerprint.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "workspace/orientation.h"

#include <limber/formats/json.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* of a map that can be: lb_reach_map_create makes no larger one */
enum { MOST_CELLS = 1289 };

/* ---- descriptions --------------------------------------------------------- */

/* of the model as limber JSON: another model of the same name is another map */
static void identify(const lb_model *model, char digits[FINGERPRINT_SIZE])
{
    char *text = NULL;
    lb_json_write(model, NULL, &text, NULL);
    fingerprint_digits(fingerprint_add(FINGERPRINT_EMPTY, text, text != NULL ? strlen(text) : 0),
                       digits);
    free(text);
}

static json_t *list_fields(const map_file *map)
{
    json_t *names = json_array();
    for (map_field f = 0; f < MAP_FIELDS; f++)
        if (map->has[f])
            append_json(names, json_string(map_field_name(f)));
    return names;
}

static json_t *describe(const map_subject *subject, const map_file *map)
{
    const lb_model *model = subject->model;
    const lb_task *task = subject->task;
    const lb_reach_grid *grid = &map->grid;
    char digits[FINGERPRINT_SIZE];
    identify(model, digits);
    const char *base = task->base < 0 ? "world" : lb_model_link(model, task->base)->name;
    json_t *made = json_object();
    set_json(made, "model", json_string(lb_model_name(model)));
    set_json(made, "fingerprint", json_string(digits));
    set_json(made, "tip", json_string(lb_model_link(model, task->tip)->name));
    set_json(made, "base", json_string(base));
    set_json(made, "inverse", json_boolean(map->inverse));
    set_json(made, "avoidance",
             subject->avoidance != NULL ? json_incref(subject->avoidance) : json_null());
    set_json(made, "count", json_integer(grid->count));
    set_json(made, "center", json_vector(grid->center));
    set_json(made, "cell", json_finite(grid->cell));
    set_json(made, "radius", json_finite(grid->radius));
    set_json(made, "orientations", json_integer(grid->orientations));
    set_json(made, "iterations", json_integer(subject->options.iterations));
    set_json(made, "fields", list_fields(map));
    set_json(made, "undecided", json_integer(MAP_UNDECIDED));
    if (map->parts > 1)
        set_json(made, "part",
                 json_pack("[I, I]", (json_int_t)map->part + 1, (json_int_t)map->parts));
    return made;
}

/* ---- beginning ------------------------------------------------------------ */

/* the description as text, in place of the one before */
static void set_description(map_file *map, json_t *description)
{
    char *text = json_dumps(description, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    free(map->description);
    map->size = strlen(text) + 1;
    map->description = allocate_or_exit(map->size + 1, 1);
    snprintf(map->description, map->size + 1, "%s\n", text);
    free(text);
    json_decref(description);
}

map_file map_file_start(const map_subject *subject, const lb_reach_grid *grid, size_t part,
                        size_t parts)
{
    map_file made = {
        .grid = *grid, .inverse = subject->options.inverse, .part = part, .parts = parts};
    memcpy(made.has, subject->has, sizeof made.has);
    made.has[MAP_REACHED] = true;
    map_file_lay(&made);
    set_description(&made, describe(subject, &made));
    return made;
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
    json_array_foreach(names, i, name)
    {
        map_field f = 0;
        const char *text = json_string_value(name);
        while (f < MAP_FIELDS && (text == NULL || strcmp(text, map_field_name(f)) != 0))
            f++;
        if (f == MAP_FIELDS)
            return false;
        map->has[f] = true;
    }
    return map->has[MAP_REACHED];
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

void map_file_make_whole(map_file *map)
{
    if (map->parts == 1)
        return;
    json_t *description = json_loadb(map->description, map->size, 0, NULL);
    json_object_del(description, "part");
    set_description(map, description);
    map->part = 0;
    map->parts = 1;
}

/* the keys of either; there is one object in an object */
static void list_differences(json_t *own, json_t *others, const char *prefix, FILE *names)
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
            fprintf(names, "%s%s%s", ftell(names) > 0 ? ", " : "", prefix, key);
    }
    json_object_foreach(others, key, value) if (json_object_get(own, key) == NULL)
        fprintf(names, "%s%s%s", ftell(names) > 0 ? ", " : "", prefix, key);
}

char *map_file_differences(const map_file *a, const map_file *b)
{
    char *names = NULL;
    size_t size;
    FILE *stream = open_memstream(&names, &size);
    exit_if_out_of_memory(stream == NULL ? LB_OUT_OF_MEMORY : LB_OK);
    json_t *own = json_loadb(a->description, a->size, 0, NULL);
    json_t *others = json_loadb(b->description, b->size, 0, NULL);
    list_differences(own, others, "", stream);
    json_decref(own);
    json_decref(others);
    exit_if_out_of_memory(fclose(stream) != 0 ? LB_OUT_OF_MEMORY : LB_OK);
    return names;
}

/* ---- words ---------------------------------------------------------------- */

void map_file_count(const map_file *map, map_counts *counts)
{
    counts->cells += map->held;
    for (size_t i = map->first; i < map->first + map->held; i++) {
        if (!map_file_is_decided(map, i)) {
            counts->undecided++;
            continue;
        }
        double reached = map_file_value(map, i, MAP_REACHED);
        counts->questions += map->grid.orientations;
        counts->reached += reached;
        counts->reachable += reached > 0;
        counts->dexterous += reached == map->grid.orientations;
        counts->solutions += map_file_value(map, i, MAP_SOLUTIONS);
        double manipulability = map_file_value(map, i, MAP_MANIPULABILITY);
        double margin = map_file_value(map, i, MAP_LIMIT_MARGIN);
        if (manipulability > counts->manipulability)
            counts->manipulability = manipulability;
        if (margin > counts->limit_margin)
            counts->limit_margin = margin;
    }
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

void map_file_words(const map_file *map, const map_counts *counts, FILE *stream)
{
    double cell = map->grid.cell, volume = cell * cell * cell;
    fprintf(stream, "cells      %zu of %g m, %d orientations each, in a cube of %.3g m\n",
            counts->cells, cell, map->grid.orientations, map->grid.count * cell);
    fprintf(stream, "reached    %.2f %% of %.0f poses\n",
            percent(counts->reached, counts->questions), counts->questions);
    fprintf(stream, "reachable  %.4g m3 in some orientation, %.4g m3 in all\n",
            volume * (double)counts->reachable, volume * (double)counts->dexterous);
    if (map->has[MAP_SOLUTIONS])
        fprintf(stream, "solutions  %.0f, %.2f for a pose that is reached\n", counts->solutions,
                counts->reached > 0 ? counts->solutions / counts->reached : 0);
    if (map->has[MAP_MANIPULABILITY])
        fprintf(stream, "manipulability at most %.4g\n", counts->manipulability);
    if (map->has[MAP_LIMIT_MARGIN])
        fprintf(stream, "limits     at most %.0f %% of half a joint's range away\n",
                100 * counts->limit_margin);
    if (counts->undecided > 0)
        fprintf(stream, "undecided  %zu cells\n", counts->undecided);
}
