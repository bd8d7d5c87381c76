/*
 * method.c - the table of methods: each is one row here and, unless the kernel implements it, one
 * file in methods/.
 */
#include "ik/linear.h"

#include <string.h>

static const lb_method methods[] = {
    {.name = "lm",
     .summary =
         "Levenberg-Marquardt with limits inside the step and new starts: the robust default",
     .source = "Chan & Lawrence 1988, damping from the error; Eq. 5.24",
     .iterations = 16,
     .levels = 16,
     .patience = 4,
     .kernel = true,
     .capabilities = LB_METHOD_JACOBIAN | LB_METHOD_DAMPING,
     .solve = ik_damped_solve},
    {.name = "damped",
     .summary = "damped least squares with a constant or an adaptive lambda",
     .source = "Eq. 5.24; Wampler 1986; Maciejewski & Klein 1988",
     .iterations = 100,
     .levels = 16,
     .patience = 10,
     .damping = 0.1,
     .kernel = true,
     .capabilities = LB_METHOD_JACOBIAN | LB_METHOD_DAMPING,
     .solve = ik_damped_solve},
    {.name = "pseudoinverse",
     .summary = "the shortest step that satisfies J x = V, by LU",
     .source = "Eq. 5.20-5.23",
     .iterations = 40,
     .levels = 4,
     .patience = 10,
     .step_limit = 0.5,
     .capabilities = LB_METHOD_JACOBIAN,
     .solve = ik_linear_shortest},
    {.name = "inverse",
     .summary = "the inverse of a square Jacobian, by LU; refuses singular ones",
     .source = "Eq. 5.18-5.19",
     .iterations = 40,
     .levels = 4,
     .patience = 10,
     .step_limit = 0.5,
     .capabilities = LB_METHOD_JACOBIAN,
     .solve = ik_inverse_solve,
     .check = ik_inverse_check},
    {.name = "selective",
     .summary = "least squares with each singular direction damped separately",
     .source = "Buss & Kim 2005",
     .iterations = 60,
     .levels = 4,
     .patience = 10,
     .capabilities = LB_METHOD_JACOBIAN,
     .solve = ik_selective_solve},
    {.name = "alternative",
     .summary = "the pseudoinverse of a Jacobian formed with the target in the tip's place",
     .source = "\"Alternative Jacobian\", after Eq. 5.31",
     .iterations = 60,
     .levels = 4,
     .patience = 15,
     .step_limit = 0.5,
     .capabilities = LB_METHOD_JACOBIAN,
     .step = ik_alternative_step},
    {.name = "transpose",
     .summary = "along the transpose of the Jacobian, no inverse; slow near the target",
     .source = "\"Using the transpose of the Jacobian\"; Buss 2004 for alpha",
     .iterations = 400,
     .levels = 1,
     .patience = 40,
     .step_limit = 0.5,
     .capabilities = LB_METHOD_JACOBIAN | LB_METHOD_ALPHA,
     .solve = ik_transpose_solve},
    {.name = "ccd",
     .summary = "cyclic coordinate descent: each joint in turn moves to its optimum, tip to base",
     .source = "Wang & Chen 1991; Parent 2012, chapter 5; Juckett 2009",
     .iterations = 100,
     .levels = 2,
     .patience = 15,
     .step = ik_ccd_step},
    {.name = "ccd-ranked",
     .summary = "coordinate descent that moves the most useful joint first",
     .source = "variation of cyclic coordinate descent, Parent 2012, chapter 5",
     .iterations = 100,
     .levels = 2,
     .patience = 15,
     .capabilities = LB_METHOD_RANK,
     .step = ik_ranked_step},
    {.name = "fabrik",
     .summary =
         "forward and backward reaching, on revolute, prismatic and ball joints in their limits",
     .source = "Aristidou & Lasenby 2011",
     .iterations = 60,
     .levels = 2,
     .patience = 15,
     .step = ik_fabrik_step},
    {.name = "analytic",
     .summary = "arms of two links in closed form, both solutions",
     .source = "Fig. 5.14-5.15",
     .iterations = 2,
     .patience = 2,
     .capabilities = LB_METHOD_BEND,
     .step = ik_analytic_step,
     .check = ik_analytic_check},
};

int lb_method_count(void)
{
    return (int)(sizeof methods / sizeof *methods);
}

const lb_method *lb_method_at(int index)
{
    return index >= 0 && index < lb_method_count() ? &methods[index] : NULL;
}

const lb_method *lb_method_find(const char *name)
{
    for (int i = 0; i < lb_method_count() && name; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

const char *lb_method_name(const lb_method *method)
{
    return method->name;
}

const char *lb_method_summary(const lb_method *method)
{
    return method->summary;
}

const char *lb_method_source(const lb_method *method)
{
    return method->source;
}

unsigned lb_method_capabilities(const lb_method *method)
{
    return method->capabilities;
}
