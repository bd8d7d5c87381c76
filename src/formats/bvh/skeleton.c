/*
 * skeleton.c - the model of a BVH file's hierarchy, and the clip of its frames.
 *
 * Every figure hangs from the link "world", so that several ROOTs are one tree.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/mapping/draft.h"
#include "motion/clip.h"

#include <stdlib.h>
#include <string.h>

/* ---- names that are unique ---------------------------------------------- */

/* A name that is wanted, and by which joint. */
typedef struct wanted_name {
    const char *name;
    int joint;
} wanted_name;

static int compare_wanted(const void *a, const void *b)
{
    const wanted_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->joint > y->joint) - (x->joint < y->joint);
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(a, ((const wanted_name *)b)->name);
}

static bool is_wanted(const wanted_name *wanted, int count, const char *name)
{
    return bsearch(name, wanted, (size_t)count, sizeof *wanted, compare_text) != NULL;
}

/* room for "_end", "_2147483648" and some underscores behind a name */
enum { SUFFIX = 32, UNDERSCORES = 8 };

/* the n-th of equal names gets its number, and underscores where that is taken, too */
static void number_name(const wanted_name *wanted, int count, char *name, int n)
{
    size_t size = strlen(name);
    text_format(name + size, SUFFIX - 4 - UNDERSCORES, "_%d", n);
    for (int i = 0; i < UNDERSCORES && is_wanted(wanted, count, name); i++)
        strcat(name, "_");
}

/* fills `wanted`, sorted; the names lie in bvh->unique_names */
static void collect_names(lb_bvh *bvh, wanted_name *wanted)
{
    char *at = bvh->unique_names;
    for (int i = 0; i < bvh->joint_count; i++) {
        bvh_joint *joint = &bvh->joints[i];
        size_t size = strlen(joint->name);
        memcpy(at, joint->name, size);
        memcpy(at + size, joint->is_end ? "_end" : "", joint->is_end ? 5 : 1);
        joint->unique = at;
        wanted[i] = (wanted_name){at, i};
        at += size + SUFFIX;
    }
    qsort(wanted, (size_t)bvh->joint_count, sizeof *wanted, compare_wanted);
}

static void warn_renamed(const bvh_joint *joint, load_warnings *warnings)
{
    if (!joint->is_end)
        warnings_add(warnings, joint->line, "joint '%.100s' is there twice; this one is '%.100s'",
                     joint->name, joint->unique);
}

/* the joints' names in the model; where two are equal the later ones are numbered */
static void make_unique(lb_bvh *bvh, wanted_name *wanted, load_warnings *warnings)
{
    int count = bvh->joint_count, first = 0;
    collect_names(bvh, wanted);
    // the first of equal names keeps its own; `wanted` stays sorted while the others change
    for (int i = 1; i <= count; i++) {
        if (i < count && strcmp(wanted[i].name, wanted[first].name) == 0)
            continue;
        for (int k = first + 1; k < i; k++) {
            bvh->joints[wanted[k].joint].renamed = k - first + 1;
            wanted[k].name = wanted[first].name;
        }
        first = i;
    }
    for (int i = 0; i < count; i++) {
        bvh_joint *joint = &bvh->joints[i];
        if (joint->renamed == 0)
            continue;
        number_name(wanted, count, joint->unique, joint->renamed);
        warn_renamed(joint, warnings);
    }
}

static lb_status name_joints(lb_bvh *bvh, load_warnings *warnings, lb_error *error)
{
    size_t size = 0, count = (size_t)bvh->joint_count;
    for (int i = 0; i < bvh->joint_count; i++)
        size += strlen(bvh->joints[i].name) + SUFFIX;
    bvh->unique_names = memory_take(&bvh->allocator, size, 1);
    MEMORY_POOL(memory, &bvh->pool.from);
    wanted_name *wanted = memory_take(&memory, count, sizeof *wanted);
    TRY(require_memory(error, bvh->unique_names && wanted));
    make_unique(bvh, wanted, warnings);
    return LB_OK;
}

/* ---- the model ---------------------------------------------------------- */

