/*
 * fuzz_document.c - trees of nodes as a program's own parser may hand them over, among them what no
 * parser of ours makes: nodes of wrong kinds, without names, never closed or closed too often,
 * numbers that are not finite, lines that are negative, any depth. Each is refused with a message,
 * or what is loaded stands what that of files does. Where an allocation fails, nothing is left.
 *
 * A test case is text. Its first line names the call, then numbers: 1 for strict reading; how the
 * root moves; which allocation fails, 0: none. Every other line is a node: its line in the file,
 * which may be left out, a letter for its kind, "=" and a name, a tab and a text or number:
 *
 *     model 0 0 0
 *     1o
 *     2n=limber<tab>1
 *     3c
 *
 * e element, a attribute, o object, l array, s string, n number, t true, f false, z null, c closes;
 * other letters are kinds that there are not. Behind a zero byte is the binary chunk of a glTF.
 */
#include "checks.h"
#include "fuzz.h"
#include "model.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { MOST_NODES = 2048, JOINTS = 16 };

/* ---- memory --------------------------------------------------------------- */

/* What is allocated, and how many allocations succeed from now on; negative: all. */
typedef struct memory {
    long blocks, left;
} memory;

static void *take_block(void *user, size_t size)
{
    memory *m = user;
    if (m->left == 0)
        return NULL;
    m->left -= m->left > 0;
    void *block = malloc(size);
    m->blocks += block != NULL;
    return block;
}

static void release_block(void *user, void *block)
{
    memory *m = user;
    m->blocks -= block != NULL;
    free(block);
}

/* ---- filling -------------------------------------------------------------- */

/* What a document has been given. */
typedef struct filling {
    lb_document *document;
    lb_node_kind open[MOST_NODES]; /* elements, objects and arrays, the innermost last */
    int depth;
    bool begun, failed;
    int lines[MOST_NODES];
    int count;
} filling;

static bool is_container(lb_node_kind kind)
{
    return kind == LB_NODE_ELEMENT || kind == LB_NODE_OBJECT || kind == LB_NODE_ARRAY;
}

/* what the header says of where a node may be */
static bool has_place(const filling *f, lb_node_kind kind, bool named)
{
    bool xml = kind == LB_NODE_ELEMENT || kind == LB_NODE_ATTRIBUTE;
    if ((int)kind < 0 || kind > LB_NODE_NULL)
        return false;
    if (!xml && is_container(kind) && f->depth == LB_DOCUMENT_DEPTH)
        return false;
    if (f->depth == 0)
        return !f->begun && kind != LB_NODE_ATTRIBUTE && named == xml;
    lb_node_kind parent = f->open[f->depth - 1];
    if (parent == LB_NODE_ELEMENT)
        return xml && named;
    return !xml && named == (parent == LB_NODE_OBJECT);
}

static lb_node_kind kind_of(char letter)
{
    static const char letters[] = "eaolsntfz";
    const char *at = letter == '\0' ? NULL : strchr(letters, letter);
    return at == NULL ? (lb_node_kind)(letter == 'X' ? INT_MIN : letter)
                      : (lb_node_kind)(at - letters);
}

/* digits that JSON has as well: what a parser hands over as the text of a number */
static bool is_plain_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '\0' && (text[0] != '0' || digits == 1);
}

static void add_node(filling *f, char letter, const char *name, const char *text, int line)
{
    lb_node_kind kind = kind_of(letter);
    bool fits = has_place(f, kind, name != NULL);
    double number = 0;
    if (kind == LB_NODE_NUMBER && text != NULL) {
        number = strtod(text, NULL);
        text = is_plain_number(text) ? text : NULL;
    }
    lb_status status = lb_document_add(f->document, kind, name, text, number, line);
    FUZZ_CHECK((status == LB_OK) == (fits && !f->failed));
    FUZZ_CHECK(status == LB_OK || status == LB_INVALID_ARGUMENT);
    f->lines[f->count++] = line;
    f->failed = status != LB_OK;
    f->begun = true;
    if (status == LB_OK && is_container(kind))
        f->open[f->depth++] = kind;
}

