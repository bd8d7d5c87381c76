/*
 * test_cli_arrays.c - arrays of NumPy (.npy) wherever the program reads and writes tables: the same
 * results as by CSV, bit for bit.
 */
#include "formats/npy.h"
#include "formats/zip.h"

#include <math.h>
#include <unistd.h>

#include "support_program.h"

static void write_array(const char *path, const double *numbers, int rows, int columns)
{
    npy_writer to;
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_true(npy_begin(&to, stream, columns));
    for (int i = 0; i < rows * columns; i++)
        npy_number(&to, numbers[i]);
    assert_true(npy_end(&to));
    fclose(stream);
}

/* all numbers of an array; its rows and columns */
static double *read_array(const char *path, int *rows, int *columns)
{
    npy_reader array;
    lb_error error = {0};
    file_reader source = {fopen(path, "rb"), path, true};
    assert_non_null(source.stream);
    assert_int_equal(npy_open(source, path, NULL, &array, &error), LB_OK);
    assert_int_equal(npy_next(&array, 1 << 20, &error), LB_OK);
    *rows = array.rows;
    *columns = array.columns;
    size_t size = (size_t)array.rows * (size_t)array.columns * sizeof(double);
    double *numbers = malloc(size);
    assert_non_null(numbers);
    memcpy(numbers, array.values, size);
    npy_release(&array);
    return numbers;
}

/* the fields of a CSV file from row 1 on as numbers, words being their index in the list */
static void compare(const char *csv, const char *npy, int expected_rows)
{
    int rows, columns;
    char *text = program_read(csv), *at = strchr(text, '\n') + 1;
    owned double *numbers = read_array(npy, &rows, &columns);
    assert_int_equal(rows, expected_rows);
    for (int i = 0; i < rows * columns; i++) {
        char *end = at;
        double value = strtod(at, &end);
        if (end == at) {
            // the word of an outcome
            assert_true(numbers[i] == floor(numbers[i]) && numbers[i] >= 0);
            end += strcspn(at, ",\n");
        } else if (value != numbers[i]) {
            fail_msg("number %d of %s: %.17g where %s has %.17g", i, npy, numbers[i], csv, value);
        }
        assert_int_equal(*end, (i + 1) % columns == 0 ? '\n' : ',');
        at = end + 1;
    }
    assert_int_equal(*at, '\0');
    free(text);
}

enum { POSES = 50 };

static void write_poses(void)
{
    double q[6 * POSES];
    FILE *file = fopen("q.csv", "wb");
    assert_non_null(file);
    fputs("shoulder_pan_joint,shoulder_lift_joint,elbow_joint,wrist_1_joint,wrist_2_joint,"
          "wrist_3_joint\n",
          file);
    for (int i = 0; i < 6 * POSES; i++) {
        q[i] = (i * 7919 % 1000) / 500.0 - 1;
        fprintf(file, "%.17g%c", q[i], i % 6 == 5 ? '\n' : ',');
    }
    fclose(file);
    write_array("q.npy", q, POSES, 6);
}

TEST(arrays_give_what_tables_give)
{
    write_poses();
    program_must("fk ur5 --poses q.csv --output t.csv");
    program_must("fk ur5 --poses q.npy --output t.npy");
    compare("t.csv", "t.npy", POSES);
    program_must("ik ur5 --targets t.csv --starts q.csv --output s.csv");
    program_must("ik ur5 --targets t.npy --starts q.npy --output s.npy");
    compare("s.csv", "s.npy", POSES);
    program_must("ik ur5 --targets t.csv --all --output a.csv");
    program_must("ik ur5 --targets t.npy --all --output a.npy");
    owned char *text = program_read("a.csv");
    int rows = -1;
    for (char *at = text; *at != '\0'; at++)
        rows += *at == '\n';
    compare("a.csv", "a.npy", rows);
    // what limber ik writes is read as poses; from standard input as well
    program_must("fk ur5 --poses s.npy --output again.npy");
    program_shell_exits(0, "limber fk ur5 --poses - --output piped.npy <s.npy");
    program_shell_exits(0, "cmp again.npy piped.npy");
}

/* an array of one matrix, of this shape: "1, 4, 4" */
static void write_shape(const char *path, const char *shape, const double *matrix, int count)
{
    unsigned char bytes[128 + 16 * sizeof *matrix] = "\x93NUMPY\x01";
    memset(bytes + 10, ' ', 118);
    bytes[8] = 118;
    int size = snprintf((char *)bytes + 10, 118,
                        "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", shape);
    bytes[10 + size] = ' ';
    memcpy(bytes + 128, matrix, (size_t)count * sizeof *matrix);
    program_write_bytes(path, bytes, 128 + (size_t)count * sizeof *matrix);
}

static void write_matrix(const char *path, const double matrix[16])
{
    write_shape(path, "1, 4, 4", matrix, 16);
}

static const double matrix[] = {0, -1, 0, 0.4, 0, 0, -1, 0.1, 1, 0, 0, 0.3, 0, 0, 0, 1};