lb_transform bvh_root(lb_bvh_up up)
{
    lb_transform root = LB_TRANSFORM_IDENTITY;
    lb_vec3 x = root.x, y = root.y, z = root.z;
    // the axes of the file in the world; x up turns about y, y up about x
    if (up == LB_BVH_UP_X)
        root.x = z, root.z = lb_vec3_scale(x, -1);
    if (up == LB_BVH_UP_Y)
        root.y = z, root.z = lb_vec3_scale(y, -1);
    return root;
}

static void add_joint(lb_bvh *bvh, model_draft *draft, bvh_joint *joint, const char *world)
{
    lb_link *link = draft_link(draft, joint->line);
    lb_joint *made = draft_joint(draft, joint->line);
    lb_vec3 place = bvh_position(bvh, joint, NULL);
    link->name = made->name = made->child = joint->unique;
    made->parent = joint->parent < 0 ? world : bvh->joints[joint->parent].unique;
    made->kind = joint->kind = bvh_joint_kind(bvh, joint);
    bvh_joint_axes(bvh, joint, made);
    if (made->kind == LB_JOINT_FLOATING)
        memcpy(made->value, (double[]){place.x, place.y, place.z}, 3 * sizeof(double));
    else
        made->placement.p = place;
}

/* the root link's name: "world", with underscores where a joint is called so */
static void name_world(const lb_bvh *bvh, char *name)
{
    strcpy(name, "world");
    for (int i = 0, tries = 0; i < bvh->joint_count && tries < UNDERSCORES; i++)
        if (strcmp(bvh->joints[i].unique, name) == 0) {
            strcat(name, "_");
            i = -1;
            tries++;
        }
}

lb_status bvh_build_model(lb_bvh *bvh, load_warnings *warnings, lb_error *error)
{
    char world[8 + UNDERSCORES];
    TRY(name_joints(bvh, warnings, error));
    model_draft draft;
    MEMORY_POOL(memory, &bvh->pool.from);
    TRY(draft_create(&draft, bvh->joint_count + 1, bvh->joint_count, 0, &memory, error));
    name_world(bvh, world);
    draft_link(&draft, 0)->name = world;
    draft.source.name = bvh->joints[0].name;
    draft.source.root = bvh_root(bvh->info.up);
    for (int i = 0; i < bvh->joint_count; i++)
        add_joint(bvh, &draft, &bvh->joints[i], world);
    TRY(draft_build(&draft, &bvh->pool.from, &bvh->model, error));

    // the file is depth first as the model is, but siblings are found by name to be sure
    for (int i = 0; i < bvh->joint_count; i++)
        bvh->joints[i].q =
            lb_model_joint_q(bvh->model, lb_model_find_joint(bvh->model, bvh->joints[i].unique));
    return LB_OK;
}

/* ---- the clip ----------------------------------------------------------- */

/* What frames are filled from. */
typedef struct frame_source {
    const lb_bvh *bvh;
    bvh_turns turns;
} frame_source;

static bool fill_frame(void *user, int frame, double *time, double *q)
{
    const frame_source *source = user;
    *time = frame * source->bvh->frame_time;
    bvh_pose_all(source->bvh, &source->turns, lb_bvh_row(source->bvh, frame), q);
    return true;
}

lb_status bvh_build_clip(lb_bvh *bvh, lb_error *error)
{
    if (bvh->frames == 0)
        return LB_OK;
    frame_source source = {.bvh = bvh};
    MEMORY_POOL(memory, &bvh->pool.from);
    TRY(bvh_turns_create(bvh, &memory, &source.turns, error));
    TRY(lb_clip_generate(bvh->model, bvh->frames, fill_frame, &source, LB_INTERPOLATION_LINEAR,
                         &bvh->pool.from, &bvh->clip, error));
    if (!bvh->info.rest_frame)
        return LB_OK;
    bvh->tail = clip_tail(bvh->clip, bvh->info.rest_index + 1);
    return bvh->tail != NULL ? LB_OK : error_out_of_memory(error);
}
