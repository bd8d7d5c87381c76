/* test_cli_trace.c - limber ik --trace: every iteration with its matrices. */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "results.h"

/* every iteration's matrices are what their names say, and J^T beta is the pseudoinverse's step */
static void test_trace(void **state)
{
    (void)state;
    program_must("ik planar3 --position '-20 5 0' --method pseudoinverse --step-limit 1e6 --trace");
    csv_table table = table_of_output();
    int v = csv_column(&table, "V_vx"), j = csv_column(&table, "J_vx_1");
    int square = csv_column(&table, "JJT_vx_vx"), beta = csv_column(&table, "beta_vx");
    int step = csv_column(&table, "step_1"), q = csv_column(&table, "joint_1");
    assert_true(v > 0 && j == v + 2 && square == j + 6 && beta == square + 4 && step == beta + 2);
    assert_true(table.rows > 3);
    for (int i = 0; i + 1 < table.rows; i++) {
        double jacobian[2][3], change[2], b[2];
        double error = number_at(&table, i, csv_column(&table, "position_error"));
        for (int r = 0; r < 2; r++) {
            change[r] = number_at(&table, i, v + r);
            b[r] = number_at(&table, i, beta + r);
            for (int c = 0; c < 3; c++)
                jacobian[r][c] = number_at(&table, i, j + 3 * r + c);
        }
        assert_near(hypot(change[0], change[1]), error, 1e-12);
        for (int r = 0; r < 2; r++) {
            double sum = 0;
            for (int k = 0; k < 2; k++) {
                double product = 0;
                for (int c = 0; c < 3; c++)
                    product += jacobian[r][c] * jacobian[k][c];
                assert_near(number_at(&table, i, square + 2 * r + k), product, 1e-9);
                sum += product * b[k];
            }
            assert_near(sum, change[r], 1e-9);
        }
        for (int c = 0; c < 3; c++) {
            double wanted = jacobian[0][c] * b[0] + jacobian[1][c] * b[1];
            assert_near(number_at(&table, i, step + c), wanted, 1e-9);
            assert_near(number_at(&table, i + 1, q + c) - number_at(&table, i, q + c), wanted,
                        1e-9);
        }
    }
    csv_release(&table);

    program_run("ik ur5 --position '0.4 0.2 0.3' --rpy '3 0 0' --method pseudoinverse --trace "
                "--json");
    assert_true(program_begins(program.out, "[{\"iteration\":0,"));
    program_must("ik planar3 --position '-20 5 0' --method damped --damping 2 --trace --report");
    assert_non_null(strstr(program.out, "iteration 0, error 38."));
    assert_int_equal(program_run("ik planar3 --position '-35 5 0' --trace --iterations 3"), 1);
    program_refuses("ik planar3 --position '-20 5 0' --trace --base link_1", "--trace: the base");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, program_start, program_stop);
}
