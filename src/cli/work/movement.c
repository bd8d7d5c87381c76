/*
 * movement.c - a movement in full, and how it is written down.
 */
#include "cli/work/movement.h"

#include "cli/report/report.h"
#include "cli/report/results.h"
#include "motion/follower.h"

#include <stdlib.h>
#include <string.h>

/* ---- making ------------------------------------------------------------- */

static const double *pose(const movement *m, int frame)
{
    return m->q + (size_t)frame * (size_t)lb_model_nq(m->model);
}

static movement start(const lb_model *model, const lb_task *task, int count)
{
    size_t n = (size_t)count;
    movement m = {.model = model, .task = *task, .count = count, .planned = -1};
    m.q = allocate_or_exit(n * (size_t)lb_model_nq(model), sizeof *m.q);
    m.tools = allocate_or_exit(n, sizeof *m.tools);
    m.places = allocate_or_exit(n, sizeof *m.places);
    m.condition = allocate_or_exit(n, sizeof *m.condition);
    return m;
}

/* where the tool is at each frame */
static void place_tools(movement *m)
{
    lb_state *state = state_or_exit(m->model);
    for (int i = 0; i < m->count; i++) {
        lb_state_update(state, pose(m, i));
        m->tools[i] = lb_state_point(state, m->task.tip, LB_WORLD, m->task.tool.p);
        m->places[i] = lb_state_point(state, m->task.tip, m->task.base, m->task.tool.p);
        if (m->goals != NULL)
            m->goals[i] = lb_state_point(state, m->task.base, LB_WORLD, m->frames[i].goal.p);
    }
}

movement movement_follow(const lb_model *model, const lb_follow *how, const double *start_q)
{
    lb_follower *follower = NULL;
    size_t nq = (size_t)lb_model_nq(model);
    require(lb_follower_create(model, how, &program_memory, &follower, why()));
    movement m = start(model, &how->task, how->frames);
    m.rate = how->rate;
    m.frames = allocate_or_exit((size_t)m.count, sizeof *m.frames);
    m.goals = allocate_or_exit((size_t)m.count, sizeof *m.goals);
    progress_start("followed", m.count);
    int done = 0;
    for (double *q = m.q; done < m.count; q += nq) {
        memcpy(q, done == 0 ? start_q : q - nq, nq * sizeof *q);
        if (!lb_follower_next(follower, q, &m.frames[done]))
            break;
        m.condition[done] = m.frames[done].condition;
        m.planned = lb_follower_planned_jumps(follower);
        progress_at(++done);
    }
    // it may have stopped before the path's end
    m.count = done;
    progress_clear();
    place_tools(&m);
    return m;
}

/* the condition of the tool's position at each frame */
static void condition_poses(movement *m)
{
    conditioning c;
    lb_state *state = state_or_exit(m->model);
    double *work = allocate_or_exit(conditioning_work(m->model), sizeof *work);
    lb_assembly *assembly = loops_or_exit(m->model);
    conditioning_start(&c, &m->task, 1, NULL, state, assembly, work);
    for (int i = 0; i < m->count; i++) {
        lb_state_update(state, pose(m, i));
        m->condition[i] = conditioning_at(&c, state, NULL);
    }
}

movement movement_play(const lb_model *model, const lb_task *task, const lb_clip *clip, int count)
{
    double begin = lb_clip_begin(clip), end = lb_clip_end(clip);
    movement m = start(model, task, count);
    m.times = allocate_or_exit((size_t)count, sizeof *m.times);
    for (int i = 0; i < count; i++) {
        m.times[i] = i + 1 < count ? begin + (end - begin) * i / (count - 1) : end;
        lb_clip_at(clip, m.times[i], m.q + (size_t)i * (size_t)lb_model_nq(model));
    }
    // each frame's loops from the frame before, so that turns and branches go on
    pose_list frames = {.q = m.q, .count = m.count};
    if (!loops_close_all(model, &frames, false))
        give_up();
    place_tools(&m);
    condition_poses(&m);
    return m;
}

