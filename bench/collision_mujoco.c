/*
 * collision_mujoco.c - distances by MuJoCo's collision detection.
 *
 * MuJoCo reports contacts, not distances: a margin wide enough makes a contact of every pair, whose
 * distance is the contact's. Each shape is the geom of a free body; pairs are predefined.
 */
#include "bench/collision_peer.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_SIZE = 1 << 18 };

typedef struct peer {
    mjModel *model;
    mjData *data;
    int count;
} peer;

/* the geom of a shape: sizes are halves */
static int print_geom(char *text, size_t size, const lb_geometry *g, int i)
{
    static const char *const types[] = {"box", "cylinder", "capsule", "sphere"};
    double a = g->shape == LB_SHAPE_BOX ? g->size.x / 2 : g->size.x;
    double b = g->shape == LB_SHAPE_BOX ? g->size.y / 2 : g->size.z / 2;
    return snprintf(text, size,
                    "<body><freejoint/><geom name='g%d' type='%s' size='%.17g %.17g %.17g' "
                    "mass='1'/></body>\n",
                    i, types[g->shape], a, b, g->size.z / 2);
}

/* a model in MJCF; 0: it is too long */
static size_t print_model(char *text, const peer_shapes *shapes)
{
    size_t used = 0;
    used += (size_t)snprintf(text, TEXT_SIZE,
                             "<mujoco><size nconmax='2000' njmax='1' nstack='2000000'/>"
                             "<option collision='predefined'/><worldbody>\n");
    for (int i = 0; i < shapes->count && used < TEXT_SIZE; i++)
        used += (size_t)print_geom(text + used, TEXT_SIZE - used, &shapes->shapes[i], i);
    if (used < TEXT_SIZE)
        used += (size_t)snprintf(text + used, TEXT_SIZE - used, "</worldbody><contact>\n");
    for (int i = 0; i < shapes->pair_count && used < TEXT_SIZE; i++)
        used += (size_t)snprintf(text + used, TEXT_SIZE - used,
                                 "<pair geom1='g%d' geom2='g%d' margin='100' condim='1'/>\n",
                                 shapes->pairs[i].a, shapes->pairs[i].b);
    if (used < TEXT_SIZE)
        used += (size_t)snprintf(text + used, TEXT_SIZE - used, "</contact></mujoco>\n");
    return used < TEXT_SIZE ? used : 0;
}

/* MuJoCo reads files alone */
static mjModel *load(const char *text, size_t size)
{
    static mjVFS files;
    char error[512] = "";
    mj_defaultVFS(&files);
    if (mj_makeEmptyFileVFS(&files, "m.xml", (int)size) != 0)
        return NULL;
    for (size_t i = 0; i < size; i++)
        ((char *)files.filedata[0])[i] = text[i];
    mjModel *model = mj_loadXML("m.xml", &files, error, sizeof error);
    if (model == NULL)
        fprintf(stderr, "MuJoCo: %s\n", error);
    mj_deleteVFS(&files);
    return model;
}

static void *create(const peer_shapes *shapes)
{
    char *text = malloc(TEXT_SIZE);
    peer *made = calloc(1, sizeof *made);
    size_t size = text != NULL ? print_model(text, shapes) : 0;
    if (made != NULL && size > 0)
        made->model = load(text, size);
    free(text);
    if (made == NULL || made->model == NULL) {
        free(made);
        return NULL;
    }
    made->count = shapes->count;
    made->data = mj_makeData(made->model);
    return made;
}

static double least(void *data, const lb_transform *places)
{
    peer *p = data;
    for (int i = 0; i < p->count; i++) {
        const lb_transform *t = &places[i];
        mjtNum *position = p->data->geom_xpos + 3 * i, *axes = p->data->geom_xmat + 9 * i;
        const lb_vec3 *columns = &t->x;
        position[0] = t->p.x;
        position[1] = t->p.y;
        position[2] = t->p.z;
        for (int k = 0; k < 3; k++) {
            axes[k] = columns[k].x;
            axes[3 + k] = columns[k].y;
            axes[6 + k] = columns[k].z;
        }
    }
    mj_collision(p->model, p->data);
    double nearest = INFINITY;
    for (int i = 0; i < p->data->ncon; i++)
        nearest = fmin(nearest, p->data->contact[i].dist);
    return nearest;
}

static void release(void *data)
{
    peer *p = data;
    mj_deleteData(p->data);
    mj_deleteModel(p->model);
    free(p);
}

static const collision_peer mujoco_peer = {"MuJoCo", create, least, release};
const collision_peer *const collision_peer_mujoco = &mujoco_peer;
