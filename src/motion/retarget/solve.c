/*
 * solve.c - configurations of the target: one whole-body problem a frame.
 *
 * All tasks are of one level, with weights: a strict level above would be entered and left at
 * once, and what is below it would jump. On the way to the ground and away from it the weight of a
 * foot's points goes smoothly between that in the air and that of a held one.
 *
 * A heavy weight is a narrow valley, in which a descent is slow. So held points first weigh a
 * thousand times as much as a limb's direction, which leaves a conflict of ten centimetres to some
 * tenths of a millimetre; from there, where steps are short, a few with a weight of millions remove
 * these.
 */
#include "base/error.h"
#include "ik/body/solver.h"

#include "motion/retarget/solver.h"

#include <limber/kinematics.h>

#include <string.h>

/* weights of a sole's height: in the air; near the ground, where a foot that gives way to
   limits must not enter it; weights must be positive */
#define HEIGHT_FREE 1e-3
#define HEIGHT_NEAR 3e3
/* of a palm that is free: nothing */
#define PALM_FREE 1e-6
/* of the height of a point that would be below the ground otherwise: as that of a held point */
#define HEIGHT_PRESSED 1e6
/* of the axes of a held foot */
#define AXES_HELD 30.0
/* of those of a toe that lies flat: the posture takes less than a thousandth of its bend, and a toe
   that is a hinge hardly turns the foot */
#define TOE_HELD 3.0
/* of a palm that touches, per square metre: half a palm's width off is as bad as an arm two degrees
   off. And the share by which the trunk weighs more then: arms are to bring palms there */
#define TOUCHED 4.0
#define TRUNK_TOUCHED 1.5
/* of a leg's end at a foot that moves freely */
#define JOINED 1e5
/* of links that come too near to each other: limbs give way to all but millimetres, and held points
   do not move for them by more than a tenth of one */
static const double apart[RETARGET_STAGES] = {3e3, 3e3, 1e4, 1e4};
/* of a point that begins or ends to be held: more would lead there within a frame or two, and draw
   the figure after feet that legs do not reach, though they are held no longer */
#define POINT_LEAVING 1e3
/* of a held point */
static const double point_held[RETARGET_STAGES] = {1e3, 1e3, 1e7, 1e6};
/*
 * Iterations of each stage. Those along the grid end by themselves, most within ten; a figure with
 * long soles needs up to 60, and what is left halfway shows as jumps from frame to frame. The
 * last ones only put feet right that nearly are: with more of them a frame here and there goes on
 * to another solution than its neighbours.
 */
static const int iterations[RETARGET_STAGES] = {40, 100, 1, 12};
/* radians and metres: a step that changes no joint by more is the last; the next has a fifth */
#define SETTLED 3e-4

/* of what a solver that only puts held points right leaves as it is; weights must be positive */
#define LEFT 1e-9
/* and of its posture, which is where it begins */
#define STIFF 1.0

/* what a root's joint counts in the posture: nothing; weights must be positive */
#define ROOT_STIFFNESS 1e-12

/* axes with z along a direction */
static lb_transform pointing(lb_vec3 z)
{
    lb_vec3 x = lb_vec3_perpendicular(z);
    return (lb_transform){x, lb_vec3_cross(z, x), z, {0, 0, 0}};
}

/* ---- tasks -------------------------------------------------------------------- */

static void add_task(retarget_solver *solver, lb_body_task *tasks, lb_body_task task, int pair,
                     int held)
{
    tasks[solver->count] = task;
    solver->tasks[solver->count++] = (retarget_task){task.kind, pair, held};
}

static lb_body_task make_task(lb_body_kind kind, int link, lb_vec3 at, double weight)
{
    lb_body_task task = lb_body_task_make(kind, link);
    task.tool.p = at;
    task.weight = weight;
    return task;
}