/* every form of targets says the same */
TEST(targets_have_several_shapes)
{
    static const double pose[] = {0.4, 0.1, 0.3, 0.5, 0.5, -0.5, 0.5};
    write_matrix("m.npy", matrix);
    write_array("p.npy", pose, 1, 7);
    program_must("ik ur5 --targets p.npy --output p_out.npy");
    program_must("ik ur5 --targets m.npy --output m_out.npy");
    program_shell_exits(0, "cmp p_out.npy m_out.npy");
    static const char *const shapes[] = {"4, 4", "3, 4", "1, 3, 4"};
    for (int i = 0; i < 3; i++) {
        write_shape("m.npy", shapes[i], matrix, i == 0 ? 16 : 12);
        program_must("ik ur5 --targets m.npy --output one.npy");
        program_shell_exits(0, "cmp one.npy m_out.npy");
    }
    write_array("x.npy", pose, 1, 3);
    program_must("ik ur5 --targets x.npy --output x_out.npy");
    program_must("ik ur5 --position '0.4 0.1 0.3' --output x_out.csv");
    compare("x_out.csv", "x_out.npy", 1);
    write_array("r.npy", pose + 3, 1, 4);
    program_must("ik ur5 --targets r.npy --output r_out.npy");
    program_must("ik ur5 --quaternion '0.5 0.5 -0.5 0.5' --output r_out.csv");
    compare("r_out.csv", "r_out.npy", 1);
}

/* each number of a matrix counts for its being a rotation and a place, but for the place itself */
TEST(matrices_that_are_none_are_refused)
{
    for (int i = 0; i < 16; i++) {
        double wrong[16];
        memcpy(wrong, matrix, sizeof wrong);
        wrong[i] += 1e-3;
        write_matrix("m.npy", wrong);
        if (i == 3 || i == 7 || i == 11)
            program_must("ik ur5 --targets m.npy");
        else
            program_refuses("ik ur5 --targets m.npy",
                            i < 12 ? "m.npy: row 1: the matrix has no rotation: its axes are not"
                                   : "the matrix's last row is not 0 0 0 1");
        // four decimals are enough
        wrong[i] = matrix[i] + 4e-5;
        write_matrix("m.npy", wrong);
        if (i < 12)
            program_must("ik ur5 --targets m.npy");
    }
    // a mirror has columns of unit length at right angles
    double mirror[16];
    memcpy(mirror, matrix, sizeof mirror);
    for (int row = 0; row < 3; row++)
        mirror[4 * row] = -mirror[4 * row];
    write_matrix("m.npy", mirror);
    program_refuses("ik ur5 --targets m.npy", "the matrix has no rotation");
    memcpy(mirror, matrix, sizeof mirror);
    mirror[3] = 1e20;
    write_matrix("m.npy", mirror);
    program_refuses("ik ur5 --targets m.npy", "m.npy: row 1: a target at 1e+20 0.1 0.3 is farther");
    program_refuses("ik ur5 --position '1e20 0 0'", "--position: 1e+20 0 0 is farther than");
    // its columns have no names, by which tips are distinguished
    write_array("two.npy", matrix, 1, 6);
    program_refuses("ik human --tip left_hand --tip right_hand --targets two.npy",
                    "an array has no names of columns, which several tips need");
}

TEST(what_cannot_be_is_refused)
{
    double numbers[8] = {0.4, 0.1, 0.3, 1, 0, 0, 0, 0};
    write_array("five.npy", numbers, 1, 5);
    program_refuses("ik ur5 --targets five.npy", "five.npy: its rows have 5 numbers; targets have");
    program_refuses("fk ur5 --poses five.npy", "its rows have 5 numbers; the model's "
                                               "configuration has 6");
    program_refuses("ik ur5 --position '0.4 0.1 0.3' --output x.npz",
                    "--output: 'x.npz' must end in .csv or .npy");
    program_refuses("fk ur5 --output x.txt", "--output: 'x.txt' must end in .csv or .npy");
    program_must("fk ur5 --output rows");
    program_must("fk ur5 --output ./again");
    write_array("none.npy", numbers, 0, 7);
    program_refuses("ik ur5 --targets none.npy", "none.npy: there are no targets in it");
    numbers[2] = NAN;
    write_array("nan.npy", numbers, 1, 7);
    program_refuses("ik ur5 --targets nan.npy", "nan.npy: row 1: column 3 is not a finite number");
    write_array("zero.npy", (double[]){0.4, 0.1, 0.3, 0, 0, 0, 0}, 1, 7);
    program_refuses("ik ur5 --targets zero.npy", "row 1: a quaternion of length 0");
    program_refuses("fk ur5 --factors --output t.npy", "the column 'factor' has words");
    program_refuses("fk ur5 --jacobian --output t.npy", "write a .csv");
}

/* the steps of a trace are an array, NaN where a step has no number: the last row has no step */
TEST(trace_is_an_array)
{
    program_run("ik planar3 --position '-20 5 0' --trace --iterations 2 --output t.npy");
    program_must("info t.npy");
    // 3 + q + V + J + J J^T + beta + z, J^T beta, clamped and the step
    assert_printed("<f8, 3 x 32");
    FILE *file = fopen("t.npy", "rb");
    double row[3][32];
    assert_int_equal(fseek(file, NPY_HEADER_SIZE, SEEK_SET), 0);
    assert_int_equal(fread(row, sizeof row, 1, file), 1);
    fclose(file);
    assert_true(row[1][0] == 1 && isfinite(row[1][31]) && isnan(row[2][31]));
}

/* the names of an archive's arrays are no commands to a terminal */
TEST(names_hold_no_escapes)
{
    unsigned char header[NPY_HEADER_MOST];
    zip_writer zip;
    size_t size = npy_header("'<f8'", false, (int64_t[]){0}, 1, header);
    zip_begin(&zip, NULL);
    zip_open(&zip, "q\033[31m.npy");
    zip_put(&zip, header, size);
    zip_close(&zip);
    assert_int_equal(zip_end(&zip, NULL), LB_OK);
    program_write_bytes("esc.npz", zip.bytes, zip.size);
    zip_release(&zip);
    program_must("info esc.npz");
    assert_string_equal(program.out, "kind: archive of NumPy\nq?[31m: <f8, 0\n");
    program_prints("info esc.npz --json", "\"q\\u001B[31m\":");
}

TEST_FIXTURE(program_start, program_stop)
