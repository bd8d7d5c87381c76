/* own_families.c - whether joints that are said to be free do move while the tool stays. */
#include "bench/own_poses.h"

#include <math.h>
#include <string.h>

/* places as shares of the arm, and axes, of what the task asks for */
enum { ROWS = 12 };

/* how far a joint is moved along its family, radians and shares of the arm; and what the tool may
   move by on the way: arms count as of their class up to 1e-9 */
#define STEP 0.05
#define STAYS 1e-7

static void errors_of(const own_arm *arm, const double *q, const lb_transform *pose,
                      double out[ROWS])
{
    const lb_transform there = own_arm_pose(arm, q);
    const double *a = &there.x.x, *b = &pose->x.x;
    for (int i = 0; i < ROWS; i++) {
        const bool place = i >= 9;
        const bool asked =
            arm->task.kind == LB_TASK_POSE || (arm->task.kind == LB_TASK_POSITION) == place;
        out[i] = asked ? (b[i] - a[i]) / (place ? arm->size : 1) : 0;
    }
}

static double unit_of(const own_arm *arm, int joint)
{
    return arm->is_length[joint] ? arm->size : 1;
}

static double greatest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* takes from a column what those before it say of it, which are orthonormal; what is left */
static double orthogonalise(double columns[][ROWS], int count, double *shares)
{
    double square = 0, *own = columns[count];
    for (int look = 0; look < 2; look++)
        for (int k = 0; k < count; k++) {
            double along = 0;
            for (int i = 0; i < ROWS; i++)
                along += columns[k][i] * own[i];
            for (int i = 0; i < ROWS; i++)
                own[i] -= along * columns[k][i];
            shares[k] += along;
        }
    for (int i = 0; i < ROWS; i++)
        square += own[i] * own[i];
    return sqrt(square);
}

/* one step of Gauss and Newton in some joints, by a QR decomposition without what is dependent */
static void step_back(const own_arm *arm, const lb_transform *pose, const int *joints, int count,
                      double dependent, double *q)
{
    double columns[OWN_JOINTS + 1][ROWS], r[OWN_JOINTS + 1][OWN_JOINTS + 1] = {{0}};
    double change[OWN_JOINTS] = {0};
    int from[OWN_JOINTS], rank = 0;
    for (int k = 0; k < count; k++) {
        double ahead[ROWS], behind[ROWS], next[OWN_JOINTS];
        const double unit = unit_of(arm, joints[k]);
        memcpy(next, q, sizeof *next * (size_t)arm->nq);
        next[joints[k]] += 1e-6 * unit;
        errors_of(arm, next, pose, ahead);
        next[joints[k]] -= 2e-6 * unit;
        errors_of(arm, next, pose, behind);
        for (int i = 0; i < ROWS; i++)
            columns[rank][i] = (behind[i] - ahead[i]) / 2e-6;
        memset(r[rank], 0, sizeof r[rank]);
        const double left = orthogonalise(columns, rank, r[rank]);
        if (left < dependent)
            continue;
        for (int i = 0; i < ROWS; i++)
            columns[rank][i] /= left;
        r[rank][rank] = left;
        from[rank++] = joints[k];
    }
    errors_of(arm, q, pose, columns[rank]);
    memset(r[rank], 0, sizeof r[rank]);
    (void)orthogonalise(columns, rank, r[rank]);
    for (int k = rank - 1; k >= 0; k--) {
        double sum = r[rank][k];
        for (int m = k + 1; m < rank; m++)
            sum -= r[m][k] * change[m];
        change[k] = sum / r[k][k];
    }
    // halved until it comes nearer
    const double most = fmax(greatest(change, rank), 0.1);
    double left[ROWS], next[OWN_JOINTS];
    errors_of(arm, q, pose, left);
    for (double share = 0.1 / most; share > 1e-3 / most; share *= 0.5) {
        double after[ROWS];
        memcpy(next, q, sizeof *next * (size_t)arm->nq);
        for (int k = 0; k < rank; k++)
            next[from[k]] += change[k] * share * unit_of(arm, from[k]);
        errors_of(arm, next, pose, after);
        if (greatest(after, ROWS) < greatest(left, ROWS)) {
            memcpy(q, next, sizeof *next * (size_t)arm->nq);
            return;
        }
    }
}

/* how much the tool moves where a joint goes on by a step and others follow */
static double motion_along(const own_arm *arm, const double *q, int joint, double step,
                           const int *others, int count)
{
    const lb_transform pose = own_arm_pose(arm, q);
    double least = INFINITY;
    for (double dependent = 1e-8; dependent < 1e-4 && !(least <= STAYS); dependent *= 1e3) {
        double there[OWN_JOINTS], error[ROWS];
        memcpy(there, q, sizeof *there * (size_t)arm->nq);
        there[joint] += step * unit_of(arm, joint);
        for (int i = 0; i < 20; i++)
            step_back(arm, &pose, others, count, dependent, there);
        errors_of(arm, there, &pose, error);
        least = fmin(least, greatest(error, ROWS));
    }
    return least;
}

/* the least of it for some joints: each goes on either way, and one of the others follows, or all
 */
static double family_motion(const own_arm *arm, const double *q, const int *joints, int count)
{
    double least = INFINITY;
    for (int k = 0; k < 2 * count; k++) {
        int others[OWN_JOINTS], other_count = 0;
        for (int i = 0; i < count; i++)
            if (i != k / 2)
                others[other_count++] = joints[i];
        for (int i = 0; i <= other_count && !(least <= STAYS); i++)
            least = fmin(least, motion_along(arm, q, joints[k / 2], k % 2 ? -STEP : STEP,
                                             i ? others + i - 1 : others, i ? 1 : other_count));
    }
    return least;
}

bool own_arm_has_false_family(const own_arm *arm, const double *rows, const lb_solution *infos,
                              const lb_solutions_summary *summary)
{
    int joints[LB_SOLUTION_JOINTS];
    for (int k = 0; k < summary->family_count; k++)
        joints[k] = lb_model_joint_q(arm->model, summary->family[k]);
    // a task that leaves a turn free has other motions
    for (int n = 0; n < summary->listed && !(lb_vec3_length(arm->task.free_axis) > 0); n++)
        if (infos[n].family &&
            family_motion(arm, rows + n * arm->nq, joints, summary->family_count) > STAYS)
            return true;
    return false;
}