static void add_pair(retarget_solver *solver, lb_body_task *tasks, int index)
{
    const lb_retarget_pair *pair = &solver->plan->map->pairs[index];
    lb_vec3 origin = {0, 0, 0};
    if (pair->position > 0)
        add_task(solver, tasks,
                 make_task(LB_BODY_POSITION, pair->target, pair->target_point, pair->position),
                 index, -1);
    if (pair->orientation > 0)
        add_task(solver, tasks,
                 make_task(LB_BODY_ORIENTATION, pair->target, origin, pair->orientation), index,
                 -1);
    if (pair->direction > 0) {
        lb_body_task task = make_task(LB_BODY_DIRECTION, pair->target, origin, pair->direction);
        task.axis = pair->axis;
        add_task(solver, tasks, task, index, -1);
    }
    for (int k = 0; k < pair->held_count; k++) {
        add_task(solver, tasks,
                 make_task(LB_BODY_POSITION, pair->target, pair->held[k].at, RETARGET_POINT_FREE),
                 index, k);
        if (retarget_is_palm(pair))
            continue;
        add_task(solver, tasks,
                 make_task(LB_BODY_ON_PLANE, pair->target, pair->held[k].at, HEIGHT_NEAR), index,
                 k);
    }
}

/* where feet move freely beside the legs, a foot's origin stays where the leg has it at rest */
static void join_feet(retarget_solver *solver, lb_body_task *tasks)
{
    static const lb_role roles[2][2] = {{LB_ROLE_LEFT_SHANK, LB_ROLE_LEFT_FOOT},
                                        {LB_ROLE_RIGHT_SHANK, LB_ROLE_RIGHT_FOOT}};
    const lb_retarget_map *map = solver->plan->map;
    const lb_transform *at = lb_state_transforms(solver->state);
    for (int side = 0; side < 2; side++) {
        int leg = retarget_find_pair(map, roles[side][0]),
            end = retarget_find_pair(map, roles[side][1]);
        if (leg < 0 || end < 0)
            continue;
        int shank = map->pairs[leg].target, foot = map->pairs[end].target;
        if (!retarget_is_loose(solver->plan->target, shank, foot))
            continue;
        lb_body_task task = make_task(LB_BODY_POSITION, shank,
                                      lb_transform_between(&at[shank], &at[foot]).p, JOINED);
        task.base = foot;
        add_task(solver, tasks, task, end, RETARGET_JOINED);
        solver->loose[side] = foot;
    }
}

/* links that must not come near to each other, if each frame is solved for itself */
static void keep_apart(retarget_solver *solver, lb_body_task *tasks)
{
    const lb_retarget_options *options = solver->plan->options;
    lb_body_task task = lb_body_task_make(LB_BODY_DISTANCE, 0);
    task.collision = options->collision;
    task.distance = options->distance;
    task.weight = apart[RETARGET_FAR];
    if (options->collision != NULL && !solver->whole)
        add_task(solver, tasks, task, 0, RETARGET_APART);
}

/* palms against what they touch */
static void add_touches(retarget_solver *solver, lb_body_task *tasks)
{
    const retarget_plan *plan = solver->plan;
    const lb_retarget_pair *pairs = plan->map->pairs;
    for (int i = 0; i < plan->touch_count; i++) {
        const retarget_touch *touch = &plan->touches[i];
        lb_body_task task =
            make_task(LB_BODY_POSITION, pairs[touch->hand].target, touch->target_palm, TOUCHED);
        task.base = pairs[touch->pair].target;
        add_task(solver, tasks, task, plan->map->count + i, RETARGET_TOUCHED);
    }
}

/* the joint that carries everything */
static lb_status find_root(const lb_model *model, int *root, lb_error *error)
{
    for (*root = 0; *root < lb_model_joint_count(model); (*root)++) {
        lb_joint_kind kind = lb_model_joint(model, *root)->kind;
        if (kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR)
            return LB_OK;
        if (kind != LB_JOINT_FIXED)
            break;
    }
    return REFUSE_MODEL(error,
                        "the root of '%s' does not move; lb_model_with_root makes one that does",
                        lb_model_name(model));
}

/* bones keep their lengths where every node of a file may move */
static void lock_lengths(const retarget_solver *solver, lb_body *body)
{
    const lb_model *model = solver->plan->target;
    for (int j = solver->root + 1; j < lb_model_joint_count(model); j++) {
        bool loose = j + 1 == solver->loose[0] || j + 1 == solver->loose[1];
        if (lb_model_joint(model, j)->kind != LB_JOINT_FLOATING || loose)
            continue;
        const double *place = &solver->neutral[lb_model_joint_q(model, j)];
        for (int i = 0; i < 3; i++)
            lb_body_set_limits(body, j, i, place[i], place[i]);
    }
}