static void close_node(filling *f)
{
    lb_document_close(f->document);
    f->failed = f->failed || f->depth == 0;
    f->depth -= f->depth > 0;
}

/* one line of a test case, which is cut into its parts */
static void add_line(filling *f, char *text)
{
    int line = f->count + 1;
    if (isdigit((unsigned char)*text) || *text == '-') {
        long given = strtol(text, &text, 10);
        line = given > INT_MAX ? INT_MAX : given < INT_MIN ? INT_MIN : (int)given;
    }
    char letter = *text == '\0' ? 'z' : *text++;
    if (letter == 'c') {
        close_node(f);
        return;
    }
    char *rest = strchr(text, '\t');
    if (rest != NULL)
        *rest++ = '\0';
    add_node(f, letter, *text == '=' ? text + 1 : NULL, rest, line);
}

/* the next line of a text, which it is cut from; NULL at the end */
static char *take_line(char **text)
{
    char *line = *text;
    if (*line == '\0')
        return NULL;
    size_t length = strcspn(line, "\n");
    *text = line + length + (line[length] != '\0');
    line[length] = '\0';
    return line;
}

/* ---- loading -------------------------------------------------------------- */

/* What every loader is given. */
typedef struct loading {
    lb_document *document;
    lb_load_options options;
    const uint8_t *chunk;
    size_t chunk_size, size;
} loading;

static void check_warning(void *user, const lb_error *warning)
{
    FUZZ_CHECK(user != NULL && warning->status == LB_OK && strlen(warning->message) > 0);
}

static lb_status load_model(loading *l, lb_error *error)
{
    lb_model *model = NULL;
    lb_status status = lb_document_model(l->document, "file", &l->options, &model, error);
    FUZZ_CHECK((status == LB_OK) == (model != NULL));
    fuzz_use_model(model);
    return status;
}

static lb_status load_scene(loading *l, lb_error *error)
{
    lb_scene *scene = NULL;
    lb_status status = lb_document_scene(l->document, "file", &l->options, &scene, error);
    FUZZ_CHECK((status == LB_OK) == (scene != NULL));
    if (scene != NULL)
        fuzz_check_scene(scene, fuzz_robot());
    lb_scene_release(scene);
    return status;
}

static lb_status load_srdf(loading *l, lb_error *error)
{
    lb_srdf *srdf = NULL;
    lb_status status =
        lb_document_srdf(l->document, "file", fuzz_robot(), &l->options, &srdf, error);
    FUZZ_CHECK((status == LB_OK) == (srdf != NULL));
    if (srdf != NULL)
        fuzz_check_srdf(srdf, fuzz_robot());
    lb_srdf_release(srdf);
    return status;
}

static lb_status load_limits(loading *l, lb_error *error)
{
    lb_joint_limit limits[JOINTS];
    FUZZ_CHECK(lb_model_joint_count(fuzz_robot()) <= JOINTS);
    lb_status status =
        lb_document_joint_limits(l->document, "file", fuzz_robot(), &l->options, limits, error);
    fuzz_check_limits(limits, fuzz_robot());
    return status;
}

static lb_status load_contacts(loading *l, lb_error *error)
{
    lb_contacts *contacts = NULL;
    lb_status status = lb_contacts_load_document("file", l->document, fuzz_figure(),
                                                 l->options.allocator, &contacts, error);
    FUZZ_CHECK((status == LB_OK) == (contacts != NULL));
    if (contacts != NULL)
        fuzz_check_contacts(contacts, fuzz_figure());
    lb_contacts_release(contacts);
    return status;
}

