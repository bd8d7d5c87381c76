/*
 * test_npy.c - NumPy's arrays: what is read, what is refused and with which words, what is written.
 */
#define _XOPEN_SOURCE 700

#include "formats/table.h"

#include <math.h>

#include "support.h"

static npy_reader array;
static lb_error error;

/* a file of bytes; the reader closes it */
static file_reader file_of(const void *bytes, size_t size)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    rewind(stream);
    return (file_reader){.stream = stream, .path = "a.npy", .own = true};
}

/* reads all of it in blocks of `most` rows; the numbers, if wanted, go to `values` */
static lb_status read_all(const void *bytes, size_t size, int most, const lb_allocator *allocator,
                          double *values)
{
    memset(&error, 0, sizeof error);
    lb_status status = npy_open(file_of(bytes, size), "a.npy", allocator, &array, &error);
    size_t at = 0;
    do {
        if (status == LB_OK)
            status = npy_next(&array, most, &error);
        size_t count = status == LB_OK ? (size_t)array.rows * (size_t)array.columns : 0;
        if (values != NULL && count > 0)
            memcpy(values + at, array.values, count * sizeof *values);
        at += count;
    } while (status == LB_OK && array.rows > 0);
    npy_release(&array);
    return status;
}

/* a file of version 1.0 with this header and so many bytes behind it */
static size_t make(unsigned char *bytes, const char *header, const void *data, size_t size)
{
    size_t length = strlen(header);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)(length & 255);
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + 10, header, length);
    memcpy(bytes + 10 + length, data, size);
    return 10 + length + size;
}

static const double six[] = {1, -2, 0.1, 1e300, 5, 6};

/* ---- what is read ------------------------------------------------------- */

TEST(numbers_are_read)
{
    static const char *const headers[] = {
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n",
        "{'shape':(3,2),\"fortran_order\":False,'descr':\"<f8\"}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2, 1), }   \n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3), }   \n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }   \n",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (int most = 1; most <= 4; most++) {
            unsigned char bytes[512];
            double values[6] = {0};
            size_t size = make(bytes, headers[i], six, sizeof six);
            if (read_all(bytes, size, most, NULL, values) != LB_OK)
                fail_msg("%s: %s", headers[i], error.message);
            assert_memory_equal(values, six, sizeof six);
        }
}

TEST(floats_and_later_versions_are_read)
{
    unsigned char bytes[512];
    const float two[] = {1.5f, -3e-7f};
    double values[2] = {0};
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n";
    size_t size = make(bytes, header, two, sizeof two);
    assert_ok(read_all(bytes, size, 8, NULL, values));
    assert_true(values[0] == 1.5 && values[1] == (double)-3e-7f);
    // versions 2 and 3 have a longer length
    for (unsigned char version = 2; version <= 3; version++) {
        unsigned char later[512];
        memcpy(later, bytes, 10);
        later[6] = version;
        later[10] = later[11] = 0;
        memcpy(later + 12, bytes + 10, size - 10);
        assert_ok(read_all(later, size + 2, 8, NULL, values));
    }
}

/* more rows than a piece has, in blocks of any length */
TEST(long_arrays_are_read_in_blocks)
{
    enum { ROWS = 70000 };
    char header[96];
    owned double *numbers = calloc(ROWS, sizeof *numbers), *back = calloc(ROWS, sizeof *back);
    owned unsigned char *bytes = malloc(ROWS * sizeof *numbers + 256);
    assert_true(numbers != NULL && back != NULL && bytes != NULL);
    for (int i = 0; i < ROWS; i++)
        numbers[i] = sqrt(i);
    snprintf(header, sizeof header,
             "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 1), }\n", ROWS);
    size_t size = make(bytes, header, numbers, ROWS * sizeof *numbers);
    static const int blocks[] = {1000, 32768, 65536, ROWS, 1 << 30};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memset(back, 0, ROWS * sizeof *back);
        assert_ok(read_all(bytes, size, blocks[i], NULL, back));
        assert_memory_equal(back, numbers, ROWS * sizeof *back);
    }
}

/* ---- what is refused ---------------------------------------------------- */

TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *header, *says;
    } cases[] = {
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (3, 2), }", "array.astype('<f8')"},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (3, 2), }", "'<i8'"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3, 2), }", "'|O'"},
        {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3,), }", "records"},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }", "ascontiguousarray"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "0 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 3, 2), }", "4 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0), }", "no numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2147483648), }", "too many"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2, 2147483648), }", "too many"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 99999999999, 99999999999), }",
         "too many"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }", "ends in row 4 of the 4"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2147483648, 2), }", "ends in row 4"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "goes on behind"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (6), }", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, -2), }", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2), }",
         "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, }", "no dictionary"},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }",
         "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), } x", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'fortran_order': False, 'shape': (3, 2), }",
         "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), 'shape': (3, 2), }",
         "no dictionary"},
        {"{'shape': (3, 2), 'fortran_order': False, }", "no dictionary"},
        {"{'descr': '<f8', 'shape': (3, 2), }", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3 2), }", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1), }",
         "no dictionary"},
        {"{'a key that is longer than any that is known': 1, }", "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (3, 2), }", "no dictionary"},
        {"{'descr': '<f8', 'more': 1, 'fortran_order': False, 'shape': (3, 2), }", "no dictionary"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bytes[512];
        size_t size = make(bytes, cases[i].header, six, sizeof six);
        assert_int_not_equal(read_all(bytes, size, 4, NULL, NULL), LB_OK);
        if (strstr(error.message, cases[i].says) == NULL)
            fail_msg("%s: '%s' is not in '%s'", cases[i].header, cases[i].says, error.message);
        assert_string_equal(error.path, "a.npy");
    }
}

/* truncated at every byte it is refused; with any byte changed it is read or refused */
TEST(damaged_files_are_refused)
{
    unsigned char bytes[512];
    const char *header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n";
    size_t size = make(bytes, header, six, sizeof six);
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_not_equal(read_all(bytes, cut, 4, NULL, NULL), LB_OK);
        // what is not there is never looked at
        if (cut < size - sizeof six)
            assert_string_equal(error.message, "the file ends in its header");
        assert_true(error.message[0] != '\0');
    }
    for (size_t at = 0; at < size; at++)
        for (int value = 0; value < 256; value += 3) {
            unsigned char kept = bytes[at];
            bytes[at] = (unsigned char)value;
            lb_status status = read_all(bytes, size, 4, NULL, NULL);
            assert_true(status == LB_OK || error.message[0] != '\0');
            bytes[at] = kept;
        }
}

TEST(failing_allocations_are_said)
{
    unsigned char bytes[512];
    size_t size = make(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", six,
                       sizeof six);
    ALLOCATIONS_FAIL (run, 20) {
        run.status = read_all(bytes, size, 1, &run.allocator, NULL);
    }
}

/* ---- arrays in memory --------------------------------------------------- */

static npy_array parsed;

/* parses an array of a type and shape with these bytes as its elements */
static lb_status parse(const char *type, const char *shape, const void *data, size_t size)
{
    static unsigned char bytes[1024];
    char header[512];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
             shape);
    memset(&error, 0, sizeof error);
    return npy_parse(bytes, make(bytes, header, data, size), &parsed, &error);
}

TEST(elements_of_every_type_are_numbers)
{
    static const double reals[] = {-0.1, 1e300};
    static const float halves[] = {-0.5f, 3e-7f};
    static const int32_t words[] = {-2147483647 - 1, 2147483647};
    static const int64_t longs[] = {INT64_MIN, -3};
    static const struct {
        const char *type;
        const void *data;
        size_t size;
        double first, second;
    } cases[] = {
        {"<f8", reals, sizeof reals, -0.1, 1e300},
        {"<f4", halves, sizeof halves, -0.5, (double)3e-7f},
        {"<i4", words, sizeof words, -2147483648.0, 2147483647.0},
        {"<i8", longs, sizeof longs, -9223372036854775808.0, -3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(parse(cases[i].type, "(2,)", cases[i].data, cases[i].size));
        assert_int_equal(parsed.count, 2);
        assert_true(npy_element(&parsed, 0) == cases[i].first);
        assert_true(npy_element(&parsed, 1) == cases[i].second);
        assert_false(npy_text(&parsed, 0, (char[8]){0}, 8));
    }
}

/* UTF-8 of one to four bytes; what is no code point ends a text, as does the room */
TEST(texts_are_utf8)
{
    static const uint32_t letters[] = {'a', 0xe9, 0x20ac, 0x1f916, 'b', 0x110000, 'c', 0, 'd', 0};
    char text[32];
    assert_ok(parse("<U5", "(2,)", letters, sizeof letters));
    assert_true(npy_text(&parsed, 0, text, sizeof text));
    assert_string_equal(text, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\xa4\x96"
                              "b");
    assert_true(npy_text(&parsed, 1, text, sizeof text));
    assert_string_equal(text, "");
    // no letter is cut
    static const char *const cut[] = {"", "", "a", "a", "a\xc3\xa9", "a\xc3\xa9", "a\xc3\xa9"};
    for (size_t room = 1; room < sizeof cut / sizeof *cut; room++) {
        assert_true(npy_text(&parsed, 0, text, room));
        assert_string_equal(text, cut[room]);
    }
}

/* numpy.asfortranarray, which indexing by a list makes, too */
TEST(arrays_by_columns_are_counted_by_rows)
{
    enum { A = 2, B = 3, C = 4 };
    double numbers[A * B * C];
    unsigned char bytes[1024];
    const char *header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4), }";
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                numbers[a + A * (b + B * c)] = 100 * a + 10 * b + c;
    size_t size = make(bytes, header, numbers, sizeof numbers);
    assert_ok(npy_parse(bytes, size, &parsed, &error));
    for (int i = 0; i < A * B * C; i++)
        assert_true(npy_element(&parsed, (size_t)i) == 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4);
}