/* balls and floating joints that may not move stay as at rest: no curve of speed.c holds them */
static bool may_not_move(const retarget_solver *solver, int joint)
{
    const lb_joint *j = lb_model_joint(solver->plan->target, joint);
    bool turns = j->kind == LB_JOINT_BALL || j->kind == LB_JOINT_FLOATING;
    return turns && j->velocity == 0 && joint != solver->root && !solver->plan->options->any_speed;
}

/* what joints count in the posture, and locks */
static int set_joints(const retarget_solver *solver, lb_joint_setting *settings)
{
    const lb_model *model = solver->plan->target;
    int count = 0;
    settings[count] = lb_joint_setting_make(solver->root);
    settings[count++].weight = solver->stiff ? 1 : ROOT_STIFFNESS;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        double weight = retarget_posture_weight(solver->plan->map, model, j);
        if (j == solver->root || (weight == 1 && !may_not_move(solver, j)))
            continue;
        settings[count] = lb_joint_setting_make(j);
        settings[count].weight = solver->stiff ? 1 : weight;
        settings[count++].locked = may_not_move(solver, j);
    }
    return count;
}

static lb_status create_body(retarget_solver *solver, retarget_stage stage,
                             const lb_body_task *tasks, double posture, lb_error *error)
{
    lb_allocator *memory = &solver->plan->memory;
    size_t most = 1 + (size_t)lb_model_joint_count(solver->plan->target);
    lb_joint_setting *settings = memory_take(memory, most, sizeof *settings);
    TRY(require_memory(error, settings));
    lb_body_options options = lb_body_options_default();
    options.posture = posture;
    options.restarts = 0; // a frame follows from the one before
    options.iterations = iterations[stage];
    options.joints = settings;
    options.joint_count = set_joints(solver, settings);
    TRY(lb_body_create(solver->plan->target, tasks, solver->count, &options, memory,
                       &solver->bodies[stage], error));
    body_set_settled(solver->bodies[stage], SETTLED);
    lock_lengths(solver, solver->bodies[stage]);
    return solver->stiff ? LB_OK : lb_body_set_posture(solver->bodies[stage], solver->neutral);
}

static lb_status create_bodies(retarget_solver *solver, double posture, lb_error *error)
{
    lb_allocator *memory = &solver->plan->memory;
    lb_body_task *tasks = memory_take(memory, RETARGET_TASKS, sizeof *tasks);
    TRY(require_memory(error, tasks));
    for (int i = 0; i < solver->plan->map->count; i++)
        add_pair(solver, tasks, i);
    join_feet(solver, tasks);
    solver->whole = retarget_can_be_whole(solver);
    keep_apart(solver, tasks);
    add_touches(solver, tasks);
    lb_status status = solver->count > 0 ? LB_OK : REFUSE_VALUE(error, "the map has no weights");
    for (int stage = 0; stage < RETARGET_STAGES && status == LB_OK; stage++)
        status = create_body(solver, (retarget_stage)stage, tasks, posture, error);
    return status;
}

/* the values that some pair's link depends on, and that may change */
static void find_moved(retarget_solver *solver)
{
    const lb_model *model = solver->plan->target;
    for (int i = 0; i < solver->plan->map->count; i++)
        for (int link = solver->plan->map->pairs[i].target; link > 0;
             link = lb_model_parent(model, link)) {
            int at = lb_model_joint_q(model, link - 1);
            int nq = lb_joint_kind_nq(lb_model_joint(model, link - 1)->kind);
            for (int k = 0; at >= 0 && k < nq && !may_not_move(solver, link - 1); k++)
                solver->moved[at + k] = 1;
        }
}

static double find_reach(const retarget_solver *solver)
{
    const lb_retarget_map *map = solver->plan->map;
    lb_state_update(solver->state, solver->neutral);
    const lb_transform *at = lb_state_transforms(solver->state);
    lb_vec3 root = lb_transform_point(&at[map->pairs[0].target], map->pairs[0].target_point);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < map->count; i++)
        for (int k = 0; k < map->pairs[i].held_count; k++) {
            const lb_retarget_pair *pair = &map->pairs[i];
            if (retarget_is_palm(pair))
                continue;
            count++;
            lb_vec3 held = lb_transform_point(&at[pair->target], pair->held[k].at);
            sum += lb_vec3_length(lb_vec3_sub(held, root));
        }
    return count > 0 ? sum / count : 0;
}

