/* support.c - random trees, the oracle of frames, the failing allocator. */
#include "support.h"

#include "bench/oracle.h"

/* ---- asserting ---------------------------------------------------------- */

static unsigned long long current_seed;

lb_random test_seed(uint64_t seed)
{
    current_seed = seed;
    return lb_random_seed(seed);
}

void test_assert_near(double actual, double expected, double tolerance, const char *what,
                      const char *file, int line)
{
    if (fabs(actual - expected) <= tolerance || actual == expected)
        return;
    print_error("%s is %.17g, not %.17g to %g (off by %g; seed %llu)\n", what, actual, expected,
                tolerance, fabs(actual - expected), current_seed);
    _fail(file, line);
}

void test_assert_transform_near(const lb_transform *actual, const lb_transform *expected,
                                double tolerance, const char *what, const char *file, int line)
{
    const double a[] = {actual->x.x, actual->x.y, actual->x.z, actual->y.x,
                        actual->y.y, actual->y.z, actual->z.x, actual->z.y,
                        actual->z.z, actual->p.x, actual->p.y, actual->p.z};
    const double e[] = {expected->x.x, expected->x.y, expected->x.z, expected->y.x,
                        expected->y.y, expected->y.z, expected->z.x, expected->z.y,
                        expected->z.z, expected->p.x, expected->p.y, expected->p.z};
    for (int i = 0; i < 12; i++) {
        char label[128];
        snprintf(label, sizeof label, "%.80s, %c.%c", what, "xyzp"[i / 3], "xyz"[i % 3]);
        test_assert_near(a[i], e[i], tolerance, label, file, line);
    }
}

lb_model *test_build(const lb_model_source *source)
{
    lb_model *model = NULL;
    lb_error error = {0};
    if (lb_model_build(source, NULL, &model, &error) != LB_OK)
        fail_msg("%s (seed %llu)", error.message, current_seed);
    return model;
}

lb_model *test_make(const char *name, const lb_link *links, int link_count, const lb_joint *joints,
                    int joint_count)
{
    owned lb_link *bare = calloc((size_t)joint_count + 1, sizeof *bare);
    for (int i = 0; links == NULL && i <= joint_count; i++) {
        bare[i] = lb_link_default();
        bare[i].name = i == 0 ? joints[0].parent : joints[i - 1].child;
    }
    return test_build(&(lb_model_source){.name = name,
                                         .root = LB_TRANSFORM_IDENTITY,
                                         .links = links == NULL ? bare : links,
                                         .link_count = links == NULL ? joint_count + 1 : link_count,
                                         .joints = joints,
                                         .joint_count = joint_count});
}

lb_model *test_with_root(const lb_model *model, lb_joint_kind root)
{
    lb_model *made = NULL;
    lb_error error = {0};
    if (lb_model_with_root(model, root, NULL, &made, &error) != LB_OK)
        fail_msg("%s (seed %llu)", error.message, current_seed);
    return made;
}

lb_model *test_with_links(const lb_model *model, const lb_link *links)
{
    int count = lb_model_joint_count(model);
    owned lb_joint *joints = calloc((size_t)count + 1, sizeof *joints);
    assert_non_null(joints);
    for (int i = 0; i < count; i++)
        joints[i] = *lb_model_joint(model, i);
    lb_model *made = test_build(&(lb_model_source){.name = lb_model_name(model),
                                                   .root = lb_model_root(model),
                                                   .links = links,
                                                   .link_count = lb_model_link_count(model),
                                                   .joints = joints,
                                                   .joint_count = count});
    return made;
}

lb_model *test_single_joint(const lb_joint *given)
{
    lb_link links[2] = {lb_link_default(), lb_link_default()};
    lb_joint joint = *given;
    links[0].name = joint.parent = "base";
    links[1].name = joint.child = "body";
    joint.name = "joint";
    return test_make("single", links, 2, &joint, 1);
}

