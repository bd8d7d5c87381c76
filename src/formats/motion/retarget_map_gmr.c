/*
 * retarget_map_gmr.c - maps of GMR (General Motion Retargeting, its ik_configs).
 *
 * A table has for each link of the robot a bone, a weight of its position and one of its rotation,
 * an offset of the position and one of the rotation, w x y z: the robot's link is to have the
 * bone's axes (z up) times that rotation. The second table, where it is used, has the weights that
 * count in the end. A bone NAMEMod is the foot's place with the axes of its toes.
 *
 * There, scales are for people: of a capture whose figure is far smaller or larger than a person,
 * as many files of unknown units have, they are fitted to it. Bones are scaled one by one; here are
 * two scales, the root's, and for the rest that of the bones whose position counts most. Which
 * points of feet are held is not in the file: they are those of lb_retarget_map_find, where it
 * finds the figures.
 *
 * The rotations are for the axes that one tool gives to bones. Names of bones are the same in many
 * rigs and axes are not: where most bones of the source do not point as the robot's limbs do by
 * those rotations, pairs are aligned by their bones instead, and keep the weights of the file.
 */
#include "formats/motion/motion_json.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "motion/retarget/figure.h"

#include <limber/kinematics.h>
#include <string.h>

enum { NAME_ROOM = 128 };

/* weights there are relative, of some tens; here 1 is usual */
#define WEIGHT 0.01

/* One row of a table. */
typedef struct gmr_row {
    const char *bone;
    double position, rotation; /* weights */
    lb_vec3 offset;
    lb_quat turn;
} gmr_row;

static lb_status read_row(json_reader *reader, const tree_node *value, void *out)
{
    gmr_row *row = out;
    if (value->kind != LB_NODE_ARRAY || value->count != 5)
        return reader_refuse(reader, LB_BAD_VALUE,
                             "expected [bone, weight, weight, offset, rotation]");
    const tree_node *at = value->first;
    TRY(reader_step(reader, NULL, 0, reader_text, at, (void *)&row->bone));
    TRY(reader_step(reader, NULL, 1, reader_number, at = at->next, &row->position));
    TRY(reader_step(reader, NULL, 2, reader_number, at = at->next, &row->rotation));
    TRY(reader_step(reader, NULL, 3, reader_vec3, at = at->next, &row->offset));
    return reader_step(reader, NULL, 4, reader_rotation, at->next, &row->turn);
}

/* the link of a bone; of NAMEMod the toes of NAME, and the foot in *place */
static int find_bone(const lb_model *model, const char *name, int *place)
{
    static const char *const toes[] = {"Toe", "ToeBase"};
    char text[NAME_ROOM];
    size_t size = strlen(name);
    *place = lb_model_find_link(model, name);
    if (*place >= 0 || size < 7 || size >= NAME_ROOM || strcmp(name + size - 3, "Mod") != 0)
        return *place;
    text_format(text, sizeof text, "%.*s", (int)(size - 3), name);
    *place = lb_model_find_link(model, text);
    for (int i = 0; i < 2 && *place >= 0; i++) {
        // LeftFootMod: LeftToe
        text_format(text, sizeof text, "%.*s%s", (int)(size - 7), name, toes[i]);
        int toe = lb_model_find_link(model, text);
        if (toe >= 0)
            return toe;
    }
    return *place;
}

/* a link seen from one above it, all rotations at zero; the place of a floating joint is among its
   values */
static lb_transform seen_from(const lb_model *model, int link, int above)
{
    lb_transform at = LB_TRANSFORM_IDENTITY;
    for (int i = link; i > above; i = lb_model_parent(model, i)) {
        const lb_joint *joint = lb_model_joint(model, i - 1);
        const double *p = joint->value;
        if (joint->kind == LB_JOINT_FLOATING)
            at.p = lb_vec3_add(at.p, lb_vec3_make(p[0], p[1], p[2]));
        at = lb_transform_multiply(&joint->placement, &at);
    }
    return at;
}

/* where one link's frame is in another one below it */
static lb_vec3 place_in(const lb_model *model, int link, int of)
{
    lb_transform at = seen_from(model, link, of);
    lb_transform back = lb_transform_inverse(&at);
    return back.p;
}

