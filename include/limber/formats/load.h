/*
 * load.h - models from files, and the models built into the library.
 *
 * Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_LOAD_H
#define LIMBER_FORMATS_LOAD_H

#include <limber/formats/document.h>
#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Loads a model from `name`: a file, whose ending, or else its content, selects the
 * format; "-", the standard input; or the name of an embedded model. A file of
 * that name takes precedence, a directory does not. docs/format.md specifies what is read and
 * what is refused.
 *
 * `allocator` (NULL: malloc) serves the file's text and the model, which keeps a
 * copy of it; release the model with lb_model_release. The parsers of XML and
 * JSON take their own memory from malloc and free it before this returns.
 *
 * On failure *model is NULL and *error (may be NULL) names file, line, thing and
 * remedy; an unknown name suggests the nearest.
 */
lb_status lb_load(const char *name, const lb_allocator *allocator, lb_model **model,
                  lb_error *error);

/*
 * The same from `size` bytes of text, which need no terminating zero and are not
 * needed afterwards. `name` stands for the file in messages, and its ending selects
 * the format where it is a known one.
 */
lb_status lb_load_memory(const char *name, const char *text, size_t size,
                         const lb_allocator *allocator, lb_model **model, lb_error *error);

/*
 * The same with options (NULL: the defaults): a function that receives warnings, strict
 * reading. Warned of are elements and attributes of URDF that are misspelt, limits and
 * rotations that look like degrees where radians are read, and what is untidy and was
 * mended, as docs/format.md lists it. A refused file may be warned of before.
 */
lb_status lb_load_with_options(const char *name, const lb_load_options *options, lb_model **model,
                               lb_error *error);
lb_status lb_load_memory_with_options(const char *name, const char *text, size_t size,
                                      const lb_load_options *options, lb_model **model,
                                      lb_error *error);

/* One embedded model: written by us from published parameters. */
typedef struct lb_embedded {
    const char *name;
    const char *summary; /* one line */
    const char *source;  /* source of the parameters */
    const char *text;    /* the model as limber JSON */
    size_t size;
} lb_embedded;

int lb_embedded_count(void);
const lb_embedded *lb_embedded_at(int index);
const lb_embedded *lb_embedded_find(const char *name);

/* The file formats that can be read: "urdf", "json" ..., with what each is. */
typedef struct lb_format {
    const char *name;
    const char *summary;
    const char *endings; /* separated by spaces */
} lb_format;

int lb_format_count(void);
const lb_format *lb_format_at(int index);

#ifdef __cplusplus
}
#endif

#endif