lb_model *test_single(lb_joint_kind kind)
{
    lb_joint joint = lb_joint_default();
    joint.kind = kind;
    return test_single_joint(&joint);
}

lb_joint test_joint(lb_joint_kind kind, lb_vec3 place, lb_vec3 axis)
{
    lb_joint joint = lb_joint_default();
    joint.kind = kind;
    joint.placement.p = place;
    joint.axis = axis;
    return joint;
}

lb_model *test_chain(const lb_transform *root, const lb_joint *joints, int count)
{
    enum { MOST = 16 };
    char names[2][MOST + 1][4];
    lb_link links[MOST + 1];
    lb_joint named[MOST];
    assert_true(count <= MOST);
    for (int i = 0; i <= count; i++) {
        snprintf(names[0][i], sizeof names[0][i], "l%d", i);
        snprintf(names[1][i], sizeof names[1][i], "j%d", i);
        links[i] = lb_link_default();
        links[i].name = names[0][i];
    }
    for (int i = 0; i < count; i++) {
        named[i] = joints[i];
        named[i].name = names[1][i];
        named[i].parent = names[0][i];
        named[i].child = names[0][i + 1];
    }
    return test_build(&(lb_model_source){.name = "chain",
                                         .root = *root,
                                         .links = links,
                                         .link_count = count + 1,
                                         .joints = named,
                                         .joint_count = count});
}

lb_ik *test_solver(const lb_model *model, const lb_task *tasks, int n, const lb_ik_options *options)
{
    lb_ik *ik = NULL;
    lb_error error = {0};
    assert_made(lb_ik_create(model, tasks, n, options, NULL, &ik, &error), error);
    return ik;
}

lb_state *test_state(const lb_model *model)
{
    lb_state *state = NULL;
    assert_int_equal(lb_state_create(model, NULL, &state), LB_OK);
    return state;
}

lb_body *test_body(const lb_model *model, const lb_body_task *tasks, int n,
                   const lb_body_options *options)
{
    lb_body *body = NULL;
    lb_error error = {0};
    lb_body_options descent = lb_body_options_default();
    descent.restarts = 0;
    options = options == NULL ? &descent : options;
    if (lb_body_create(model, tasks, n, options, NULL, &body, &error) != LB_OK)
        fail_msg("%s (seed %llu)", error.message, current_seed);
    return body;
}

lb_clip *test_clip(const lb_model *model, const double *times, const double *keys, int count,
                   lb_interpolation how)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (lb_clip_create(model, times, keys, count, how, NULL, &clip, &error) != LB_OK)
        fail_msg("%s (seed %llu)", error.message, current_seed);
    return clip;
}

static lb_clip *generate_clip(const lb_model *model, int count, lb_clip_fill *fill, void *user,
                              lb_interpolation how)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (lb_clip_generate(model, count, fill, user, how, NULL, &clip, &error) != LB_OK)
        fail_msg("%s (seed %llu)", error.message, current_seed);
    return clip;
}

lb_clip *test_clip_generate(const lb_model *model, int count, lb_clip_fill *fill, void *user)
{
    return generate_clip(model, count, fill, user, LB_INTERPOLATION_LINEAR);
}

/* ---- random things ------------------------------------------------------ */

int test_random_index(lb_random *random, int count)
{
    return (int)((double)count * lb_random_unit(random));
}

bool test_random_chance(lb_random *random, double chance)
{
    return lb_random_unit(random) < chance;
}

void test_corner(const lb_model *model, int joints, int k, lb_random *random, double *q)
{
    const int one = k % joints, other = (k + 1 + k / joints % (joints - 1)) % joints;
    lb_configuration_random(model, random, q);
    q[lb_model_joint_q(model, one)] = lb_model_joint(model, one)->lower[0];
    q[lb_model_joint_q(model, other)] = lb_model_joint(model, other)->upper[0];
}

