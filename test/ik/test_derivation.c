/*
 * test_derivation.c - the lines of a derivation, for programs that show them. Their numbers are
 * recomputed from forward kinematics alone by test/python/test_explain.py.
 */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "harness.h"
#include "support_load.h"

/* What a visitor has seen. */
typedef struct seen {
    int headings, words, formulas;
    char numbers[200];
    double step[3], v[2];
} seen;

static void look(void *user, const lb_derivation_line *line)
{
    seen *all = user;
    all->headings += line->text != NULL && line->number != NULL;
    all->words += line->text != NULL && line->number == NULL;
    all->formulas += line->text == NULL;
    assert_true((line->text == NULL) == (line->parts != NULL));
    if (line->number != NULL && *line->number != '\0') {
        strcat(all->numbers, " ");
        strcat(all->numbers, line->number);
    }
    for (int i = 0; i < line->part_count; i++) {
        const lb_formula_part *part = &line->parts[i];
        assert_true((part->sign == NULL) == (part->name != NULL));
        assert_null(part->sign != NULL ? strchr(part->sign, '~') : NULL);
        if (part->name != NULL && strcmp(part->name, "step") == 0)
            memcpy(all->step, part->numbers, sizeof all->step);
        if (part->name != NULL && strcmp(part->name, "V") == 0)
            memcpy(all->v, part->numbers, sizeof all->v);
    }
}

TEST(lines_are_in_the_order_of_the_chapter)
{
    const double start[] = {0.4, 0.8, 0.8};
    double q[] = {0.4, 0.8, 0.8};
    owned_model *model = test_load("planar3");
    lb_task task = lb_task_make(lb_model_find_link(model, "tip"), LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    lb_transform goal = lb_transform_from_quat((lb_quat){1, 0, 0, 0}, lb_vec3_make(-20, 5, 0));
    seen all = {.headings = 0};
    owned_ik *ik = NULL;
    options.method = lb_method_find("pseudoinverse");
    assert_int_equal(lb_derive(model, &task, &options, &goal, start, look, &all, NULL), LB_OK);
    assert_string_equal(all.numbers, " 5.16 5.17 5.18 5.19 5.20 5.21 5.22 5.23");
    assert_true(all.headings == 9 && all.words >= 3 && all.formulas >= 12);
    // the step is that of lb_ik_step
    assert_int_equal(lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL), LB_OK);
    lb_ik_step(ik, &goal, q, NULL);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(all.step[i] - (q[i] - start[i])) < 1e-15);
}

TEST(what_the_matrices_do_not_show_is_refused)
{
    const double start[] = {0.4, 0.8, 0.8};
    lb_error error = {LB_OK};
    owned_model *model = test_load("planar3");
    lb_task moving = lb_task_make(3, 1, LB_TASK_POSITION), free = lb_task_make(3, 0, LB_TASK_POSE);
    lb_transform goal = lb_transform_from_quat((lb_quat){1, 0, 0, 0}, lb_vec3_make(1, 1, 0));
    seen all = {.headings = 0};
    free.free_axis = lb_vec3_make(0, 0, 1);
    assert_int_equal(lb_derive(model, &moving, NULL, &goal, start, look, &all, &error),
                     LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "base"));
    assert_int_equal(lb_derive(model, &free, NULL, &goal, start, look, &all, &error),
                     LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "free axes"));
    assert_int_equal(all.headings + all.words + all.formulas, 0);
}
