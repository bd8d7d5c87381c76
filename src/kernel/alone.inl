/*
 * alone.inl - one problem at width 1. Included by what is compiled for the registers of
 * the baseline (kernel_w1.c) and for larger ones (kernel_s4.c) after ALONE(name), the
 * name of an exported function, is defined.
 */
#include "kernel/trig.inl"

#include "kernel/forward.inl"
#include "kernel/jacobian.inl"

void ALONE(forward)(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames);
void ALONE(jacobian)(const kernel_tree *tree, int carrier, const lb_transform *frames,
                     const lb_vec3 *point, double *jacobian);

void ALONE(forward)(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames)
{
    forward(tree, root, q, frames);
}

void ALONE(jacobian)(const kernel_tree *tree, int carrier, const lb_transform *frames,
                     const lb_vec3 *point, double *jacobian)
{
    jacobian_at(tree, carrier, frames, *point, jacobian);
}
