/*
 * describe_file.c - files that name no model of their own.
 *
 * Each kind fills a JSON object, which is printed as it is or as lines "name: value".
 */
#include "cli/report/describe.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "formats/motion/arrays.h"
#include "formats/scan.h"
#include "formats/zip.h"

#include <limber/formats/robot_csv.h>

#include <stdlib.h>
#include <string.h>

/* ---- tables -------------------------------------------------------------- */

/* rows that are not empty, and the fields of the first one */
static void count_fields(const char *text, size_t size, int *rows, int *columns)
{
    const char *end = text + size;
    *rows = *columns = 0;
    for (const char *at = text, *next; at < end; at = next) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        next = stop + 1;
        bool filled = false;
        for (const char *c = at; c < stop; c++)
            filled = filled || strchr(" \t\r,", *c) == NULL;
        if (filled && ++*rows == 1)
            for (const char *c = at; c <= stop; c++)
                *columns += c == stop || *c == ',';
    }
}

static lb_status describe_table(const char *text, size_t size, json_t *out, lb_error *error)
{
    lb_robot_csv kind = lb_robot_csv_recognise(text, size);
    int rows, columns;
    if (memchr(text, '\0', size) != NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            text_is_utf16(text, size) ? TEXT_IS_UTF16 : "this is not a text file");
    count_fields(text, size, &rows, &columns);
    if (columns == 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0, "the file is empty");
    bool headed = kind != LB_ROBOT_CSV_LAFAN1;
    bool robot = kind != LB_ROBOT_CSV_RECOGNISE;
    set_json(out, "kind", json_string(robot ? lb_robot_csv_text(kind) : "table with a header"));
    set_json(out, "rows", json_integer(rows - headed));
    set_json(out, "columns", json_integer(columns));
    // a robot's: the root's place and rotation, and of bones the frame's number
    if (robot)
        set_json(out, "joints", json_integer(columns - 7));
    return LB_OK;
}

/* ---- arrays -------------------------------------------------------------- */

static json_t *json_array_shape(const npy_array *array)
{
    json_t *shape = json_array();
    for (int i = 0; i < array->dimensions && i < NPY_DIMENSIONS; i++)
        append_json(shape, json_integer((json_int_t)array->shape[i]));
    return json_pack("{s:s, s:o}", "type", array->type, "shape", shape);
}

static lb_status describe_array(const char *text, size_t size, json_t *out, lb_error *error)
{
    npy_array array;
    TRY(npy_parse(text, size, &array, error));
    set_json(out, "kind", json_string("array of NumPy"));
    set_json(out, "array", json_array_shape(&array));
    return LB_OK;
}

/* one array of an archive */
static lb_status add_array(void *user, const zip_file *file, lb_error *error)
{
    npy_array array;
    json_t *out = user;
    lb_status status = npy_parse(file->bytes, file->size, &array, error);
    if (status != LB_OK)
        return lb_error_set(error, status, 0, "%.80s is no array that is read", file->name);
    char name[ZIP_NAME_SIZE];
    snprintf(name, sizeof name, "%s", file->name);
    char *ending = strrchr(name, '.');
    if (ending != NULL && strcmp(ending, ".npy") == 0)
        *ending = '\0';
    if (strcmp(name, "fps") == 0 && array.count == 1 && array.type[1] != 'U')
        set_json(out, "fps", json_real(npy_element(&array, 0)));
    else
        set_json(out, name, json_array_shape(&array));
    return LB_OK;
}

static lb_status describe_archive(const char *text, size_t size, json_t *out, lb_error *error)
{
    set_json(out, "kind", json_string("archive of NumPy"));
    return zip_read(text, size, NULL, add_array, out, error);
}

/* the arrays of GMR's pickles */
static lb_status describe_pickle(const char *text, size_t size, json_t *out, lb_error *error)
{
    static const char *const names[] = {"fps", "root_pos", "root_rot", "dof_pos"};
    MEMORY_POOL(memory, NULL);
    named_arrays set = {.names = names, .count = 4, .memory = memory};
    lb_status status = arrays_read(&set, text, size, error);
    set_json(out, "kind", json_string("pickle of GMR"));
    for (int i = 0; status == LB_OK && i < set.count; i++) {
        const npy_array *array = &set.arrays[i];
        bool number = array->count == 1 && array->type[1] != 'U';
        if (arrays_has(&set, i))
            set_json(out, names[i],
                     i == 0 && number ? json_real(npy_element(array, 0)) : json_array_shape(array));
    }
    return status;
}

/* ---- JSON ---------------------------------------------------------------- */

/* the numbers of an array that are at its ends, and how many there are */
static void describe_keys(const json_t *all, json_t *out)
{
    const json_t *times = json_object_get(all, "times");
    size_t count = json_array_size(times);
    set_json(out, "joints",
             json_integer((json_int_t)json_array_size(json_object_get(all, "joints"))));
    set_json(out, "keys", json_integer((json_int_t)json_array_size(json_object_get(all, "keys"))));
    if (count == 0)
        return;
    set_json(out, "begin", json_real(json_number_value(json_array_get(times, 0))));
    set_json(out, "end", json_real(json_number_value(json_array_get(times, count - 1))));
}

static void describe_spans(const json_t *all, json_t *out)
{
    const json_t *points = json_object_get(all, "points");
    size_t spans = 0;
    for (size_t i = 0; i < json_array_size(points); i++)
        spans += json_array_size(json_object_get(json_array_get(points, i), "spans"));
    set_json(out, "points", json_integer((json_int_t)json_array_size(points)));
    set_json(out, "spans", json_integer((json_int_t)spans));
}

