/*
 * build.h - the steps from a source to a model, in the order they run.
 *
 * build.c runs them. Each step refuses errors by name, so that the next may rely on it.
 */
#ifndef MODEL_BUILD_H
#define MODEL_BUILD_H

#include "model/layout.h"

/* What the steps share: the source, the model being built, and the maps between the two. */
typedef struct builder {
    const lb_model_source *source;
    lb_error *error;
    lb_model *model;

    /* of source joints: the source links at their ends */
    int *parent_link, *child_link;
    /* of source links: the source joint above (-1: root); lists of the links below */
    int *joint_above, *first_child, *next_sibling;
    /* of model links: the source link; of source links: the model link */
    int *link_source, *link_place;
    /* memory for one path along joints */
    int *path;
    name_table loop_names;
} builder;

/* The source line of a source joint, and of a source link; 0 when unknown. */
int source_line(const lb_model_source *source, int joint);
int source_link_line(const lb_model_source *source, int link);
/* The same for a joint of the model. */
int builder_line(const builder *b, int joint);
/* The source joint that became a joint of the model. */
int builder_joint_source(const builder *b, int joint);

/* 1. check.c: every name is given and every number is valid on its own. */
lb_status check_source(const lb_model_source *source, lb_error *error);

/* 2. order.c: names are unique, joints make one tree; fills all arrays of the builder. */
lb_status order_links(builder *b);

/* 3. copy.c: links, joints and texts into the model, numbers made exact. */
void copy_source(builder *b);

/* 4. mimic.c: chains of mimic joints end at the mimicked joint, whose limits they narrow. */
lb_status mimic_resolve(builder *b);

/* 5. loop.c: loops have two ends that exist. Checked on their own with the source. */
lb_status loop_check_all(const lb_model_source *source, lb_error *error);
size_t loop_text_size(const lb_loop *loop);
void loop_copy_all(builder *b, char **text);
lb_status loop_resolve(builder *b);

/* 6. compile.c: parts, elements and fixes. */
void compile_model(lb_model *model);

#endif