lb_status retarget_solver_stiffen(retarget_solver *solver, lb_error *error)
{
    for (int stage = 0; stage < RETARGET_STAGES; stage++)
        lb_body_release(solver->bodies[stage]);
    solver->stiff = true;
    solver->count = 0;
    lb_state_update(solver->state, solver->neutral);
    return create_bodies(solver, STIFF, error);
}

lb_status retarget_solver_create(retarget_plan *plan, double posture, retarget_solver *solver,
                                 lb_error *error)
{
    *solver = (retarget_solver){.plan = plan, .ground = pointing(plan->ground.normal)};
    TRY(find_root(plan->target, &solver->root, error));
    TRY(retarget_stand(lb_clip_model(plan->source), plan->options->rest, plan->target, plan->map,
                       &plan->memory, &solver->neutral, error));
    solver->moved = memory_take(&plan->memory, (size_t)lb_model_nq(plan->target), 1);
    lb_state_create(plan->target, &plan->memory, &solver->state);
    if (memory_pool_failed(&plan->memory))
        return error_out_of_memory(error);
    lb_configuration_clamp(plan->target, solver->neutral, solver->neutral);
    find_moved(solver);
    solver->reach = find_reach(solver);
    return create_bodies(solver, posture, error);
}

/* ---- one frame ---------------------------------------------------------------- */

/* a weight between two: near the smaller one until shortly before the larger */
static double weigh(double least, double most, double share)
{
    double cube = share * share * share;
    return least + (most - least) * cube * cube;
}

/* of a palm: its share against the directions of the arm is as far as it is held */
static double palm_weight(double hold)
{
    return fmin(POINT_LEAVING, PALM_FREE + RETARGET_POINT_FREE * hold / fmax(1 - hold, PALM_FREE));
}

/* of a point of the sole, or of a palm */
static double point_weight(const lb_retarget_pair *pair, const retarget_goal *goal, int point,
                           retarget_stage stage)
{
    if (goal->hold[point] > RETARGET_NEARLY_HELD)
        return point_held[stage];
    if (retarget_is_palm(pair))
        return fmin(point_held[stage], palm_weight(goal->hold[point]));
    return weigh(RETARGET_POINT_FREE, fmin(POINT_LEAVING, point_held[stage]), goal->hold[point]);
}

/* of its height */
static double height_weight(const retarget_goal *goal, int point)
{
    if (goal->pressed[point])
        return HEIGHT_PRESSED;
    return HEIGHT_FREE + (HEIGHT_NEAR - HEIGHT_FREE) * goal->near[point];
}

static double least_hold(const lb_retarget_pair *pair, const retarget_goal *goal)
{
    double least = pair->held_count > 1 ? 1 : 0;
    for (int k = 0; k < pair->held_count; k++)
        least = fmin(least, goal->hold[k]);
    return least;
}

void retarget_task_target(const retarget_solver *solver, const retarget_goal *goals, int t,
                          lb_transform *target)
{
    const retarget_task *task = &solver->tasks[t];
    const retarget_goal *goal = &goals[task->pair];
    const lb_retarget_pair *pairs = solver->plan->map->pairs;
    *target = task->kind == LB_BODY_ON_PLANE ? solver->ground : LB_TRANSFORM_IDENTITY;
    if (task->held == RETARGET_TOUCHED)
        target->p = goal->place;
    if (task->held <= RETARGET_JOINED)
        return;
    if (task->kind == LB_BODY_ON_PLANE && goal->pressed[task->held])
        target->p =
            lb_vec3_add(lb_vec3_make(0, 0, solver->plan->ground.height),
                        lb_vec3_scale(solver->plan->ground.normal, goal->raised[task->held]));
    else if (task->held >= 0)
        target->p = goal->held[task->held];
    else if (task->kind == LB_BODY_POSITION)
        target->p = goal->place;
    else if (task->kind == LB_BODY_ORIENTATION)
        *target = lb_transform_from_quat(goal->turn, target->p);
    else if (solver->plan->limbs[task->pair].is_limb)
        *target = pointing(goal->direction);
    else
        *target = pointing(lb_vec3_normalize(lb_quat_rotate(goal->turn, pairs[task->pair].axis),
                                             lb_vec3_make(0, 0, 1)));
}

