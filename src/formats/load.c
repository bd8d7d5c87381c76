/*
 * load.c - models from files, from memory and from the library itself.
 *
 * A format is one row of the table below: its name, its endings, how its content
 * begins and the function that parses it. What the parsed tree means is in mapping/;
 * a format that is no tree of elements has a reader of its own. So have scenes, SRDF and limits of
 * joints, which stand beside a model.
 */
#include <limber/formats/load.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/load.h"
#include "formats/mapping/mapping.h"
#include "formats/parse.h"
#include "formats/scan.h"

#include <errno.h>
#include <limber/formats/scene.h>
#include <limber/formats/srdf.h>
#include <string.h>
#include <sys/stat.h>

/* ---- formats ------------------------------------------------------------ */

/*
 * Reads a text by itself; as lb_load_memory_with_options, with options that are not NULL. `file` is
 * what the text is from, for formats that have others beside; NULL: from memory.
 */
typedef lb_status format_load(const char *name, const char *file, const char *text, size_t size,
                              const lb_load_options *options, lb_model **model, lb_error *error);

typedef struct format_row {
    lb_format format;
    const char *beginnings; /* any of these characters comes first, after blanks */
    format_parse *parse;    /* to a tree; NULL: */
    format_load *load;
} format_row;

static const format_row formats[] = {
    {{"urdf", "Unified Robot Description Format of ROS", "urdf xml"}, "<", xml_parse, NULL},
    {{"mjcf", "the model files of MuJoCo: kinematics and what it looks like", "mjcf"},
     "<",
     xml_parse,
     NULL},
    {{"json", "limber's own linkage format: joint trees and Denavit-Hartenberg tables", "json"},
     "{[",
     json_parse,
     NULL},
    {{"bvh", "Biovision's captures: the skeleton, and see formats/bvh.h for the motion", "bvh"},
     "Hh",
     NULL,
     bvh_load_model},
    {{"gltf", "figures with their nodes as joints, and see formats/gltf.h for animations",
      "gltf glb vrm vrma"},
     "g",
     NULL,
     gltf_load_model},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

int lb_format_count(void)
{
    return FORMAT_COUNT;
}

const lb_format *lb_format_at(int index)
{
    return index >= 0 && index < FORMAT_COUNT ? &formats[index].format : NULL;
}

/* true when `endings` has the word that `name` ends in after its last point, in any case */
static bool has_ending(const char *name, const char *endings)
{
    const char *ending = strrchr(name, '.');
    if (ending == NULL)
        return false;
    size_t length = strlen(++ending);
    while (*endings != '\0') {
        size_t word = strcspn(endings, " "), i = 0;
        while (i < word && i < length && (ending[i] | 0x20) == endings[i])
            i++;
        if (i == word && i == length)
            return true;
        endings += word + strspn(endings + word, " ");
    }
    return false;
}

/* by ending, else by content; NULL when neither is known */
static const format_row *find_format(const char *name, const char *text, size_t size)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (has_ending(name, formats[i].format.endings))
            return &formats[i];
    size_t content = text_blanks(text, size);
    char first = content < size ? text[content] : '\0';
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (first != '\0' && strchr(formats[i].beginnings, first) != NULL)
            return &formats[i];
    return NULL;
}

static lb_status refuse_format(lb_error *error)
{
    char known[LB_ERROR_MESSAGE_SIZE / 4] = "";
    for (int i = 0; i < FORMAT_COUNT; i++) {
        size_t used = strlen(known);
        text_format(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                    formats[i].format.name);
    }
    return REFUSE_UNSUPPORTED(error, "neither its ending nor its content is of a known format (%s)",
                              known);
}

/* ---- loading ------------------------------------------------------------ */

static lb_status refuse_argument(lb_model **model, lb_error *error)
{
    if (model != NULL)
        *model = NULL;
    error_begin(error, "");
    return REFUSE_ARGUMENT(error, "no name, no text or no place for the model");
}

/* A text and its meaning. */
typedef struct source_text {
    const char *name; /* for messages */
    const char *file; /* where it was read from; NULL: from memory */
    const char *text;
    size_t size;
} source_text;

static lb_status parse_and_build(format_parse *parse, const source_text *source,
                                 const lb_load_options *options, lb_model **model, lb_error *error)
{
    lb_document *document;
    MEMORY_POOL(memory, options->allocator);
    TRY(parse_text(parse, source->text, source->size, source->file, &memory, &document, error));
    return lb_document_model(document, source->name, options, model, error);
}