TEST(arrays_that_are_none_are_refused)
{
    static const struct {
        const char *type, *shape, *says;
    } cases[] = {
        {"<f2", "(2,)", "'<f2'; save array.astype('<f4')"},
        {"<u8", "(2,)", "'<u8'"},
        {"<U0", "(2,)", "'<U0'"},
        {"<U:", "(2,)", "'<U:'"},
        {"<U2x", "(2,)", "'<U2x'"},
        {"<U65536", "(2,)", "'<U65536'"},
        {"<U6553600", "(2,)", "'<U6553600'"},
        {"<f8", "(3,)", "it has other bytes than its shape says"},
        {"<f8", "(1,)", "it has other bytes than its shape says"},
        {"<f8", "(1, 1, 1, 2)", "it has other bytes than its shape says"},
        {"<f8", "(1099511627775, 1099511627775)", "it has other bytes than its shape says"},
        {"<f8", "(2", "its header is none of a plain array"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_not_equal(parse(cases[i].type, cases[i].shape, six, 16), LB_OK);
        if (strstr(error.message, cases[i].says) == NULL)
            fail_msg("%s %s: %s", cases[i].type, cases[i].shape, error.message);
    }
    // an empty one has no elements and is none the less one
    assert_ok(parse("<f8", "(0, 1099511627775)", six, 0));
    assert_int_equal(parsed.count, 0);
    // later versions with their longer length, headers that are cut
    unsigned char bytes[512];
    const char *columns = "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }";
    size_t size = make(bytes, columns, six, 16);
    assert_ok(npy_parse(bytes, size, &parsed, &error));
    assert_int_equal(npy_parse(bytes, 40, &parsed, &error), LB_SYNTAX_ERROR);
    assert_int_equal(npy_parse(bytes, 9, &parsed, &error), LB_SYNTAX_ERROR);
    bytes[6] = 2;
    assert_int_equal(npy_parse(bytes, size, &parsed, &error), LB_SYNTAX_ERROR);
    bytes[1] = 'X';
    assert_int_equal(npy_parse(bytes, size, &parsed, &error), LB_SYNTAX_ERROR);
}

/* ---- what is written ---------------------------------------------------- */

TEST(written_arrays_are_read)
{
    enum { ROWS = 1000, COLUMNS = 3 };
    npy_writer to;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_true(npy_begin(&to, stream, COLUMNS));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        npy_number(&to, i / 7.0);
    assert_true(npy_end(&to));
    rewind(stream);
    // as NumPy writes it: the elements begin at a multiple of 64
    char head[128];
    assert_int_equal(fread(head, 1, sizeof head, stream), sizeof head);
    assert_int_equal(head[127], '\n');
    assert_non_null(strstr(head + 10, "'shape': (1000, 3), }"));
    rewind(stream);
    file_reader source = {.stream = stream, .path = "w.npy", .own = true};
    assert_ok(npy_open(source, "w.npy", NULL, &array, &error));
    assert_ok(npy_next(&array, ROWS, &error));
    assert_int_equal(array.rows, ROWS);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        assert_true(array.values[i] == i / 7.0);
    npy_release(&array);
}

/* the number of rows is filled in at the end: what cannot go back is said to be so at once */
TEST(pipes_take_no_table)
{
    npy_writer to;
    FILE *pipe = popen("cat >/dev/null", "w");
    assert_non_null(pipe);
    assert_false(npy_begin(&to, pipe, 2));
    npy_number(&to, 1);
    assert_false(npy_end(&to));
    assert_int_equal(pclose(pipe), 0);
}
