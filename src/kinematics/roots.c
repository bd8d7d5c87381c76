/*
 * roots.c - checking that paths lead to all roots.
 *
 * A root that a path missed is noticed: paths that met leave one root twice, a root without its
 * conjugate tells of a lost one, and where paths went to infinity another start must find the same
 * roots. That is a check, not a proof.
 */
#include "kinematics/roots.h"
#include "kinematics/planar.h"

/* Below the first they count as one root: a pair of conjugates that is farther apart does not close
   to 1e-12 between them. Below the second the two parts of a real root are conjugate; Newton's last
   correction is a hundredth of it. Below the third those of a double root are, which is found to
   the root of rounding. */
static const double same_root = 1e-5, real_root = 1e-8, meeting_root = 1e-4;

/* how far apart roots are, or a root and the conjugate of another */
static double distance_of(const root_system *s, const kernel_path *p, const kernel_path *q,
                          bool conjugate)
{
    double most = 0;
    for (int i = 0; i < s->numbers; i++) {
        planar_point x = p->at[i], y = q->at[i];
        if (conjugate)
            y = point_mirror(q->at[(i + s->conjugate) % s->numbers]);
        double apart = sqrt(point_square(point_less(x, y)) / (1 + point_square(x)));
        most = apart > most ? apart : most;
    }
    return most;
}

static int find_root(const root_system *s, const root_list *roots, const kernel_path *p)
{
    for (int i = 0; i < roots->count; i++)
        if (distance_of(s, &roots->at[i], p, false) < same_root)
            return i;
    return -1;
}

/* whether an end is where other roots are, or nearly: a finite one that Newton's method does not
   find well */
static bool is_doubtful(const root_system *s, const kernel_path *p)
{
    // roots of linkages drawn at random have pivots of 1e-5 and more. Of the ends at infinity some
    // have come only as far as 100 when steps are too short
    const double least_pivot = 1e-7, far = 100;
    double size = 0;
    for (int i = 0; i < s->numbers; i++)
        size += point_square(p->at[i]);
    return size < far * far && (p->end == PATH_SINGULAR || !(p->pivot > least_pivot));
}

/* adds the ends that arrived; *whole is lost if paths met or were lost, *singular set if some ended
   elsewhere. Returns how many arrived at different roots. */
static int gather_roots(const root_system *s, const kernel_path *paths, int count, root_list *roots,
                        bool *whole, bool *singular)
{
    root_list own = {0};
    for (int i = 0; i < count; i++) {
        *singular = *singular || paths[i].end == PATH_SINGULAR;
        *whole = *whole && paths[i].end != PATH_LOST && !is_doubtful(s, &paths[i]);
        if (paths[i].end != PATH_ARRIVED)
            continue;
        if (find_root(s, &own, &paths[i]) >= 0) {
            *whole = false;
            continue;
        }
        own.at[own.count++] = paths[i];
        if (find_root(s, roots, &paths[i]) < 0 && roots->count < TRACK_PATHS)
            roots->at[roots->count++] = paths[i];
    }
    return own.count;
}

/* whether every root's conjugate is one */
static bool has_conjugates(const root_system *s, const root_list *roots)
{
    for (int i = 0; i < roots->count; i++) {
        bool found = false;
        for (int k = 0; k < roots->count && !found; k++)
            found = distance_of(s, &roots->at[i], &roots->at[k], true) < real_root;
        if (!found)
            return false;
    }
    return true;
}

/* adds singular ends that are nearly real, one of those that are nearly the same: assemblies may
   meet there */
static void add_meetings(const root_system *s, const kernel_path *paths, int count,
                         root_list *roots)
{
    for (int i = 0; i < count; i++) {
        bool known = paths[i].end != PATH_SINGULAR || roots->count == TRACK_PATHS ||
                     distance_of(s, &paths[i], &paths[i], true) > meeting_root;
        for (int k = 0; k < roots->count && !known; k++)
            known = distance_of(s, &roots->at[k], &paths[i], false) < meeting_root;
        if (!known)
            roots->at[roots->count++] = paths[i];
    }
}

bool roots_find(const root_system *s, root_list *roots)
{
    static const kernel_care cares[] = {{1e-2, 0.05, 0.7, 400},
                                        {1e-2, 0.05, 0.7, 400},
                                        {1e-4, 0.01, 0.5, 1500},
                                        {1e-4, 0.01, 0.5, 1500}};
    const int passes = sizeof cares / sizeof *cares;
    lb_random random = lb_random_seed(1);
    kernel_path paths[TRACK_PATHS];
    int agreed = 0;
    roots->count = 0;
    for (int pass = 0; pass < passes; pass++) {
        int known = roots->count;
        int count = s->track(s->equations, pass, &cares[pass], &random, paths);
        if (count == 0)
            continue;
        bool whole = true, singular = false;
        int own = gather_roots(s, paths, count, roots, &whole, &singular);
        // roots that this start missed, or those before it
        whole = whole && own == roots->count && has_conjugates(s, roots);
        agreed = roots->count > known ? whole : agreed + whole;
        if (agreed >= (singular ? 2 : 1))
            return true;
        if (pass == passes - 1)
            add_meetings(s, paths, count, roots);
    }
    return false;
}

bool root_is_real(const root_system *s, const kernel_path *root)
{
    double off = distance_of(s, root, root, true);
    return off <= (root->end == PATH_SINGULAR ? meeting_root : real_root);
}

kernel_complex root_draw(lb_random *random)
{
    planar_point z;
    z.x = lb_random_between(random, -1, 1);
    z.y = lb_random_between(random, -1, 1);
    return z;
}
