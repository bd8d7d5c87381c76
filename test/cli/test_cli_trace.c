/* test_cli_trace.c - limber ik --trace: every iteration with its matrices. */
#define _XOPEN_SOURCE 700

#include <limber/formats/load.h>

#include <unistd.h>

#include "results.h"

/* every iteration's matrices are what their names say, and J^T beta is the pseudoinverse's step */
TEST(test_trace)
{
    owned_table table = program_table(
        "ik planar3 --position '-20 5 0' --method pseudoinverse --step-limit 1e6 --trace");
    int v = csv_column(&table, "V_vx"), j = csv_column(&table, "J_vx_1");
    int square = csv_column(&table, "JJT_vx_vx"), beta = csv_column(&table, "beta_vx");
    int step = csv_column(&table, "step_1"), z = csv_column(&table, "z_1"),
        q = csv_column(&table, "joint_1");
    assert_true(v > 0 && j == v + 2 && square == j + 6 && beta == square + 4 && z == beta + 2 &&
                step == z + 9);
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

    program_run("ik ur5 --position '0.4 0.2 0.3' --rpy '3 0 0' --method pseudoinverse --trace "
                "--json");
    assert_true(program_begins(program.out, "[{\"iteration\":0,"));
    program_prints("ik planar3 --position '-20 5 0' --method damped --damping 2 --trace --report",
                   "iteration 0, error 38.");
    program_exits(1, "ik planar3 --position '-35 5 0' --trace --iterations 3");
    program_refuses("ik planar3 --position '-20 5 0' --trace --base link_1", "--trace: the base");
}

/* a name for a column of a joint */
static int column_of(const csv_table *table, const char *name, int joint)
{
    char text[64];
    snprintf(text, sizeof text, "%s_%d", name, joint + 1);
    return csv_column(table, text);
}

/* rows recompute to the step: J^T beta - z plus what was clamped; returns how much of it was */
static double check_rows(const char *command, int joints)
{
    double clamped = 0;
    program_run(command);
    owned_table table = table_of_output();
    int step = csv_column(&table, "step_1");
    assert_true(step > 0 && table.rows > 1);
    for (int i = 0; i + 1 < table.rows; i++)
        for (int c = 0; c < joints; c++) {
            double product = 0, z = number_at(&table, i, column_of(&table, "z", c));
            double change = number_at(&table, i, step + c);
            double off = number_at(&table, i, column_of(&table, "clamped", c));
            static const char *const rows[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
            for (int r = 0; r < 6; r++) {
                char beta[16], entry[16];
                snprintf(beta, sizeof beta, "beta_%s", rows[r]);
                snprintf(entry, sizeof entry, "J_%s", rows[r]);
                if (csv_column(&table, beta) >= 0)
                    product += number_at(&table, i, csv_column(&table, beta)) *
                               number_at(&table, i, column_of(&table, entry, c));
            }
            assert_near(product, number_at(&table, i, column_of(&table, "JTbeta", c)), 1e-9);
            assert_near(change, product - z + off, 1e-9 * (1 + fabs(product)));
            clamped = fmax(clamped, fabs(off));
        }
    // where the last step led there is no step: its fields are empty
    assert_string_equal(csv_text(&table, table.rows - 1, step), "");
    return clamped;
}

TEST(test_rows_recompute)
{
    // as far as no limit is met nothing is clamped: V is that of the step, and so is z
    assert_near(check_rows("ik planar3 --position '10 5 0' --rpy '0 0 -1.2' --method inverse "
                           "--step-limit 1e6 --trace --iterations 4",
                           3),
                0, 0);
    assert_near(check_rows("ik planar3 --position '-20 5 0' --method pseudoinverse --gains "
                           "'joint_2=0.2' --desired 'joint_2=1' --step-limit 1e6 --trace "
                           "--iterations 4",
                           3),
                0, 0);
    assert_near(check_rows("ik planar3 --position '-20 5 0' --rpy '0 0 1' --method damped "
                           "--damping 2 --step-limit 1e6 --trace --iterations 4",
                           3),
                0, 1e-9);
    // the step limit is what was clamped
    assert_true(check_rows("ik planar3 --position '-20 5 0' --method pseudoinverse "
                           "--step-limit 0.1 --trace --iterations 4",
                           3) > 0.01);
    // no beta of a method that has none
    program_run("ik planar3 --position '-20 5 0' --method ccd --trace --report");
    assert_not_printed("beta");
    assert_not_printed("\xCE\xB2");
    assert_printed("  step ");
}

/* a locked joint takes no part: nothing of the step is left to be called clamped */
TEST(test_locked_joints)
{
    program_run("ik planar3 --position '-12 5 0' --lock 'joint_2=0.5' --method pseudoinverse "
                "--step-limit 1e6 --no-nudge --trace --iterations 1");
    owned_table table = table_of_output();
    assert_near(number_at(&table, 0, csv_column(&table, "step_2")), 0, 0);
    assert_near(number_at(&table, 0, csv_column(&table, "JTbeta_2")), 0, 0);
    for (int c = 0; c < 3; c++)
        assert_near(number_at(&table, 0, column_of(&table, "clamped", c)), 0, 1e-9);
    assert_true(fabs(number_at(&table, 0, csv_column(&table, "step_1"))) > 0.1);
}

/* joint values are in the unit of --degrees, the default ones, too; the rest is in radians */
TEST(test_degrees)
{
    static const char line[] = "ik planar2 --position '-1 -1 0' --trace --iterations 1";
    program_exits(1, "%s --start 'shoulder=1.5707963267948966'", line);
    owned_table radians = table_of_output();
    program_exits(1, "%s --start shoulder=90 --degrees", line);
    owned_table degrees = table_of_output();
    int q = csv_column(&degrees, "shoulder");
    for (int row = 0; row < 2; row++)
        for (int c = 0; c < degrees.columns; c++)
            if (*csv_text(&degrees, row, c) != '\0')
                assert_near(number_at(&degrees, row, c),
                            number_at(&radians, row, c) * (c == q || c == q + 1 ? 180 / LB_PI : 1),
                            1e-9);
    program_exits(1, "%s --start shoulder=90 --degrees --report", line);
    assert_printed("90.000000   60.000000\n");
    program_exits(1, "%s --start shoulder=90 --degrees --json", line);
    assert_printed("\"q\":[90.0,");
    program_prints("explain planar2 --position '-1 -1 0' --start shoulder=90 --degrees",
                   "Joint values (radians, metres): shoulder elbow\n");
}

TEST_FIXTURE(program_start, program_stop)