static lb_status add_pair(map_reading *r, const char *link, const gmr_row *row)
{
    int place, target = lb_model_find_link(r->target, link);
    int bone = find_bone(r->source, row->bone, &place);
    if (target < 0)
        return reader_refuse(&r->reader, LB_BAD_MODEL, "the target has no link '%.60s'", link);
    if (bone < 0)
        return reader_refuse(&r->reader, LB_BAD_MODEL,
                             "the source has no bone '%.60s'; the map is for another rig",
                             row->bone);
    if (r->map->count == LB_RETARGET_PAIRS)
        return reader_refuse(&r->reader, LB_BAD_VALUE, "more than %d links", LB_RETARGET_PAIRS);
    lb_retarget_pair pair = lb_retarget_pair_make(LB_ROLE_COUNT, bone, target);
    pair.aligned = true;
    pair.rotation = row->turn;
    pair.position = WEIGHT * row->position;
    pair.orientation = WEIGHT * row->rotation;
    pair.source_point =
        lb_vec3_add(place_in(r->source, bone, place), lb_quat_rotate(row->turn, row->offset));
    r->map->pairs[r->map->count++] = pair;
    return LB_OK;
}

static lb_status read_table(json_reader *reader, const tree_node *value, void *out)
{
    map_reading *r = (map_reading *)reader;
    const char *root = out;
    // the root's pair comes first
    for (int first = 1; first >= 0; first--)
        for (const tree_node *link = value->first; link != NULL; link = link->next) {
            gmr_row row;
            if ((strcmp(link->name, root) == 0) != (first == 1))
                continue;
            TRY(reader_step(reader, link->name, 0, read_row, link, &row));
            TRY(add_pair(r, link->name, &row));
        }
    return r->map->count > 0 ? LB_OK
                             : reader_refuse(reader, LB_BAD_MODEL, "there are no links in it");
}

/* the scale of a bone, 0: none */
static lb_status read_scale(map_reading *r, const tree_node *scales, const char *bone,
                            double *scale)
{
    const tree_node *value = bone != NULL ? tree_member(scales, bone) : NULL;
    *scale = value != NULL && value->kind == LB_NODE_NUMBER ? value->number : 0;
    if (*scale >= 0 && isfinite(*scale))
        return LB_OK;
    return reader_refuse(&r->reader, LB_BAD_VALUE,
                         "the scale of '%s' in \"human_scale_table\" is %s", bone,
                         *scale < 0 ? "negative" : "not a finite number");
}

/* the bone of a table whose position weighs most */
static const char *heaviest_bone(const tree_node *table)
{
    const char *bone = NULL;
    double most = 0;
    for (const tree_node *row = table->first; row != NULL; row = row->next) {
        const tree_node *name = row->first, *weight = name != NULL ? name->next : NULL;
        if (weight == NULL || weight->kind != LB_NODE_NUMBER || !(weight->number > most))
            continue;
        most = weight->number;
        bone = name->text;
    }
    return bone;
}

/* the pair whose link of the target is the nearest below that of another one, and whose bone is
   below that one's; -1: none */
static int pair_below(const map_reading *r, int pair)
{
    const lb_retarget_pair *p = r->map->pairs;
    int best = -1;
    for (int i = 0; i < r->map->count; i++)
        if (p[i].target != p[pair].target && p[i].source != p[pair].source &&
            retarget_is_below(r->target, p[pair].target, p[i].target) &&
            retarget_is_below(r->source, p[pair].source, p[i].source) &&
            (best < 0 || p[i].target < p[best].target))
            best = i;
    return best;
}

/* bones point so far from the robot's limbs where the rotations are for other axes: cosine of 45
   degrees; those of the right axes are some degrees off, by joints that are not in line */
#define OTHER_AXES 0.7

/* whether the rotations of most limbs are for bones with other axes; the trunk's bones are short */
static bool has_other_axes(const map_reading *r)
{
    int fit = 0, misfit = 0;
    for (int i = 1; i < r->map->count; i++) {
        const lb_retarget_pair *p = &r->map->pairs[i];
        int next = pair_below(r, i);
        if (next < 0)
            continue;
        const lb_retarget_pair *below = &r->map->pairs[next];
        lb_vec3 bone = seen_from(r->source, below->source, p->source).p, none = {0, 0, 0};
        lb_vec3 limb = seen_from(r->target, below->target, p->target).p;
        limb = lb_vec3_normalize(lb_quat_rotate(p->rotation, limb), none);
        bool fits = lb_vec3_dot(lb_vec3_normalize(bone, none), limb) > OTHER_AXES;
        fit += fits, misfit += !fits;
    }
    return misfit > fit;
}

/* pairs of roles are aligned when they are used; what has none keeps its position */
static void realign(lb_retarget_map *map, const lb_retarget_map *found)
{
    map->realigned = true;
    for (int i = 0; i < map->count; i++) {
        lb_retarget_pair *pair = &map->pairs[i];
        int same = found->count - 1;
        while (same >= 0 && found->pairs[same].target != pair->target)
            same--;
        if (same < 0) {
            pair->orientation = 0;
            continue;
        }
        pair->role = found->pairs[same].role;
        pair->aligned = false;
    }
}

