/*
 * io/draw.h - figures of linkages: SVG, PNG and PDF.
 *
 * Link with limber_io for this header.
 */
#ifndef LIMBER_IO_DRAW_H
#define LIMBER_IO_DRAW_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One configuration to draw, and how. */
typedef struct lb_drawing_pose {
    const double *q;   /* nq numbers */
    const char *label; /* beside the legend's sample; NULL: none */
    double strength;   /* 1 drawn in full, towards 0 faint (ghosts, earlier frames) */
} lb_drawing_pose;

/* What to draw. Start from lb_drawing_default(): 720 x 540 points, view chosen from the model. */
typedef struct lb_drawing {
    const lb_drawing_pose *poses;
    int pose_count;
    const lb_vec3 *targets; /* crosses, world frame */
    int target_count;
    const char *title;    /* NULL: none */
    double width, height; /* points (SVG, PDF) or pixels (PNG) */
    double azimuth,
        elevation; /* radians, the viewer's place; NAN: planar models from above, else 3/4 view */
} lb_drawing;

lb_drawing lb_drawing_default(void);

/*
 * Draws a model's poses into one figure; the format is that of the path's ending
 * (.svg, .png, .pdf). Nothing is left half-written on failure.
 */
lb_status lb_draw(const lb_model *model, const lb_drawing *drawing, const char *path,
                  lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