lb_vec3 test_random_direction(lb_random *random)
{
    // of points in a cube those in the ball are equal in all directions
    for (;;) {
        lb_vec3 v;
        v.x = lb_random_between(random, -1, 1);
        v.y = lb_random_between(random, -1, 1);
        v.z = lb_random_between(random, -1, 1);
        double length = lb_vec3_length(v);
        if (length > 0.1 && length < 1)
            return lb_vec3_scale(v, 1 / length);
    }
}

lb_quat test_random_quat(lb_random *random)
{
    // K. Shoemake, "Uniform Random Rotations", Graphics Gems III, 1992
    double u = lb_random_unit(random);
    double a = lb_random_between(random, -LB_PI, LB_PI);
    double b = lb_random_between(random, -LB_PI, LB_PI);
    double p = sqrt(1 - u), r = sqrt(u);
    return (lb_quat){r * lb_cos(b), p * lb_sin(a), p * lb_cos(a), r * lb_sin(b)};
}

static lb_vec3 random_point(lb_random *random)
{
    lb_vec3 p;
    p.x = lb_random_between(random, -1, 1);
    p.y = lb_random_between(random, -1, 1);
    p.z = lb_random_between(random, -1, 1);
    return p;
}

lb_transform test_random_transform(lb_random *random)
{
    lb_quat rotation = test_random_quat(random);
    return lb_transform_from_quat(rotation, random_point(random));
}

unsigned test_random_axes(lb_random *random)
{
    return 1 + (unsigned)test_random_index(random, 6);
}

void test_move_freely(const lb_task *task, double most, lb_random *random, lb_transform *target)
{
    const lb_vec3 axes[] = {target->x, target->y, target->z};
    for (int k = 0; k < 3; k++)
        if (task->free_position >> k & 1)
            target->p = lb_vec3_add(target->p,
                                    lb_vec3_scale(axes[k], lb_random_between(random, -most, most)));
}

typedef struct random_keys {
    const lb_model *model;
    const double *times;
    lb_random *random;
} random_keys;

static bool fill_random(void *user, int key, double *time, double *q)
{
    const random_keys *keys = user;
    *time = keys->times != NULL ? keys->times[key] : 0.1 * key;
    lb_configuration_random(keys->model, keys->random, q);
    return true;
}

lb_clip *test_random_clip(const lb_model *model, int count, lb_random *random)
{
    random_keys keys = {model, NULL, random};
    return generate_clip(model, count, fill_random, &keys, LB_INTERPOLATION_LINEAR);
}

lb_clip *test_random_clip_at(const lb_model *model, const double *times, int count,
                             lb_interpolation how, lb_random *random)
{
    random_keys keys = {model, times, random};
    return generate_clip(model, count, fill_random, &keys, how);
}

/* ---- random trees ------------------------------------------------------- */

enum { NAME_SIZE = 16 };

test_tree test_tree_default(void)
{
    test_tree tree = {
        .joints = 8,
        .kinds = TEST_ALL_KINDS,
        .branching = 0.3,
        .mimic = 0.1,
        .locked = 0.1,
        .limited = 0.5,
        .off_neutral = 0.5,
    };
    return tree;
}

static lb_joint_kind random_kind(unsigned kinds, lb_random *random)
{
    for (;;) {
        int kind = test_random_index(random, LB_JOINT_KIND_COUNT);
        if (kinds & TEST_KIND(kind))
            return (lb_joint_kind)kind;
    }
}

/* Often along a coordinate axis, either way, and of any length. */
static lb_vec3 random_axis(lb_random *random)
{
    lb_vec3 axis = test_random_direction(random);
    if (test_random_chance(random, 0.5)) {
        double sign = test_random_chance(random, 0.5) ? 1 : -1;
        int which = test_random_index(random, 3);
        axis = lb_vec3_make(which == 0 ? sign : 0, which == 1 ? sign : 0, which == 2 ? sign : 0);
    }
    bool unit = test_random_chance(random, 0.7);
    return unit ? axis : lb_vec3_scale(axis, lb_random_between(random, 0.1, 10));
}