static lb_status load_text(const source_text *source, const lb_load_options *options,
                           lb_model **model, lb_error *error)
{
    if (text_blanks(source->text, source->size) == source->size)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0, "the file is empty");
    const format_row *row = find_format(source->name, source->text, source->size);
    if (row == NULL)
        return refuse_format(error);
    return row->load != NULL ? row->load(source->name, source->file, source->text, source->size,
                                         options, model, error)
                             : parse_and_build(row->parse, source, options, model, error);
}

static lb_status load_file(const char *path, const lb_load_options *options, lb_model **model,
                           lb_error *error)
{
    char *text;
    size_t size;
    MEMORY_POOL(memory, options->allocator);
    TRY(file_read(path, &memory, &text, &size, error));
    source_text source = {path, strcmp(path, "-") == 0 ? NULL : path, text, size};
    return load_text(&source, options, model, error);
}

/* whether something is there that can be, or should have been, read: no directory. Not by opening
 * it, as what is in a pipe can be read once. */
static bool is_file(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0)
        return errno != ENOENT && errno != ENOTDIR;
    return !S_ISDIR(there.st_mode);
}

/* a name that cannot be a path is that of a built-in model, written wrongly */
static lb_status refuse_name(const char *name, lb_error *error)
{
    suggest nearest = suggest_start(name);
    for (int i = 0; i < embedded_model_count; i++)
        suggest_consider(&nearest, embedded_models[i].name);
    return lb_error_set(error, LB_NOT_FOUND, 0,
                        "there is no such file and no such built-in model%s",
                        suggest_phrase(&nearest));
}

/* the built-in model that a path is called after, as "robots/panda.urdf"; NULL: none */
static const char *named_after(const char *path)
{
    const char *base = file_name(path);
    size_t length = strcspn(base, ".");
    for (int i = 0; i < embedded_model_count; i++) {
        const char *name = embedded_models[i].name;
        if (strlen(name) == length && strncmp(name, base, length) == 0)
            return name;
    }
    return NULL;
}

static lb_status load_named(const char *name, const lb_load_options *options, lb_model **model,
                            lb_error *error)
{
    // a file wins over a built-in model, a directory does not
    const lb_embedded *embedded = lb_embedded_find(name);
    if (embedded != NULL && !is_file(name)) {
        source_text source = {name, NULL, embedded->text, embedded->size};
        return parse_and_build(json_parse, &source, options, model, error);
    }
    bool is_path = strpbrk(name, "./\\") != NULL || strcmp(name, "-") == 0;
    if (embedded == NULL && !is_path && !is_file(name))
        return refuse_name(name, error);
    lb_status status = load_file(name, options, model, error);
    const char *meant = status == LB_FILE_ERROR && !is_file(name) ? named_after(name) : NULL;
    return meant == NULL ? status
                         : lb_error_set(error, status, 0,
                                        "there is no such file; the built-in model is '%s'", meant);
}

/* ---- loops beside a model ----------------------------------------------- */

/* JSON begins with a bracket, which in YAML hardly any file beside a model does */
static bool is_json(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0')
        i++;
    return i < size && text[i] == '{' && memchr(text, '"', size) != NULL;
}

static lb_status json_or_yaml_parse(const char *text, size_t size, const char *path,
                                    const lb_allocator *allocator, lb_document *document,
                                    lb_error *error)
{
    format_parse *parse = is_json(text, size) ? json_parse : yaml_parse;
    return parse(text, size, path, allocator, document, error);
}

/* what a file of loops, which was `found` unless it was named, makes of *model */
static lb_status close_loops(const char *path, bool found, const lb_load_options *options,
                             lb_model **model, lb_error *error)
{
    char *text;
    size_t size;
    lb_document *document;
    MEMORY_POOL(memory, options->allocator);
    error_begin(error, path);
    TRY(file_read_named(path, &memory, &text, &size, error));
    // a key of YAML's outermost mapping begins its line
    if (found && strncmp(text, "closed_loop:", 12) != 0 && strstr(text, "\nclosed_loop:") == NULL)
        return LB_OK;
    TRY(parse_text(json_or_yaml_parse, text, size, NULL, &memory, &document, error));
    return mapping_loops(document, path, options, model, error);
}

