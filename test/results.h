/*
 * results.h - reading what the program prints, for the tests that verify it by
 * the tests' own 4x4 forward kinematics.
 */
#ifndef TEST_RESULTS_H
#define TEST_RESULTS_H

#include "formats/csv_whole.h"

#include <limber/formats/load.h>

#include "support.h"
#include "support_program.h"

enum { MAX_NQ = 256, MAX_LINKS = 256 };

static inline lb_model *load_or_fail(const char *name)
{
    lb_model *model = NULL;
    lb_error error = {0};
    if (lb_load(name, NULL, &model, &error) != LB_OK)
        fail_msg("%s: %s", name, error.message);
    assert_true(lb_model_nq(model) <= MAX_NQ && lb_model_link_count(model) <= MAX_LINKS);
    return model;
}

/* the last program's standard output, or a file, as a table; release with csv_release */
static inline csv_table table_of_output(void)
{
    csv_table table;
    lb_error error = {0};
    if (csv_whole("output", program.out, program.out_size, NULL, &table, &error) != LB_OK)
        fail_msg("%d: %s: %s", error.line, error.message, program.out);
    return table;
}

/* limber, arguments as printf, which must succeed: what it prints */
#define program_table(...) (program_must(__VA_ARGS__), table_of_output())

static inline csv_table table_of_file(const char *path)
{
    csv_table table;
    lb_error error = {0};
    if (csv_open(path, NULL, &table, &error) != LB_OK || csv_next(&table, INT_MAX, &error) != LB_OK)
        fail_msg("%s:%d: %s", path, error.line, error.message);
    return table;
}

static inline double number_at(const csv_table *table, int row, int column)
{
    double value = NAN;
    assert_int_equal(csv_number(table, row, column, &value, NULL), LB_OK);
    return value;
}

/* a target or a result of limber fk: x,y,z,qw,qx,qy,qz */
static inline lb_transform transform_at(const csv_table *table, int row)
{
    static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    double v[7];
    for (int k = 0; k < 7; k++) {
        assert_string_equal(csv_name(table, k), names[k]);
        v[k] = number_at(table, row, k);
    }
    return lb_transform_from_quat((lb_quat){v[3], v[4], v[5], v[6]},
                                  lb_vec3_make(v[0], v[1], v[2]));
}

/* the tip that most joints move, as the program takes it without --tip */
static inline int default_tip(const lb_model *model)
{
    int moving[MAX_LINKS] = {0}, chosen = -1;
    for (int i = 1; i < lb_model_link_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i - 1);
        moving[i] = moving[lb_model_parent(model, i)] +
                    (lb_joint_kind_nq(joint->kind) > 0 && joint->mimic == NULL);
        if (lb_model_first_child(model, i) < 0 && (chosen < 0 || moving[i] > moving[chosen]))
            chosen = i;
    }
    return chosen;
}

/* the names of a model's values in the order of q, which head limber ik's results */
static inline csv_table names_of_values(const char *model)
{
    program_run("ik '%s' --position '0 0 0' --iterations 1", model);
    csv_table table = table_of_output();
    assert_string_equal(csv_name(&table, 0), "status");
    assert_string_equal(csv_name(&table, 1), "iterations");
    assert_string_equal(csv_name(&table, 2), "position_error");
    assert_string_equal(csv_name(&table, 3), "rotation_error");
    return table;
}

/* writes poses with the columns in reversed order */
static inline void write_poses(const char *path, const csv_table *names, const double *q, int nq,
                               int count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = nq - 1; k >= 0; k--)
        fprintf(file, "%s%c", csv_name(names, 4 + k), k > 0 ? ',' : '\n');
    for (int i = 0; i < count; i++)
        for (int k = nq - 1; k >= 0; k--)
            fprintf(file, "%.17g%c", q[i * nq + k], k > 0 ? ',' : '\n');
    fclose(file);
}

#endif