int movement_missed(const movement *m)
{
    int missed = 0;
    for (int i = 0; m->frames != NULL && i < m->count; i++)
        missed += m->frames[i].result.outcome != LB_REACHED;
    return missed;
}

int movement_jumps(const movement *m)
{
    int jumps = 0;
    for (int i = 0; m->frames != NULL && i < m->count; i++)
        jumps += m->frames[i].jumped;
    return jumps;
}

void movement_end(const movement *m, int frame, char *text)
{
    const lb_frame *f = &m->frames[frame];
    const char *joint = f->joint >= 0 ? lb_model_joint(m->model, f->joint)->name : "";
    *text = '\0';
    if (f->ended == LB_END_LIMIT)
        snprintf(text, MOVEMENT_END_SIZE, "joint '%.100s' meets its limit", joint);
    if (f->ended == LB_END_SINGULAR)
        snprintf(text, MOVEMENT_END_SIZE, "the solution ends at a singularity");
    if (f->ended == LB_END_REACH)
        snprintf(text, MOVEMENT_END_SIZE, "no configuration was found farther on");
    if (f->ended == LB_END_SPEED)
        snprintf(text, MOVEMENT_END_SIZE, "joint '%.100s' is too slow for the path", joint);
    if (f->ended == LB_END_STEP)
        snprintf(text, MOVEMENT_END_SIZE, "joint '%.100s' moves farther than --jump allows", joint);
}

/* ---- rows --------------------------------------------------------------- */

/* "limit", "singularity", ..., "" where nothing ended */
static const char *ended_text(const movement *m, int i)
{
    lb_branch_end ended = m->frames[i].ended;
    return ended == LB_END_NONE ? "" : lb_branch_end_text(ended);
}

/* how well the goal is reached, and how it came from the frame before */
static void name_following(const movement *m, int i, row *to)
{
    const lb_ik_result *result = &m->frames[i].result;
    column_word(to, "status", lb_outcome_text(result->outcome));
    column_whole(to, "iterations", result->iterations);
    column_number(to, "position_error", result->position_error);
    column_number(to, "rotation_error", result->rotation_error);
    column_number(to, "condition", m->condition[i]);
    column_number(to, "step", m->frames[i].step);
    column_word(to, "ended", ended_text(m, i));
}

static void name_frame(const movement *m, int i, row *to)
{
    column_whole(to, "frame", i);
    if (m->frames != NULL) {
        name_following(m, i, to);
    } else {
        column_number(to, "time", m->times[i]);
        column_number(to, "condition", m->condition[i]);
    }
    column_point(to, "tool", "tool_", m->places[i]);
    if (m->frames != NULL)
        column_point(to, "goal", "goal_", m->frames[i].goal.p);
    column_joints(to, m->model, pose(m, i));
}

static void name_single(const void *movements, int i, row *to)
{
    name_frame(movements, i, to);
}

/* Several movements, one after the other. */
typedef struct movement_list {
    const movement *all;
    int frames; /* of all together */
} movement_list;

static void name_numbered(const void *movements, int i, row *to)
{
    const movement *m = ((const movement_list *)movements)->all;
    int number = 1;
    for (; i >= m->count; m++, number++)
        i -= m->count;
    column_whole(to, "row", number);
    name_frame(m, i, to);
}

void movement_write_csv(const movement *all, int count, FILE *stream)
{
    movement_list list = {.all = all};
    for (int k = 0; k < count; k++)
        list.frames += all[k].count;
    if (count == 1)
        table_csv(&(result_table)ROWS_OF(movement, count, name_single), all, stream);
    else
        table_csv(&(result_table)ROWS_OF(movement_list, frames, name_numbered), &list, stream);
}

/* ---- JSON --------------------------------------------------------------- */