static lb_status load_clip(loading *l, lb_error *error)
{
    lb_clip *clip = NULL;
    lb_status status = lb_clip_json_load_document("file", l->document, fuzz_figure(),
                                                  l->options.allocator, &clip, error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    if (clip != NULL)
        fuzz_check_clip(clip);
    lb_clip_release(clip);
    return status;
}

static lb_status load_map(loading *l, lb_error *error)
{
    static lb_retarget_map map;
    lb_status status = lb_retarget_map_load_document(
        "file", l->document, fuzz_figure(), fuzz_figure(), l->options.allocator, &map, error);
    if (status == LB_OK)
        fuzz_check_map(&map, fuzz_figure(), fuzz_figure());
    return status;
}

static lb_status load_gltf(loading *l, lb_error *error)
{
    lb_gltf *gltf = NULL;
    lb_gltf_options options = lb_gltf_options_default();
    lb_gltf_parts parts = {.chunk = l->chunk, .chunk_size = l->chunk_size};
    options.load = l->options;
    // its root never moves differently
    options.load.root = LB_ROOT_AS_READ;
    lb_status status = lb_gltf_load_document("file", l->document, l->chunk == NULL ? NULL : &parts,
                                             &options, &gltf, error);
    // it is the glTF's, or released
    l->document = NULL;
    FUZZ_CHECK((status == LB_OK) == (gltf != NULL));
    if (gltf != NULL)
        fuzz_check_gltf(gltf, l->size);
    lb_gltf_release(gltf);
    return status;
}

static const struct {
    const char *name;
    lb_status (*load)(loading *l, lb_error *error);
} loaders[] = {{"model", load_model},       {"scene", load_scene}, {"srdf", load_srdf},
               {"limits", load_limits},     {"clip", load_clip},   {"map", load_map},
               {"contacts", load_contacts}, {"gltf", load_gltf}};

/* ---- one test case -------------------------------------------------------- */

/* 0, or of a node that was given */
static bool is_line(const filling *f, int line)
{
    bool found = line == 0;
    for (int i = 0; i < f->count && !found; i++)
        found = f->lines[i] == line;
    return found;
}

static void check_loaded(const filling *f, const memory *m, lb_status status, const lb_error *error)
{
    FUZZ_CHECK(status == LB_OK || (error->status == status && strlen(error->message) > 0));
    FUZZ_CHECK(status == LB_OK || is_line(f, error->line));
    // the first failure of filling it, or a part of a tree
    bool complete = !f->failed && f->begun && f->depth == 0;
    FUZZ_CHECK(complete || status == LB_INVALID_ARGUMENT || status == LB_OUT_OF_MEMORY);
    FUZZ_CHECK(status != LB_OUT_OF_MEMORY || m->left == 0);
}

/* the call and its options, from the first line */
static int read_head(char *head, loading *l, memory *m)
{
    char name[16] = "";
    int strict = 0, root = 0, allocation = 0, which = 0;
    if (head != NULL)
        sscanf(head, "%15s %6d %6d %6d", name, &strict, &root, &allocation);
    enum { LOADERS = sizeof loaders / sizeof *loaders };
    while (which < LOADERS - 1 && strcmp(loaders[which].name, name) != 0)
        which++;
    l->options.strict = strict != 0;
    l->options.root = (lb_root)((unsigned)root % LB_ROOT_COUNT);
    m->left = allocation > 0 ? allocation - 1 : -1;
    return which;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static filling f;
    memory m = {.left = -1};
    const lb_allocator allocator = {take_block, release_block, &m};
    char *text = malloc(size + 1), *next = text, *line;
    memcpy(text, data, size);
    text[size] = '\0';
    const uint8_t *zero = memchr(data, 0, size);
    loading l = {.options = {.allocator = &allocator, .warn = check_warning, .user = &m},
                 .chunk = zero == NULL ? NULL : zero + 1,
                 .chunk_size = zero == NULL ? 0 : size - (size_t)(zero + 1 - data),
                 .size = size};
    f = (filling){.document = NULL};
    FUZZ_CHECK(lb_document_create(&allocator, &f.document) == LB_OK);
    memory during = m;
    int which = read_head(take_line(&next), &l, &during);
    while (f.count < MOST_NODES && (line = take_line(&next)) != NULL)
        add_line(&f, line);
    m.left = during.left;
    l.document = f.document;

    lb_error error = {.status = LB_OK};
    lb_status status = loaders[which].load(&l, &error);
    check_loaded(&f, &m, status, &error);
    lb_document_release(l.document);
    FUZZ_CHECK(m.blocks == 0);
    free(text);
    return 0;
}