/* how many there are: a list, of GMR's maps an object */
static void describe_pairs(const json_t *all, json_t *out)
{
    const json_t *pairs = json_object_get(all, "pairs");
    size_t links = json_object_size(json_object_get(all, "ik_match_table1"));
    set_json(out, "pairs", json_integer((json_int_t)(json_array_size(pairs) + links)));
}

static void describe_report(const json_t *all, json_t *out)
{
    static const char *const counts[] = {"frames", "contacts"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (json_is_integer(json_object_get(all, counts[i])))
            set_json(out, counts[i],
                     json_integer(json_integer_value(json_object_get(all, counts[i]))));
}

/* by the member that says what it is, with the array that it must have */
static const struct {
    const char *member, *kind, *array;
    void (*describe)(const json_t *all, json_t *out);
} documents[] = {{"limber_motion", "motion", "times", describe_keys},
                 {"limber_contacts", "contacts", "points", describe_spans},
                 {"limber_map", "map for retargeting", "pairs", describe_pairs},
                 {"ik_match_table1", "map for retargeting, of GMR", NULL, describe_pairs},
                 {"contacts_shortened", "report of limber retarget", NULL, describe_report}};

enum { DOCUMENTS = sizeof documents / sizeof *documents };

/* which of them a text is, DOCUMENTS: none; *all is to be released */
static size_t find_document(const char *text, size_t size, json_t **all)
{
    size_t found = 0;
    *all = json_loadb(text, size, 0, NULL);
    while (found < DOCUMENTS && json_object_get(*all, documents[found].member) == NULL)
        found++;
    return found;
}

static lb_status describe_as(size_t which, const json_t *all, json_t *out, lb_error *error)
{
    const json_t *model = json_object_get(all, "model");
    const char *array = documents[which].array;
    if (array != NULL && !json_is_array(json_object_get(all, array)))
        return REFUSE_MODEL(error, "%s need the array \"%s\"", documents[which].member, array);
    set_json(out, "kind", json_string(documents[which].kind));
    if (json_is_string(model))
        set_json(out, "model", json_string(json_string_value(model)));
    documents[which].describe(all, out);
    return LB_OK;
}

static lb_status describe_document(const char *text, size_t size, json_t *out, lb_error *error)
{
    json_t *all;
    size_t which = find_document(text, size, &all);
    bool empty = text_blanks(text, size) == size;
    lb_status status = which < DOCUMENTS
                           ? describe_as(which, all, out, error)
                           : lb_error_set(error, LB_SYNTAX_ERROR, 0,
                                          empty ? "the file is empty" : "the file was replaced");
    json_decref(all);
    return status;
}

/* whether a file is one of them: models are JSON, too */
static bool is_document(const char *path)
{
    char *text = NULL;
    size_t size;
    json_t *all;
    if (file_read(path, &program_memory, &text, &size, NULL) != LB_OK)
        return false;
    bool found = find_document(text, size, &all) < DOCUMENTS;
    json_decref(all);
    return found;
}

/* ---- any ---------------------------------------------------------------- */

typedef lb_status file_describe(const char *text, size_t size, json_t *out, lb_error *error);

static lb_status describe_poses(const char *text, size_t size, json_t *out, lb_error *error)
{
    bool array = size > 0 && (unsigned char)*text == NPY_FIRST_BYTE;
    return array ? describe_array(text, size, out, error) : describe_table(text, size, out, error);
}

/* how a file is described; NULL: it has a model */
static file_describe *find_describe(const char *path)
{
    static file_describe *const kinds[LB_MOTION_COUNT] = {
        [LB_MOTION_LAFAN1] = describe_table, [LB_MOTION_BONES] = describe_table,
        [LB_MOTION_POSES] = describe_poses,  [LB_MOTION_NPZ] = describe_archive,
        [LB_MOTION_PKL] = describe_pickle,   [LB_MOTION_JSON] = describe_document};
    lb_motion_kind kind = lb_motion_find(path);
    bool other = kind == LB_MOTION_UNKNOWN && file_is_regular(path) && is_document(path);
    return other ? describe_document : kinds[kind];
}

bool describe_file_is(const char *path)
{
    return find_describe(path) != NULL;
}

/* "rows: 60"; of an array its type and shape */
static void print_member(const char *name, const json_t *value, FILE *stream)
{
    const json_t *shape = json_object_get(value, "shape");
    print_foreign(stream, name, 0);
    fputs(": ", stream);
    if (json_is_string(value))
        print_foreign(stream, json_string_value(value), 0);
    else if (json_is_number(value))
        fprintf(stream, "%g", json_number_value(value));
    else
        fprintf(stream, "%s", json_string_value(json_object_get(value, "type")));
    for (size_t i = 0; i < json_array_size(shape); i++)
        fprintf(stream, "%s %lld", i == 0 ? "," : " x",
                (long long)json_integer_value(json_array_get(shape, i)));
    fputc('\n', stream);
}

void describe_file(const char *path, bool as_json, FILE *stream)
{
    char *text = NULL;
    size_t size;
    lb_error error = {0};
    json_t *out = json_object();
    require(file_read(path, &program_memory, &text, &size, why()));
    if (find_describe(path)(text, size, out, &error) != LB_OK) {
        snprintf(error.path, sizeof error.path, "%s", path);
        refuse_error(&error);
    }
    void *at = as_json ? NULL : json_object_iter(out);
    for (; at != NULL; at = json_object_iter_next(out, at))
        print_member(json_object_iter_key(at), json_object_iter_value(at), stream);
    if (as_json)
        print_json(out, JSON_COMPACT, stream);
    else
        json_decref(out);
}
