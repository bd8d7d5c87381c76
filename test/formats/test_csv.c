/*
 * test_csv.c - what is read as a table, what is refused and with which words.
 */
#define _POSIX_C_SOURCE 200809L

#include "formats/csv_whole.h"

#include <math.h>
#include <unistd.h>

#include "support.h"

static csv_table table;
static lb_error error;

static lb_status parse(const char *text)
{
    csv_release(&table);
    memset(&error, 0, sizeof error);
    return csv_whole("t.csv", text, strlen(text), NULL, &table, &error);
}

static void parse_or_fail(const char *text)
{
    assert_made(parse(text), error);
}

static int release_table(void)
{
    csv_release(&table);
    return 0;
}

/* ---- what is read ------------------------------------------------------- */

TEST(test_plain)
{
    parse_or_fail("x,y,z\n1,2,3\n-4.5,0,6e2\n");
    assert_int_equal(table.columns, 3);
    assert_int_equal(table.rows, 2);
    assert_int_equal(csv_column(&table, "z"), 2);
    assert_int_equal(csv_column(&table, "w"), -1);
    assert_string_equal(csv_name(&table, 1), "y");
    assert_int_equal(table.lines[1], 3);
    double value;
    assert_ok(csv_number(&table, 1, 2, &value, NULL));
    assert_true(value == 600);
}

/* the same table however its lines end, with a byte order mark, blanks and empty lines behind */
TEST(test_same_table)
{
    static const char *const texts[] = {
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "a,b\r\n1,2\r\n3,4\r\n",
        "a,b\r1,2\r3,4\r",
        "\xEF\xBB\xBF\x61,b\r\n1,2\r\n3,4\r\n\r\n",
        " a ,\tb\n 1, 2 \n3,4\n\n  \n\n",
        "\"a\",\"b\"\n\"1\",\"2\"\n\"3\" , \"4\" \n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        parse_or_fail(texts[i]);
        assert_int_equal(table.rows, 2);
        assert_int_equal(table.columns, 2);
        assert_string_equal(csv_name(&table, 0), "a");
        assert_string_equal(csv_name(&table, 1), "b");
        assert_string_equal(csv_text(&table, 0, 1), "2");
        assert_string_equal(csv_text(&table, 1, 0), "3");
        assert_string_equal(csv_text(&table, 1, 1), "4");
        assert_int_equal(table.lines[1], 3);
    }
}

TEST(test_quotes)
{
    parse_or_fail("\"a \"\"b\"\"\",\"c,d\"\n\" e \",\"two\nlines\"\n\"\",x\n");
    assert_string_equal(csv_name(&table, 0), "a \"b\"");
    assert_string_equal(csv_name(&table, 1), "c,d");
    assert_string_equal(csv_text(&table, 0, 0), " e ");
    assert_string_equal(csv_text(&table, 0, 1), "two\nlines");
    assert_string_equal(csv_text(&table, 1, 0), "");
    assert_int_equal(table.lines[0], 2);
    assert_int_equal(table.lines[1], 4);
}

TEST(test_header_alone)
{
    parse_or_fail("x\n");
    assert_int_equal(table.rows, 0);
    assert_int_equal(table.columns, 1);
}

/* ---- what is refused ---------------------------------------------------- */