/* what the figures hold, by the links of the target */
static void take_held(map_reading *r)
{
    lb_retarget_map found;
    if (lb_retarget_map_find(r->source, NULL, r->target, r->allocator, &found, NULL) != LB_OK)
        return;
    if (has_other_axes(r))
        realign(r->map, &found);
    for (int i = 0; i < r->map->count; i++)
        for (int k = 0; k < found.count; k++) {
            lb_retarget_pair *pair = &r->map->pairs[i];
            const lb_retarget_pair *other = &found.pairs[k];
            if (pair->target != other->target || other->held_count == 0)
                continue;
            pair->held_count = other->held_count;
            memcpy(pair->held, other->held, sizeof pair->held);
            pair->axis = other->axis;
        }
    // which way the root goes
    if (r->map->count > 0 && found.pairs[0].target == r->map->pairs[0].target)
        r->map->pairs[0].axis = found.pairs[0].axis;
}

/* ---- scales --------------------------------------------------------------- */

/* hips to fingers or toes of a person of that height, metres; by more than this ratio a figure is
   no adult */
#define ADULT_CHAIN 1.15
#define ADULT_HEIGHT 1.75
#define ADULT_RATIO 1.4

/* the longest path of bones from a link on in the neutral pose, metres; links come after those they
   hang from */
static lb_status find_longest_chain(const map_reading *r, int from, double *longest)
{
    lb_state *state = NULL;
    memory_pool pool;
    lb_allocator memory = memory_pool_begin(&pool, r->allocator);
    size_t count = (size_t)lb_model_link_count(r->source);
    double *far = memory_take(&memory, count, sizeof *far);
    lb_state_create(r->source, &memory, &state);
    bool fine = !memory_pool_failed(&memory);
    const lb_transform *at = fine ? lb_state_transforms(state) : NULL;
    *longest = 0;
    for (int i = 0; fine && i < (int)count; i++) {
        int parent = lb_model_parent(r->source, i);
        bool below = parent >= 0 && far[parent] >= 0;
        far[i] = i == from ? 0 : -1;
        if (below)
            far[i] = far[parent] + lb_vec3_length(lb_vec3_sub(at[i].p, at[parent].p));
        *longest = fmax(*longest, far[i]);
    }
    memory_pool_end(&pool);
    return fine ? LB_OK : error_out_of_memory(r->reader.error);
}

/* what scales for a person of the file's height are to be multiplied by for the source */
static lb_status fit_scales(const map_reading *r, const tree_node *root, const char *bone,
                            double *fit)
{
    const tree_node *value = tree_member(root, "human_height_assumption");
    bool given = value != NULL && value->kind == LB_NODE_NUMBER && value->number > 0 &&
                 isfinite(value->number);
    int hips = bone != NULL ? lb_model_find_link(r->source, bone) : LB_NO_LINK;
    double chain = 0, wanted = ADULT_CHAIN * (given ? value->number / ADULT_HEIGHT : 1);
    lb_status status = hips >= 0 ? find_longest_chain(r, hips, &chain) : LB_OK;
    bool fits = chain < wanted * ADULT_RATIO && chain * ADULT_RATIO > wanted;
    *fit = fits || !(chain > 0) ? 1 : wanted / chain;
    return status;
}

static lb_status read_scales(map_reading *r, const tree_node *root, const tree_node *table)
{
    const tree_node *scales = tree_member(root, "human_scale_table");
    const tree_node *node = tree_member(root, "human_root_name");
    const char *bone = node != NULL ? node->text : NULL;
    lb_retarget_map *map = r->map;
    TRY(read_scale(r, scales, bone, &map->root_scale));
    TRY(read_scale(r, scales, heaviest_bone(table), &map->scale));
    double fit = 1;
    TRY(fit_scales(r, root, bone, &fit));
    map->rescaled = fit != 1 && map->root_scale + map->scale > 0;
    map->root_scale *= fit;
    map->scale *= fit;
    return LB_OK;
}

/* ---- all of it ------------------------------------------------------------ */

lb_status gmr_map_read(map_reading *r, const tree_node *root)
{
    const tree_node *link = tree_member(root, "robot_root_name");
    const tree_node *second = tree_member(root, "use_ik_match_table2");
    const char *key =
        second != NULL && second->kind == LB_NODE_TRUE ? "ik_match_table2" : "ik_match_table1";
    const tree_node *table = tree_member(root, key);
    if (link == NULL || link->kind != LB_NODE_STRING || table == NULL ||
        table->kind != LB_NODE_OBJECT)
        return reader_refuse(&r->reader, LB_BAD_MODEL, "\"robot_root_name\" or \"%s\" is missing",
                             key);
    char name[NAME_ROOM];
    text_format(name, sizeof name, "%s", link->text);
    TRY(reader_step(&r->reader, key, 0, read_table, table, name));
    TRY(read_scales(r, root, table));
    take_held(r);
    return LB_OK;
}