/* Now none, now a way, now a turn about x as well, now anything. */
static lb_transform random_placement(lb_random *random)
{
    lb_transform placement = LB_TRANSFORM_IDENTITY;
    int which = test_random_index(random, 4);
    if (which == 3)
        return test_random_transform(random);
    if (which == 2) {
        lb_quat turn = lb_quat_from_rpy(lb_random_between(random, -LB_PI, LB_PI), 0, 0);
        placement = lb_transform_from_quat(turn, placement.p);
    }
    if (which >= 1)
        placement.p = random_point(random);
    return placement;
}

static void random_limits(lb_joint *joint, lb_random *random)
{
    for (int i = 0; i < 3; i++) {
        joint->lower[i] = lb_random_between(random, -2.5, 0);
        joint->upper[i] = lb_random_between(random, 0, 2.5);
        // one side alone now and then
        if (test_random_chance(random, 0.1))
            joint->lower[i] = -INFINITY;
        if (test_random_chance(random, 0.1))
            joint->upper[i] = INFINITY;
    }
}

/* All but names and mimic. */
static lb_joint random_joint(const test_tree *wanted, lb_random *random)
{
    lb_joint joint = lb_joint_default();
    joint.kind = random_kind(wanted->kinds, random);
    joint.placement = random_placement(random);
    joint.axis = random_axis(random);
    do
        joint.axis2 = random_axis(random);
    while (lb_vec3_length(lb_vec3_cross(joint.axis, joint.axis2)) < 0.01);
    joint.locked = test_random_chance(random, wanted->locked);
    joint.weight = lb_random_between(random, 0.5, 2);
    if (test_random_chance(random, wanted->limited))
        random_limits(&joint, random);
    if (test_random_chance(random, wanted->off_neutral))
        for (int i = 0; i < LB_JOINT_MAX_NQ; i++)
            joint.value[i] = lb_random_between(random, -0.5, 0.5);
    return joint;
}

/* Makes some joints of one DOF follow an earlier one, with limits as wide as leave it some. */
static void random_mimics(lb_joint *joints, const test_tree *wanted, lb_random *random)
{
    for (int i = 1; i < wanted->joints; i++) {
        int mimicked = test_random_index(random, i);
        bool possible =
            lb_joint_kind_nv(joints[i].kind) == 1 && lb_joint_kind_nv(joints[mimicked].kind) == 1;
        if (!possible || !test_random_chance(random, wanted->mimic))
            continue;
        joints[i].mimic = joints[mimicked].name;
        joints[i].multiplier = lb_random_between(random, -1.5, 1.5);
        joints[i].offset = lb_random_between(random, -0.1, 0.1);
        joints[i].lower[0] = lb_random_between(random, -20, -2);
        joints[i].upper[0] = lb_random_between(random, 2, 20);
    }
}

static void shuffle(lb_joint *joints, int count, lb_random *random)
{
    for (int i = count - 1; i > 0; i--) {
        int other = test_random_index(random, i + 1);
        lb_joint held = joints[i];
        joints[i] = joints[other];
        joints[other] = held;
    }
}

/* one of four links has none, unless it must */
static void add_mass(lb_link *link, bool must, lb_random *random)
{
    double mass = lb_random_between(random, 0.1, 10);
    link->center =
        lb_vec3_make(lb_random_between(random, -0.3, 0.3), lb_random_between(random, -0.3, 0.3),
                     lb_random_between(random, -0.3, 0.3));
    link->mass = must || test_random_chance(random, 0.75) ? mass : 0;
}