TEST(test_refusals)
{
    static const struct {
        const char *text;
        int line;
        const char *message;
    } cases[] = {
        {"", 0, "the file is empty; its first line must name the columns"},
        {" \r\n\n\t", 0, "the file is empty; its first line must name the columns"},
        {"\xEF\xBB\xBF", 0, "the file is empty; its first line must name the columns"},
        {"\nx,y\n1,2\n", 1, "an empty line is before the end; remove it"},
        {"x,y\n1,2\n\n3,4\n", 3, "an empty line is before the end; remove it"},
        {"x,y\n1\n", 2, "1 field where the header has 2"},
        {"x,y\n1,2\n1,2,3\n", 3, "3 fields where the header has 2"},
        {"x,y,\n1,2,3\n", 1, "column 3 has no name"},
        {"x,y,x\n", 1, "two columns are named 'x'"},
        {"x;y;z\n1;2;3\n", 1, "no comma in the header: columns are separated by commas alone"},
        {"x,y\n1,\"2\n", 2, "the '\"' that opens a field is never closed"},
        {"x,y\n1,\"2\"3\n", 2, "after a closing '\"' comes '3' where a comma is wanted"},
        {"x,y\n1,2\"3\"\n", 2, "a '\"' is inside a field that does not begin with one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i].text), LB_SYNTAX_ERROR);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(error.line, cases[i].line);
        assert_string_equal(error.path, "t.csv");
        assert_null(table.text);
    }
}

TEST(test_binary)
{
    csv_release(&table);
    static const char utf16[] = "\xFF\xFEx\0,\0y\0\n";
    assert_int_equal(csv_whole("t.csv", utf16, sizeof utf16 - 1, NULL, &table, &error),
                     LB_SYNTAX_ERROR);
    assert_string_equal(error.message, "the text is UTF-16; save it as UTF-8");
    assert_int_equal(csv_whole("t.csv", "x,y\n1,\0", 7, NULL, &table, &error), LB_SYNTAX_ERROR);
    assert_string_equal(error.message, "this is not a text file (CSV in ASCII or UTF-8 is wanted)");
}

TEST(test_bad_numbers)
{
    static const char *const messages[] = {
        "column 'qw': 'abc' is not a number",
        "column 'qw': 'nan' is not a finite number",
        "column 'qw': '-inf' is not a finite number",
        "column 'qw': '1e999' is too large",
        "column 'qw' is empty",
    };
    parse_or_fail("x,qw\n1,abc\n1,nan\n1,-inf\n1,1e999\n1,\n");
    for (int i = 0; i < 5; i++) {
        double value = 42;
        memset(&error, 0, sizeof error);
        assert_int_equal(csv_number(&table, i, 1, &value, &error), LB_BAD_VALUE);
        assert_string_equal(error.message, messages[i]);
        assert_string_equal(error.path, "t.csv");
        assert_int_equal(error.line, i + 2);
        assert_true(value == 42);
    }
}

/* ---- whatever comes ----------------------------------------------------- */

static const char sample[] = "\xEF\xBB\xBFx, \"y \"\"q\"\"\",z\r\n1,2,3\r\n\"a\nb\",,0\r\n\r\n";

/* a table in the shape that its head has, or an error with words */
static void check_either(lb_status status)
{
    if (status != LB_OK) {
        assert_true(error.message[0] != '\0');
        assert_string_equal(error.path, "t.csv");
        return;
    }
    for (int column = 0; column < table.columns; column++)
        assert_non_null(csv_name(&table, column));
    for (int row = 0; row < table.rows; row++)
        for (int column = 0; column < table.columns; column++)
            assert_non_null(csv_text(&table, row, column));
}

TEST(test_truncated)
{
    for (size_t size = 0; size < sizeof sample; size++) {
        /* a copy of exactly that size, so that a sanitizer sees a read beyond it */
        owned char *text = malloc(size == 0 ? 1 : size);
        memcpy(text, sample, size);
        csv_release(&table);
        memset(&error, 0, sizeof error);
        check_either(csv_whole("t.csv", text, size, NULL, &table, &error));
    }
}

TEST(test_patched)
{
    char text[sizeof sample];
    for (size_t i = 0; i + 1 < sizeof sample; i++)
        for (int byte = 0; byte < 256; byte++) {
            memcpy(text, sample, sizeof sample);
            text[i] = (char)byte;
            csv_release(&table);
            memset(&error, 0, sizeof error);
            check_either(csv_whole("t.csv", text, sizeof sample - 1, NULL, &table, &error));
        }
}

/* ---- blocks ------------------------------------------------------------- */

/* the same as table and error, read from a stream in pieces */
static csv_table blocks;
static lb_error block_error;

/* all rows by blocks of `most`, each compared with `table` from *done on */
static lb_status read_blocks(FILE *stream, size_t room, int most, int *done)
{
    lb_status status = csv_open_source((file_reader){.stream = stream, .own = true}, "t.csv", room,
                                       NULL, &blocks, &block_error);
    *done = 0;
    while (status == LB_OK) {
        status = csv_next(&blocks, most, &block_error);
        if (status != LB_OK || blocks.rows == 0)
            break;
        assert_true(blocks.rows <= most);
        for (int row = 0; table.rows > 0 && row < blocks.rows; row++, ++*done) {
            assert_int_equal(blocks.lines[row], table.lines[*done]);
            for (int column = 0; column < table.columns; column++)
                assert_string_equal(csv_text(&blocks, row, column),
                                    csv_text(&table, *done, column));
        }
    }
    return status;
}

/* the same rows or the same refusal, wherever the text is cut and however many rows are read */
static void check_blocks(const char *text, size_t size)
{
    csv_release(&table);
    memset(&error, 0, sizeof error);
    lb_status whole = csv_whole("t.csv", text, size, NULL, &table, &error);
    for (size_t room = 1; room <= 8; room++)
        for (int most = 1; most <= 3; most++) {
            int done;
            FILE *stream = fmemopen((void *)text, size, "rb");
            assert_non_null(stream);
            memset(&block_error, 0, sizeof block_error);
            lb_status status = read_blocks(stream, room, most, &done);
            assert_int_equal(status, whole);
            // what is binary is seen before the rows in front of it, or after them
            if (whole != LB_OK && memchr(text, '\0', size) == NULL) {
                assert_string_equal(block_error.message, error.message);
                assert_int_equal(block_error.line, error.line);
            }
            if (whole == LB_OK)
                assert_int_equal(done, table.rows);
            assert_string_equal(block_error.path, "t.csv");
            csv_release(&blocks);
        }
}

TEST(test_blocks)
{
    static const char *const texts[] = {
        "a,b\n1,2\n3,4\n5,6\n7,8\n",
        "a,b\r\n1,2\r\n3,4\r\n\r\n  \n",
        "a\r1\r2\r\r",
        "a\n1\n2\n\n\n\n3\n",
        "a,b\n\"x\n\ny\",\"\"\"\"\n \"q,\" ,2\n",
        "a,b\n1,2\"\n3,4\n",
        "a,b\n1,\"2\n3,4\n",
        "\n\na\n",
        " \n\n ",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_blocks(texts[i], strlen(texts[i]));
    for (size_t size = 1; size < sizeof sample; size++)
        check_blocks(sample, size);
}

/* a byte of the sample changed in turn */
TEST(test_blocks_patched)
{
    static const char bytes[] = "\",\r\n x";
    char text[sizeof sample];
    for (size_t i = 0; i + 1 < sizeof sample; i++)
        for (size_t k = 0; k < sizeof bytes; k++) {
            memcpy(text, sample, sizeof sample);
            text[i] = bytes[k];
            check_blocks(text, sizeof sample - 1);
        }
}

/* a table of 300 x 70 comes back cell by cell */
TEST(test_large)
{
    enum { ROWS = 300, COLUMNS = 70 };
    size_t size = 0, room = (ROWS + 1) * COLUMNS * 8;
    char *text = malloc(room);
    for (int row = -1; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            size += (size_t)snprintf(text + size, room - size, "%s%d%c", row < 0 ? "c" : "",
                                     row < 0 ? column : row * COLUMNS + column,
                                     column == COLUMNS - 1 ? '\n' : ',');
    parse_or_fail(text);
    free(text);
    assert_int_equal(table.rows, ROWS);
    assert_int_equal(table.columns, COLUMNS);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            double value;
            assert_ok(csv_number(&table, row, column, &value, &error));
            assert_true(value == row * COLUMNS + column);
        }
}

/* ---- memory and files --------------------------------------------------- */

static int allocations_left;

static void *allocate_some(void *user, size_t size)
{
    (void)user;
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

static void release_any(void *user, void *memory)
{
    (void)user;
    free(memory);
}

TEST(test_no_memory)
{
    const lb_allocator allocator = {allocate_some, release_any, NULL};
    csv_release(&table);
    for (int allowed = 0;; allowed++) {
        allocations_left = allowed;
        lb_status status = csv_whole("t.csv", "x\n1\n", 4, &allocator, &table, &error);
        if (status == LB_OK) {
            assert_int_equal(allowed, 5);
            break;
        }
        assert_int_equal(status, LB_OUT_OF_MEMORY);
        assert_null(table.text);
    }
}

TEST(test_files)
{
    csv_release(&table);
    assert_int_equal(csv_open("no-such.csv", NULL, &table, &error), LB_FILE_ERROR);
    assert_string_equal(error.path, "no-such.csv");
    assert_string_equal(error.message, "cannot be opened: No such file or directory");
    assert_int_equal(csv_open(".", NULL, &table, &error), LB_FILE_ERROR);
    assert_string_equal(error.message, "cannot be read: Is a directory");

    /* longer than the first block that a file is read into */
    FILE *file = fopen("test_csv.tmp", "wb");
    assert_non_null(file);
    fputs("x\n", file);
    for (int i = 0; i < 100000; i++)
        fprintf(file, "%d\n", i);
    fclose(file);
    lb_status status = csv_open("test_csv.tmp", NULL, &table, &error);
    if (status == LB_OK)
        status = csv_next(&table, INT_MAX, &error);
    unlink("test_csv.tmp");
    assert_ok(status);
    assert_int_equal(table.rows, 100000);
    assert_string_equal(csv_text(&table, 99999, 0), "99999");
}

/* ---- memory --------------------------------------------------------------- */

/* rows that have fewer fields than a long header wants are refused before there is room for all */
TEST(test_short_rows)
{
    enum { COLUMNS = 20000, ROWS = 4000 };
    size_t bytes = 0;
    lb_allocator allocator = test_byte_allocator(&bytes);
    char *text = malloc(8 * COLUMNS + 2 * ROWS + 16), *at = text;
    assert_non_null(text);
    for (int i = 0; i < COLUMNS; i++)
        at += sprintf(at, "%sc%d", i > 0 ? "," : "", i);
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "\n1");
    csv_release(&table);
    assert_int_equal(csv_whole("w.csv", text, (size_t)(at - text), &allocator, &table, &error),
                     LB_SYNTAX_ERROR);
    assert_string_equal(error.message, "1 field where the header has 20000");
    assert_int_equal(error.line, 2);
    // room for all of them would have 640 MB
    assert_true(bytes < 50 * (size_t)(at - text));
    free(text);
}

TEST_FIXTURE(NULL, release_table)
