/*
 * document.h - a model from the elements that any parser hands over.
 *
 * The meaning of an element of URDF or a member of limber JSON is written once, over a tree of
 * named nodes. lb_load fills that tree with libxml2 or jansson; a program with a parser of its own,
 * such as a browser, fills it with the calls below and gets the same messages, warnings and line
 * numbers.
 *
 *     lb_document *document;
 *     lb_document_create(NULL, &document);
 *     lb_document_add(document, LB_NODE_ELEMENT, "robot", NULL, 0, 1);
 *     lb_document_add(document, LB_NODE_ATTRIBUTE, "name", "arm", 0, 1);
 *     ...
 *     lb_document_close(document);
 *     lb_document_model(document, "arm.urdf", NULL, &model, &error);
 *     lb_document_release(document);
 *
 * Nothing here needs a parser, a stream or a locale.
 *
 * Stable.
 */
#ifndef LIMBER_FORMATS_DOCUMENT_H
#define LIMBER_FORMATS_DOCUMENT_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Receives a warning: input that can be read but looks like a mistake, or that is untidy and was
 * mended. It names file, line, thing and assumption as an error does; its status is LB_OK. The
 * warning is gone after the call.
 */
typedef void lb_load_warn(void *user, const lb_error *warning);

/* How the root of a loaded model moves: name, text. See lb_model_with_root. */
#define LB_ROOT_LIST(X)                                                                            \
    X(LB_ROOT_AS_READ, "as read") /* as the file has it */                                         \
    X(LB_ROOT_FIXED, "fixed")                                                                      \
    X(LB_ROOT_PLANAR, "planar")                                                                    \
    X(LB_ROOT_FLOATING, "floating")

typedef enum lb_root {
#define LB_ROOT_ENUM(name, text) name,
    LB_ROOT_LIST(LB_ROOT_ENUM)
#undef LB_ROOT_ENUM
        LB_ROOT_COUNT
} lb_root;

/* The text of a root, never NULL. */
const char *lb_root_text(lb_root root);

/* How a model is loaded. All zeros are the defaults. */
typedef struct lb_load_options {
    const lb_allocator *allocator; /* Source of memory. Absent: the C library's (the default). */
    lb_load_warn *warn;            /* Receives warnings. Absent: they are dropped (the default). */
    void *user;                    /* Passed to warn. */
    bool strict;  /* Refuse with the text of the first warning, if there is one. Default: false. */
    lb_root root; /* How the root moves; a capture's root is never changed. Default: as read. */
    /* YAML file of loops beside the model, read by lb_load and lb_load_memory alone. Absent: of a
       file NAME.urdf, NAME.yaml if it is there and has the key closed_loop (the default). */
    const char *loops;
} lb_load_options;

lb_load_options lb_load_options_default(void);

/* Kinds of nodes. Elements and attributes are XML's, all others JSON's. */
typedef enum lb_node_kind {
    LB_NODE_ELEMENT,   /* Name as written, with its prefix: "xacro:if". */
    LB_NODE_ATTRIBUTE, /* Of the open element: name and text, entities replaced. */
    LB_NODE_OBJECT,
    LB_NODE_ARRAY,
    LB_NODE_STRING, /* Text. */
    LB_NODE_NUMBER, /* Number; text, if not NULL, is how the file has it, "1.0". */
    LB_NODE_TRUE,
    LB_NODE_FALSE,
    LB_NODE_NULL
} lb_node_kind;

/* How deeply objects and arrays may be nested. */
enum { LB_DOCUMENT_DEPTH = 64 };

/* A tree of nodes, filled and then read. It copies all text that it is given. */
typedef struct lb_document lb_document;

/*
 * Creates an empty document. LB_OUT_OF_MEMORY leaves *document NULL. Release with
 * lb_document_release.
 */
lb_status lb_document_create(const lb_allocator *allocator, lb_document **document);
/* NULL is accepted. */
void lb_document_release(lb_document *document);

/*
 * Adds a node to the innermost open one. `name` is that of an element or attribute, or the key of
 * an object's member; NULL elsewhere. `line` counts from 1, 0: unknown. An element, object or array
 * stays open until lb_document_close.
 *
 * Returns LB_OUT_OF_MEMORY, or LB_INVALID_ARGUMENT if the node has no place: a second root, a child
 * of a node that has none, a member without a key, an object or array within LB_DOCUMENT_DEPTH
 * others, an unknown kind. lb_document_model and all other readers of a document return the first
 * such failure again, so a parser need not look at each. Numbers that are not finite are refused
 * when they are read.
 */
lb_status lb_document_add(lb_document *document, lb_node_kind kind, const char *name,
                          const char *text, double number, int line);
void lb_document_close(lb_document *document);

/*
 * Builds the model that the tree describes. Its root selects the format: <robot> is URDF, <mujoco>
 * is MJCF, an object is limber JSON. `path` stands for the file in errors and warnings. `options`
 * may be NULL. On failure *model is NULL and *error (may be NULL) names line, thing and remedy.
 */
lb_status lb_document_model(const lb_document *document, const char *path,
                            const lb_load_options *options, lb_model **model, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
