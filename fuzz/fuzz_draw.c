/* fuzz_draw.c - drawings of extreme models: complete, whatever the model and the pose. */
#include "chain.h"

#include <limber/figures/draw.h>

enum { MOST_NQ = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_chain(&bytes);
    double q[MOST_NQ] = {0};
    if (!model || lb_model_nq(model) > MOST_NQ) {
        lb_model_release(model);
        return 0;
    }
    for (int i = 0; i < lb_model_nq(model); i++)
        q[i] = fuzz_number(&bytes);
    const lb_drawing_pose poses[] = {{q, "pose", 1}, {q, NULL, 0.5}};
    lb_vec3 target = fuzz_vector(&bytes);
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = fuzz_choice(&bytes, 3);
    drawing.targets = &target;
    drawing.target_count = fuzz_choice(&bytes, 2);
    drawing.width = 200;
    drawing.height = 150;
    if (fuzz_choice(&bytes, 2))
        drawing.azimuth = fuzz_number(&bytes);
    lb_error error;
    lb_draw(model, &drawing, "fuzz_draw.svg", &error);
    lb_model_release(model);
    return 0;
}