lb_model *test_tree_build(const test_tree *wanted, lb_random *random)
{
    int n = wanted->joints;
    owned lb_link *links = calloc((size_t)n + 1, sizeof *links);
    owned lb_joint *joints = calloc((size_t)n + 1, sizeof *joints);
    char(*names)[NAME_SIZE] = calloc(2 * (size_t)n + 1, sizeof *names);
    assert_true(links && joints && names);

    // links l0..ln, joint ji above link li+1
    for (int i = 0; i <= n; i++) {
        snprintf(names[i], NAME_SIZE, "l%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
        if (wanted->masses)
            add_mass(&links[i], i == 0, random);
    }
    for (int i = 0; i < n; i++) {
        snprintf(names[n + 1 + i], NAME_SIZE, "j%d", i);
        bool branch = test_random_chance(random, wanted->branching);
        joints[i] = random_joint(wanted, random);
        joints[i].name = names[n + 1 + i];
        joints[i].parent = names[branch ? test_random_index(random, i + 1) : i];
        joints[i].child = names[i + 1];
    }
    random_mimics(joints, wanted, random);
    shuffle(joints, n, random);

    lb_model_source source = {.name = "random tree",
                              .root = test_random_transform(random),
                              .links = links,
                              .link_count = n + 1,
                              .joints = joints,
                              .joint_count = n};
    lb_model *model = test_build(&source);
    free(names);
    return model;
}

/* ---- an oracle ---------------------------------------------------------- */

void test_forward(const lb_model *model, const double *q, lb_transform *links)
{
    oracle_forward(model, q, links);
}

static lb_transform *room_for_links(const lb_model *model)
{
    lb_transform *links = calloc((size_t)lb_model_link_count(model), sizeof *links);
    assert_non_null(links);
    return links;
}

lb_transform test_task_tool(const lb_model *model, const lb_task *task, const double *q)
{
    owned lb_transform *links = room_for_links(model);
    lb_transform tool = oracle_tool(model, task, q, links);
    return tool;
}

void test_task_errors(const lb_model *model, const lb_task *tasks, int n, const double *q,
                      const lb_transform *targets, double *position_error, double *rotation_error)
{
    owned lb_transform *links = room_for_links(model);
    oracle_errors(model, tasks, n, q, targets, links, position_error, rotation_error);
}

double test_limit_excess(const lb_model *model, const double *q)
{
    return oracle_limit_excess(model, q);
}

/* ---- calls of the library ----------------------------------------------- */

void assert_refused(lb_status status, lb_status expected, const lb_error *error, const char *says)
{
    assert_int_equal(status, expected);
    if (strstr(error->message, says) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", says, error->message);
}

/* ---- memory ------------------------------------------------------------- */

static void *counted_allocate(void *user, size_t size)
{
    test_memory *memory = user;
    void *block = memory->allocations == memory->fail_at ? NULL : malloc(size);
    if (block) {
        // rubbish, so that no caller relies on zeros
        memset(block, 0xa5, size);
        memory->allocations++;
        memory->live++;
    }
    return block;
}

static void counted_release(void *user, void *block)
{
    test_memory *memory = user;
    memory->live -= block != NULL;
    free(block);
}

lb_allocator test_memory_allocator(test_memory *memory)
{
    return (lb_allocator){counted_allocate, counted_release, memory};
}

bool test_failures_next(test_failures *run)
{
    assert_int_equal(run->memory.live, 0);
    if (run->round > 0 && run->status == LB_OK)
        return false;
    if (run->round > 0)
        assert_int_equal(run->status, LB_OUT_OF_MEMORY);
    assert_true(run->round < run->most);
    run->memory = (test_memory){.fail_at = run->round++};
    run->allocator = test_memory_allocator(&run->memory);
    run->status = LB_OK;
    return true;
}

static void *count_bytes(void *user, size_t size)
{
    *(size_t *)user += size;
    return malloc(size);
}

static void release_bytes(void *user, void *memory)
{
    (void)user;
    free(memory);
}

lb_allocator test_byte_allocator(size_t *bytes)
{
    return (lb_allocator){count_bytes, release_bytes, bytes};
}
