/*
 * bvh_text.h - what the tests of BVH share: texts written to memory, and a second reader.
 *
 * The second reader is the shortest one that does: fscanf's words, 4x4 matrices, libm. It shares
 * nothing with the library.
 */
#ifndef TEST_FORMATS_BVH_TEXT_H
#define TEST_FORMATS_BVH_TEXT_H

#include "grown.h"
#include "harness.h"

#include <limber/formats/bvh.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing to memory -------------------------------------------------- */

/* The text of a bvh with a clip's poses, NULL: its own. Release with free(). */
static inline grown bvh_written(const lb_bvh *bvh, const lb_clip *clip)
{
    grown to = {0};
    lb_error error = {0};
    assert_made(lb_bvh_write(bvh, clip, grown_add, &to, NULL, &error), error);
    return to;
}

/* The bvh in a text, which must be one. Release with lb_bvh_release. */
static inline lb_bvh *bvh_read(const char *text, const lb_bvh_options *options)
{
    lb_bvh *bvh = NULL;
    lb_error error = {0};
    if (lb_bvh_load_memory("text.bvh", text, strlen(text), options, &bvh, &error) != LB_OK)
        fail_msg("%d: %s\n%.400s", error.line, error.message, text);
    return bvh;
}

/* ---- a second reader ---------------------------------------------------- */

enum { PLAIN_JOINTS = 128, PLAIN_CHANNELS = 16 };

typedef struct plain_joint {
    int parent, count;
    double offset[3];
    char kinds[PLAIN_CHANNELS]; /* 'x' 'y' 'z': positions, 'X' 'Y' 'Z': rotations */
} plain_joint;

typedef struct plain_bvh {
    plain_joint joints[PLAIN_JOINTS];
    int count, channels, frames;
    double frame_time;
    double *rows;
} plain_bvh;

static inline void plain_channels(plain_joint *joint, FILE *file)
{
    char word[64];
    if (fscanf(file, "%d", &joint->count) != 1)
        joint->count = 0;
    for (int i = 0; i < joint->count && fscanf(file, "%63s", word) == 1; i++)
        joint->kinds[i] = word[1] == 'p' ? (char)(word[0] | 0x20) : word[0];
}

/* the words of a hierarchy up to "MOTION" */
static inline void plain_hierarchy(plain_bvh *p, FILE *file)
{
    char word[256];
    int open = -1;
    while (fscanf(file, "%255s", word) == 1 && strcmp(word, "MOTION") != 0) {
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0 || strcmp(word, "End") == 0) {
            p->joints[p->count] = (plain_joint){.parent = open};
            open = p->count++;
        } else if (strcmp(word, "}") == 0) {
            open = p->joints[open].parent;
        } else if (strcmp(word, "OFFSET") == 0) {
            double *o = p->joints[open].offset;
            assert_int_equal(fscanf(file, "%lf %lf %lf", o, o + 1, o + 2), 3);
        } else if (strcmp(word, "CHANNELS") == 0) {
            plain_channels(&p->joints[open], file);
            p->channels += p->joints[open].count;
        }
    }
}

/* Reads a file that is known to be in order. */
static inline plain_bvh plain_read(const char *path)
{
    plain_bvh p = {.count = 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    plain_hierarchy(&p, file);
    assert_int_equal(fscanf(file, " Frames: %d Frame Time: %lf", &p.frames, &p.frame_time), 2);
    p.rows = calloc((size_t)p.frames * (size_t)p.channels + 1, sizeof *p.rows);
    for (int i = 0; i < p.frames * p.channels; i++)
        assert_int_equal(fscanf(file, "%lf", &p.rows[i]), 1);
    fclose(file);
    return p;
}

typedef struct plain_matrix {
    double m[4][4];
} plain_matrix;

static inline plain_matrix plain_product(const plain_matrix *a, const plain_matrix *b)
{
    plain_matrix c = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a->m[i][k] * b->m[k][j];
    return c;
}

static inline plain_matrix plain_rotation(char axis, double degrees)
{
    double c = cos(degrees * acos(-1) / 180), s = sin(degrees * acos(-1) / 180);
    int i = axis == 'X' ? 1 : axis == 'Y' ? 2 : 0, j = (i + 1) % 3;
    plain_matrix r = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    r.m[i][i] = r.m[j][j] = c;
    r.m[i][j] = -s;
    r.m[j][i] = s;
    return r;
}

/* T_file_joint of all joints in a frame, in the file's units and axes. */
static inline void plain_forward(const plain_bvh *p, int frame, plain_matrix *places)
{
    const double *row = &p->rows[(size_t)frame * (size_t)p->channels];
    for (int i = 0; i < p->count; i++) {
        const plain_joint *joint = &p->joints[i];
        plain_matrix local = plain_rotation('X', 0);
        for (int k = 0; k < 3; k++)
            local.m[k][3] = joint->offset[k];
        for (int k = 0; k < joint->count; k++)
            if (joint->kinds[k] >= 'x')
                local.m[joint->kinds[k] - 'x'][3] = row[k];
        for (int k = 0; k < joint->count; k++) {
            plain_matrix turn = plain_rotation(joint->kinds[k], row[k]);
            if (joint->kinds[k] < 'x')
                local = plain_product(&local, &turn);
        }
        row += joint->count;
        places[i] = joint->parent < 0 ? local : plain_product(&places[joint->parent], &local);
    }
}

#endif