/* the loops that are named, or found beside the file of a URDF (NULL: it has none) */
static lb_status take_loops(const char *file, const lb_load_options *options, lb_model **model,
                            lb_error *error)
{
    char beside[4096];
    lb_status status = LB_OK;
    size_t length = file == NULL || !has_ending(file, "urdf") ? 0 : strlen(file);
    bool may_be_beside = options->loops == NULL && length > 0 && length < sizeof beside;
    if (may_be_beside)
        text_format(beside, sizeof beside, "%.*syaml", (int)length - 4, file);
    if (options->loops != NULL)
        status = close_loops(options->loops, false, options, model, error);
    else if (may_be_beside && file_is_regular(beside))
        status = close_loops(beside, true, options, model, error);
    if (status == LB_OK)
        return LB_OK;
    lb_model_release(*model);
    *model = NULL;
    return status;
}

lb_status lb_load_with_options(const char *name, const lb_load_options *options, lb_model **model,
                               lb_error *error)
{
    if (name == NULL || model == NULL)
        return refuse_argument(model, error);
    *model = NULL;
    error_begin(error, name);
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    TRY(load_named(name, &given, model, error));
    return take_loops(name, &given, model, error);
}

lb_status lb_load(const char *name, const lb_allocator *allocator, lb_model **model,
                  lb_error *error)
{
    lb_load_options options = {.allocator = allocator};
    return lb_load_with_options(name, &options, model, error);
}

lb_status lb_load_memory_with_options(const char *name, const char *text, size_t size,
                                      const lb_load_options *options, lb_model **model,
                                      lb_error *error)
{
    if (name == NULL || text == NULL || model == NULL)
        return refuse_argument(model, error);
    *model = NULL;
    error_begin(error, name);
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    source_text source = {name, NULL, text, size};
    TRY(load_text(&source, &given, model, error));
    return take_loops(NULL, &given, model, error);
}

lb_status lb_load_memory(const char *name, const char *text, size_t size,
                         const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    lb_load_options options = {.allocator = allocator};
    return lb_load_memory_with_options(name, text, size, &options, model, error);
}

/* ---- built-in models ---------------------------------------------------- */

int lb_embedded_count(void)
{
    return embedded_model_count;
}

const lb_embedded *lb_embedded_at(int index)
{
    return index >= 0 && index < embedded_model_count ? &embedded_models[index] : NULL;
}

const lb_embedded *lb_embedded_find(const char *name)
{
    for (int i = 0; i < embedded_model_count && name != NULL; i++)
        if (strcmp(embedded_models[i].name, name) == 0)
            return &embedded_models[i];
    return NULL;
}

/* ---- what stands beside a model: scenes and SRDF ------------------------ */

lb_status lb_scene_load(const char *path, const lb_load_options *options, lb_scene **scene,
                        lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE_TO_MAKE(scene, error, {path, "path"}));
    MEMORY_POOL(memory, given.allocator);
    TRY(parse_file(json_parse, path, &memory, &document, error));
    return lb_document_scene(document, path, &given, scene, error);
}

lb_status lb_srdf_load(const char *path, const lb_model *model, const lb_load_options *options,
                       lb_srdf **srdf, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE_TO_MAKE(srdf, error, {path, "path"}, {model, "model"}));
    MEMORY_POOL(memory, given.allocator);
    TRY(parse_file(xml_parse, path, &memory, &document, error));
    return lb_document_srdf(document, path, model, &given, srdf, error);
}

/* ---- limits of joints ----------------------------------------------------- */

lb_status lb_joint_limits_load_memory(const char *name, const char *text, size_t size,
                                      const lb_model *model, const lb_load_options *options,
                                      lb_joint_limit *limits, lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE(error, {name, "name"}, {text, "text"}, {model, "model"}, {limits, "limits"}));
    joint_limits_clear(model, limits);
    error_begin(error, name);
    MEMORY_POOL(memory, given.allocator);
    TRY(parse_text(json_or_yaml_parse, text, size, NULL, &memory, &document, error));
    return lb_document_joint_limits(document, name, model, &given, limits, error);
}

lb_status lb_joint_limits_load(const char *path, const lb_model *model,
                               const lb_load_options *options, lb_joint_limit *limits,
                               lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    lb_document *document;
    TRY(REQUIRE(error, {path, "path"}, {model, "model"}, {limits, "limits"}));
    joint_limits_clear(model, limits);
    MEMORY_POOL(memory, given.allocator);
    TRY(parse_file(json_or_yaml_parse, path, &memory, &document, error));
    return lb_document_joint_limits(document, path, model, &given, limits, error);
}