/* how much the trunk stays because hands touch or are held */
static double stiffness(const retarget_solver *solver, const retarget_goal *goals, lb_role role)
{
    const retarget_plan *plan = solver->plan;
    double most = 0;
    for (int i = 0; i < plan->touch_count && role <= LB_ROLE_CHEST; i++)
        most = fmax(most, goals[plan->map->count + i].hold[0]);
    for (int i = 0; i < plan->foot_count && role <= LB_ROLE_CHEST; i++)
        if (retarget_is_palm(&plan->map->pairs[plan->feet[i].pair]))
            most = fmax(most, goals[plan->feet[i].pair].hold[0]);
    return 1 + TRUNK_TOUCHED * most;
}

/* whether a task keeps a point where it is to be */
static bool is_kept(const retarget_task *task, const retarget_goal *goal)
{
    if (task->held < 0)
        return task->held == RETARGET_JOINED;
    bool height = task->kind == LB_BODY_ON_PLANE;
    return height ? goal->pressed[task->held] : goal->hold[task->held] > RETARGET_NEARLY_HELD;
}

double retarget_task_weight(const retarget_solver *solver, const retarget_goal *goals,
                            retarget_stage stage, int t)
{
    const retarget_task *task = &solver->tasks[t];
    const retarget_goal *goal = &goals[task->pair];
    if (solver->stiff && !is_kept(task, goal))
        return LEFT;
    if (task->held == RETARGET_JOINED)
        return JOINED;
    if (task->held == RETARGET_APART)
        return apart[stage];
    if (task->held == RETARGET_TOUCHED)
        return TOUCHED * goal->hold[0];
    const lb_retarget_pair *pair = &solver->plan->map->pairs[task->pair];
    if (task->kind == LB_BODY_ON_PLANE)
        return height_weight(goal, task->held);
    if (task->held >= 0)
        return point_weight(pair, goal, task->held, stage);
    double stiff = stiffness(solver, goals, pair->role);
    if (task->kind == LB_BODY_POSITION)
        return stiff * pair->position;
    if (task->kind == LB_BODY_DIRECTION)
        return pair->direction;
    if (retarget_is_toe(pair->role))
        return weigh(pair->orientation, fmax(pair->orientation, TOE_HELD), goal->hold[0]);
    double most = pair->held_count > 0 ? fmax(pair->orientation, AXES_HELD) : pair->orientation;
    return stiff * weigh(pair->orientation, most, least_hold(pair, goal));
}

void retarget_aim(retarget_solver *solver, double time)
{
    retarget_goals(solver->plan, time, solver->goals);
}

static void aim_stage(retarget_solver *solver, retarget_stage stage)
{
    for (int t = 0; t < solver->count; t++) {
        lb_transform target;
        retarget_task_target(solver, solver->goals, t, &target);
        solver->beyond = solver->beyond || retarget_is_beyond(&target);
        lb_body_set_target(solver->bodies[stage], t, &target);
        lb_body_set_weight(solver->bodies[stage], t,
                           retarget_task_weight(solver, solver->goals, stage, t));
    }
}

void retarget_descend(retarget_solver *solver, retarget_stage stage, const double *start, double *q)
{
    lb_body_result result;
    aim_stage(solver, stage);
    lb_body_solve(solver->bodies[stage], start, q, &result);
    solver->iterations += result.iterations;
}

/* ---- the first frame ----------------------------------------------------- */

/*
 * The first frame, which follows from none: the best of what several starts lead to.
 */

/* the first frame is solved from the neutral configuration; another start's result must be so much
   better to be taken, so that what is found does not depend on it */
#define MUCH_BETTER 0.8

/* descents end where a step reduces the error little; the first frame's go on so often */
enum { FIRST_ROUNDS = 6, RANDOM_STARTS = 8 };