/* a row, and besides what is no number */
static json_t *json_frame(const movement *m, int i, row *to)
{
    json_t *frame = table_json(&(result_table)ROWS_OF(movement, count, name_single), m, i, to);
    if (m->frames == NULL)
        return frame;
    const lb_frame *f = &m->frames[i];
    set_json(frame, "jumped", json_boolean(f->jumped));
    if (f->ended != LB_END_NONE && f->joint >= 0)
        set_json(frame, "joint", json_string(lb_model_joint(m->model, f->joint)->name));
    return frame;
}

/* the jumps of a path that was followed: frames, times and reasons */
static json_t *json_jumps(const movement *m)
{
    json_t *list = json_array();
    for (int i = 0; i < m->count; i++) {
        if (!m->frames[i].jumped)
            continue;
        json_t *jump = json_pack("{s:i, s:s}", "frame", i, "ended", ended_text(m, i));
        if (m->rate > 0)
            set_json(jump, "time", json_real(i / m->rate));
        if (m->frames[i].joint >= 0)
            set_json(jump, "joint",
                     json_string(lb_model_joint(m->model, m->frames[i].joint)->name));
        json_array_append_new(list, jump);
    }
    json_t *members = json_pack("{s:o}", "jumps", list);
    if (m->planned >= 0)
        set_json(members, "planned_jumps", json_integer(m->planned));
    return members;
}

void movement_write_json(const movement *m, FILE *stream)
{
    row to = {.object = NULL};
    json_list frames =
        json_list_begin_lines(json_pack("{s:s, s:s}", "model", lb_model_name(m->model), "tip",
                                        lb_model_link(m->model, m->task.tip)->name),
                              "frames", stream);
    for (int i = 0; i < m->count; i++)
        json_list_add(&frames, json_frame(m, i, &to));
    json_list_end(&frames, m->frames != NULL ? json_jumps(m) : NULL);
}

/* ---- words -------------------------------------------------------------- */

/* how far the joints went in all: radians and metres, each joint's travel added up */
static double joint_travel(const movement *m)
{
    int nv = lb_model_nv(m->model);
    double *v = allocate_or_exit((size_t)nv, sizeof *v), sum = 0;
    for (int i = 1; i < m->count; i++) {
        lb_configuration_difference(m->model, pose(m, i - 1), pose(m, i), v);
        for (int k = 0; k < nv; k++)
            sum += fabs(v[k]);
    }
    return sum;
}

static double tool_travel(const movement *m)
{
    double sum = 0;
    for (int i = 1; i < m->count; i++)
        sum += lb_vec3_length(lb_vec3_sub(m->tools[i], m->tools[i - 1]));
    return sum;
}

void movement_write_words(const movement *m, FILE *stream)
{
    int reached = m->count - movement_missed(m);
    double worst = 0, condition = 0;
    for (int i = 0; i < m->count; i++) {
        worst = m->frames ? fmax(worst, m->frames[i].result.position_error) : 0;
        condition = fmax(condition, m->condition[i]);
    }
    fprintf(stream, "%d frames", m->count);
    if (m->frames != NULL)
        fprintf(stream, ", %s%d reached%s, largest position error %.3g m",
                console_style_text(stream, reached == m->count ? STYLE_GOOD : STYLE_BAD), reached,
                console_style_text(stream, STYLE_PLAIN), worst);
    if (movement_jumps(m) > 0)
        fprintf(stream, ", %s%d jumps%s", console_style_text(stream, STYLE_BAD), movement_jumps(m),
                console_style_text(stream, STYLE_PLAIN));
    fprintf(stream, "\nthe tool went %.4g m, the joints %.4g in all; worst condition %.3g\n",
            tool_travel(m), joint_travel(m), condition);
}

/* ---- pictures ----------------------------------------------------------- */

film_strip movement_strip(const movement *m, const int *shown, int shown_count)
{
    // a motion that stopped has no panels beyond
    while (shown_count > 0 && shown[shown_count - 1] >= m->count)
        shown_count--;
    return (film_strip){.frames = m->count,
                        .q = m->q,
                        .tools = m->tools,
                        .goals = m->goals,
                        .shown = shown,
                        .shown_count = shown_count};
}
