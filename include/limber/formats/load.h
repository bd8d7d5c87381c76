/*
 * load.h - models from files, and the models built into the library.
 *
 * Stable. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_LOAD_H
#define LIMBER_FORMATS_LOAD_H

#include <limber/formats/document.h>
#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Loads a model from `name`: a file, whose ending or else content selects the format; "-", the
 * standard input; or the name of an embedded model. A file of that name takes precedence, a
 * directory does not. docs/format.md says what is read and refused.
 *
 * `allocator` (NULL: malloc) serves the file's text and the model, which keeps a copy of it;
 * release the model with lb_model_release. The parsers of XML and JSON take their own memory from
 * malloc and free it before this returns.
 *
 * On failure *model is NULL and *error (may be NULL) names file, line, thing and remedy; an unknown
 * name suggests the nearest.
 */
lb_status lb_load(const char *name, const lb_allocator *allocator, lb_model **model,
                  lb_error *error);

/*
 * As lb_load, from `size` bytes of text, which need no terminating zero and are not needed
 * afterwards. `name` stands for the file in messages, and its ending selects the format if it is a
 * known one.
 */
lb_status lb_load_memory(const char *name, const char *text, size_t size,
                         const lb_allocator *allocator, lb_model **model, lb_error *error);

/*
 * As lb_load and lb_load_memory with options (NULL: the defaults): a function that receives
 * warnings, strict reading. It warns of misspelt elements and attributes of URDF, of limits and
 * rotations that look like degrees but are read as radians, and of untidiness that was mended, as
 * docs/format.md lists it. A refused file may be warned of before.
 */
lb_status lb_load_with_options(const char *name, const lb_load_options *options, lb_model **model,
                               lb_error *error);
lb_status lb_load_memory_with_options(const char *name, const char *text, size_t size,
                                      const lb_load_options *options, lb_model **model,
                                      lb_error *error);

/* One embedded model, written by us from published parameters. */
typedef struct lb_embedded {
    const char *name;    /* The name by which lb_load finds it. */
    const char *summary; /* One line about it. */
    const char *source;  /* Source of the parameters. */
    const char *text;    /* The model as limber JSON. */
    size_t size;         /* Bytes of the text. */
} lb_embedded;

/* How many embedded models there are, one by its index and one by its name; NULL: none. */
int lb_embedded_count(void);
const lb_embedded *lb_embedded_at(int index);
const lb_embedded *lb_embedded_find(const char *name);

/* One file format that can be read. */
typedef struct lb_format {
    const char *name;    /* Its name: "urdf", "json" ... */
    const char *summary; /* One line about it. */
    const char *endings; /* Endings of its files, separated by spaces. */
} lb_format;

/* How many formats there are, and one by its index; NULL: none. */
int lb_format_count(void);
const lb_format *lb_format_at(int index);

#ifdef __cplusplus
}
#endif

#endif