void retarget_place_root(retarget_solver *solver, const retarget_goal *goals, double *q)
{
    const lb_retarget_pair *pair = &solver->plan->map->pairs[0];
    const retarget_goal *goal = &goals[0];
    const lb_model *model = solver->plan->target;
    if (lb_model_joint(model, solver->root)->kind != LB_JOINT_FLOATING)
        return;
    lb_state_update(solver->state, q);
    const lb_transform *at = lb_state_transforms(solver->state);
    lb_transform wanted = lb_transform_from_quat(goal->turn, goal->place);
    lb_vec3 arm = lb_transform_direction(&wanted, pair->target_point);
    wanted.p = lb_vec3_sub(wanted.p, arm);
    // T_rest_moved = T_rest_world * wanted * T_pair_moved
    int moved = solver->root + 1;
    lb_transform from_pair = lb_transform_between(&at[pair->target], &at[moved]);
    lb_transform parent = at[lb_model_parent(model, moved)];
    lb_transform rest =
        lb_transform_multiply(&parent, &lb_model_joint(model, solver->root)->placement);
    lb_transform place = lb_transform_multiply(&wanted, &from_pair);
    place = lb_transform_between(&rest, &place);
    lb_quat turn = lb_transform_quat(&place);
    const double values[7] = {place.p.x, place.p.y, place.p.z, turn.w, turn.x, turn.y, turn.z};
    for (int i = 0; i < 7; i++)
        q[lb_model_joint_q(model, solver->root) + i] = values[i];
}

/* the squared error of a task, by its weight away from contacts */
static double task_cost(const retarget_solver *solver, const lb_transform *at, int t)
{
    const retarget_task *task = &solver->tasks[t];
    if (task->held <= RETARGET_JOINED || task->kind == LB_BODY_ON_PLANE)
        return 0;
    const lb_retarget_pair *pair = &solver->plan->map->pairs[task->pair];
    const lb_transform *link = &at[pair->target];
    lb_transform target;
    retarget_task_target(solver, solver->goals, t, &target);
    if (task->kind == LB_BODY_POSITION) {
        bool held = task->held >= 0;
        lb_vec3 point = held ? pair->held[task->held].at : pair->target_point;
        lb_vec3 off = lb_vec3_sub(lb_transform_point(link, point), target.p);
        double weight = held ? RETARGET_POINT_FREE : pair->position;
        // a palm has a place only where it is held
        if (held && retarget_is_palm(pair))
            weight *= solver->goals[task->pair].hold[task->held];
        return weight * lb_vec3_dot(off, off);
    }
    if (task->kind == LB_BODY_ORIENTATION) {
        double angle = lb_transform_angle(link, &target);
        return pair->orientation * angle * angle;
    }
    lb_vec3 bone = lb_transform_direction(link, pair->axis);
    double angle =
        lb_atan2(lb_vec3_length(lb_vec3_cross(bone, target.z)), lb_vec3_dot(bone, target.z));
    return pair->direction * angle * angle;
}

double retarget_cost(retarget_solver *solver, const double *q)
{
    lb_state_update(solver->state, q);
    double sum = 0;
    for (int t = 0; t < solver->count; t++)
        sum += task_cost(solver, lb_state_transforms(solver->state), t);
    return sum;
}

void retarget_search_first(retarget_solver *solver, const double *start, double *try, double *q)
{
    const lb_model *model = solver->plan->target;
    size_t nq = (size_t)lb_model_nq(model);
    double least = INFINITY;
    lb_random random = lb_random_seed(1);
    for (int i = 0; i <= RANDOM_STARTS + (start != NULL); i++) {
        bool own = i > RANDOM_STARTS;
        if (i > 0 && !own)
            lb_configuration_random(model, &random, try);
        else
            memcpy(try, own ? start : solver->neutral, nq * sizeof *try);
        // what no task moves rests
        for (size_t k = 0; k < nq; k++)
            try[k] = solver->moved[k] ? try[k] : solver->neutral[k];
        if (!own)
            retarget_place_root(solver, solver->goals, try);
        // each descent begins where the one before ended
        for (int round = 0; round < FIRST_ROUNDS; round++)
            retarget_descend(solver, RETARGET_FAR, try, try);
        double cost = retarget_cost(solver, try);
        if (cost < (isfinite(least) ? MUCH_BETTER : 1) * least) {
            least = cost;
            memcpy(q, try, nq * sizeof *q);
        }
    }
}

lb_status retarget_solve_first(retarget_solver *solver, double time, const double *start, double *q,
                               lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(solver->plan->target);
    double *try = memory_take(&solver->plan->memory, nq, sizeof *try);
    TRY(require_memory(error, try));
    retarget_aim(solver, time);
    retarget_search_first(solver, start, try, q);
    return LB_OK;
}
