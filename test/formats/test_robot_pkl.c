/*
 * test_robot_pkl.c - a robot's motion as a pickle: what Python wrote, in every protocol, is read;
 * what is written is read back; what is damaged or calls functions is refused by name.
 *
 * The pickles are fuzz/seeds/pkl, written by Python 3.11 and NumPy 1.24.
 */
#include <limber/formats/load.h>
#include <limber/formats/motion.h>

#include "base/memory.h"
#include "formats/file.h"
#include "formats/motion/arrays.h"
#include "formats/motion/robot.h"
#include "support.h"
#include "support_load.h"

static lb_model *model;

static char *read_seed(const char *name, size_t *size)
{
    char path[512], *text = NULL;
    snprintf(path, sizeof path, "%s/fuzz/seeds/pkl/%s", LIMBER_SOURCE_DIR, name);
    assert_ok(file_read(path, NULL, &text, size, NULL));
    return text;
}

/* ---- motions ------------------------------------------------------------- */

TEST(every_protocol_is_read)
{
    static const char *const names[] = {"protocol_2", "protocol_3", "protocol_4",
                                        "protocol_5", "columns_2",  "columns_5"};
    static const double keys[2][10] = {{0.5, 0, 1, 1, 0, 0, 0, 0.1, 0.2, 0.3},
                                       {0.75, 0, 1, 0.8, 0, 0, 0.6, 0.2, 0.3, 0.4}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t size;
        lb_error error = {0};
        owned_clip *clip = NULL;
        char *text = read_seed(names[n], &size);
        if (robot_pkl_read(text, size, model, NULL, &clip, &error) != LB_OK)
            fail_msg("%s: %s", names[n], error.message);
        free(text);
        assert_int_equal(lb_clip_count(clip), 2);
        assert_near(lb_clip_times(clip)[1], 0.02, 0);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 10; k++)
                assert_near(lb_clip_key(clip, i)[k], keys[i][k], 1e-7);
    }
}

typedef struct text {
    char bytes[1 << 16];
    size_t size;
} text;

static bool add_piece(void *user, const void *bytes, size_t size)
{
    text *to = user;
    if (size > sizeof to->bytes - to->size)
        return false;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

TEST(what_is_written_is_read_back)
{
    static const double halves[] = {0, 1 / 29.97, 2 / 29.97};
    lb_random random = test_seed(11);
    owned_clip *clip = test_random_clip_at(model, halves, 3, LB_INTERPOLATION_LINEAR, &random);
    owned_clip *again = NULL;
    static text made;
    made.size = 0;
    assert_ok(robot_pkl_write(clip, NULL, add_piece, &made, &cause));
    assert_ok(robot_pkl_read(made.bytes, made.size, model, NULL, &again, &cause));
    assert_near(lb_clip_rate(again, 1e-9), 29.97, 1e-12);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < lb_model_nq(model); k++)
            assert_near(lb_clip_key(again, i)[k], lb_clip_key(clip, i)[k], 1e-15);
    // one key has no rate, and a sink may end it
    owned_clip *still = test_random_clip_at(model, halves, 1, LB_INTERPOLATION_LINEAR, &random);
    assert_int_equal(robot_pkl_write(still, NULL, add_piece, &made, &cause), LB_BAD_VALUE);
    made.size = sizeof made.bytes;
    assert_int_equal(robot_pkl_write(clip, NULL, add_piece, &made, &cause), LB_FILE_ERROR);
}

/* cut at every byte, and with every bit changed, it is refused, or a motion */
TEST(damaged_pickles_are_refused)
{
    static const char *const names[] = {"protocol_2", "protocol_4", "protocol_5"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t size;
        owned char *seed = read_seed(names[n], &size);
        for (size_t i = 0; i < size; i++) {
            lb_clip *clip = NULL;
            lb_error error = {0};
            // the end of the bytes is the end of the memory
            owned char *cut = malloc(i + 1);
            memcpy(cut, seed, i);
            assert_int_not_equal(robot_pkl_read(cut, i, model, NULL, &clip, &error), LB_OK);
            assert_null(clip);
            assert_non_null(strstr(error.message, "byte "));
        }
        for (size_t i = 0; i < 8 * size; i++) {
            owned_clip *clip = NULL;
            lb_error error = {0};
            seed[i / 8] = (char)(seed[i / 8] ^ 1 << i % 8);
            lb_status status = robot_pkl_read(seed, size, model, NULL, &clip, &error);
            assert_true((status == LB_OK) == (clip != NULL));
            assert_true(status == LB_OK || strlen(error.message) > 0);
            seed[i / 8] = (char)(seed[i / 8] ^ 1 << i % 8);
        }
    }
}

TEST(every_allocation_may_fail)
{
    size_t size;
    owned char *seed = read_seed("protocol_2", &size);
    ALLOCATIONS_FAIL (run, 10000) {
        lb_error error;
        owned_clip *clip = NULL;
        run.status = robot_pkl_read(seed, size, model, &run.allocator, &clip, &error);
    }
}

/* ---- values -------------------------------------------------------------- */

static const char *const a_name[] = {"a"};

/* reads a pickle; the array "a" of `set` is to be released */
static lb_status read_pickle(const char *bytes, size_t size, const lb_allocator *pool,
                             named_arrays *set, lb_error *error)
{
    *set = (named_arrays){.names = a_name, .count = 1, .memory = *pool};
    *error = (lb_error){.status = LB_OK};
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    lb_status status = pickle_read(copy, size, set, error);
    free(copy);
    return status;
}

/* a text of zeros within, as long as it is written */
#define BYTES(text) (text), sizeof(text) - 1
#define ITEM(value) BYTES("\x80\4}X\1\0\0\0a" value "s.")

TEST(numbers_have_many_opcodes)
{
    static const struct {
        const char *bytes;
        size_t size;
        double number;
    } rows[] = {
        {ITEM("K\xff"), 255},
        {ITEM("M\1\xff"), 65281},
        {ITEM("J\xfe\xff\xff\xff"), -2},
        {ITEM("J\1\0\0\x7f"), 2130706433},
        {ITEM("\x8a\0"), 0},
        {ITEM("\x8a\1\x80"), -128},
        {ITEM("\x8a\2\x80\0"), 128},
        {ITEM("\x8a\x8\0\0\0\0\0\0\0\x80"), -9223372036854775808.0},
        {ITEM("\x8b\2\0\0\0\xff\xff"), -1},
        {ITEM("G\x3f\xf8\0\0\0\0\0\0"), 1.5},
        {ITEM("\x88"), 1},
        {ITEM("\x89"), 0},
        // a memo, by its own number and by one that is given
        {BYTES("\x80\4}(X\1\0\0\0bK\7\x94X\1\0\0\0ah\0u."), 7},
        {BYTES("\x80\4}(X\1\0\0\0bK\7r\3\0\0\0X\1\0\0\0aj\3\0\0\0u."), 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        named_arrays set;
        MEMORY_POOL(memory, NULL);
        lb_error error;
        lb_status status = read_pickle(rows[i].bytes, rows[i].size, &memory, &set, &error);
        if (status != LB_OK || !arrays_has(&set, 0))
            fail_msg("row %zu: %s", i, error.message);
        assert_true(npy_element(&set.arrays[0], 0) == rows[i].number);
    }
}

TEST(what_is_not_read_is_refused)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } rows[] = {
        {BYTES("\x80"), "byte 0 of the pickle: it is damaged, or cut off"},
        {BYTES("\x80\1}."), "its protocol is 1; 2 to 5 are read"},
        {BYTES("\x80\6}."), "its protocol is 6; 2 to 5 are read"},
        {BYTES("\x80\4]."), "it holds no dictionary"},
        {BYTES("\x80\4."), "it holds no dictionary"},
        {BYTES("\x80\4}I1\n."), "opcode 0x49 is not read"},
        {BYTES("\x80\0040."), "opcode 0x30 is not read"},
        {BYTES("\x80\4cos\nsystem\n."), "it needs os.system, and nothing of a pickle is executed"},
        {BYTES("\x80\4X\2\0\0\0osX\4\0\0\0exec\x93."), "it needs os.exec"},
        {BYTES("\x80\4cbuiltins\neval\nX\1\0\0\0"
               "1\x85R."),
         "it needs builtins.eval"},
        {BYTES("\x80\4cnumpy\nndarray"), "damaged"},
        {BYTES("\x80\4K\1K\1\x93."), "damaged"},
        {BYTES("\x80\4cnumpy\nndarray\n)R."), "damaged"},
        {BYTES("\x80\4cnumpy\ndtype\n)R."), "damaged"},
        {BYTES("\x80\4K\1)R."), "damaged"},
        {BYTES("\x80\4}}b."), "damaged"},
        {BYTES("\x80\4K\1K\1s."), "damaged"},
        {BYTES("\x80\4}(K\1u."), "damaged"},
        {BYTES("\x80\4}(K\1K\1s."), "damaged"},
        {BYTES("\x80\4}K\1a."), "damaged"},
        {BYTES("\x80\4](K\1K\1u."), "it holds no dictionary"},
        {BYTES("\x80\4(K\1K\1\x87."), "damaged"},
        {BYTES("\x80\4t."), "damaged"},
        {BYTES("\x80\4h\0."), "damaged"},
        {BYTES("\x80\4j\xff\xff\xff\xff."), "damaged"},
        {BYTES("\x80\4}r\xff\xff\xff\xff."), "it has more than "},
        {BYTES("\x80\4(\x94."), "damaged"},
        {BYTES("\x80\4\x8e\xff\xff\xff\xff\xff\xff\xff\xff."), "damaged"},
        {BYTES("\x80\4\x8d\1\0\0\0\0\0\0"), "damaged"},
        {ITEM("\x8a\x9\0\0\0\0\0\0\0\0\1"), "a number has 9 bytes"},
        {ITEM("N"), "a: it is no array of numbers"},
        {ITEM("]"), "a: it is no array of numbers"},
        {BYTES("\x80\4}(X\1\0\0\0aK\1X\1\0\0\0aK\2u."), "a: it is in the file twice"},
        {ITEM("c_codecs\nencode\nX\1\0\0\0bX\5\0\0\0ascii\x86R"), "damaged"},
        {ITEM("c_codecs\nencode\nX\3\0\0\0\xe2\x82\xacX\6\0\0\0latin1\x86R"), "damaged"},
        {ITEM("c_codecs\nencode\nX\1\0\0\0\xc2X\6\0\0\0latin1\x86R"), "damaged"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        named_arrays set;
        MEMORY_POOL(memory, NULL);
        lb_error error;
        assert_int_not_equal(read_pickle(rows[i].bytes, rows[i].size, &memory, &set, &error),
                             LB_OK);
        if (strstr(error.message, rows[i].says) == NULL)
            fail_msg("row %zu: \"%s\" is not in \"%s\"", i, rows[i].says, error.message);
    }
}

/* an array of a type, a shape and so many bytes, as _frombuffer makes it */
static lb_status read_array(const char *type, const char *shape, size_t shape_size, int bytes,
                            const lb_allocator *pool, named_arrays *set, lb_error *error)
{
    static const char begin[] = "\x80\4}X\1\0\0\0acnumpy.core.numeric\n_frombuffer\n(C";
    text t = {.size = 0};
    add_piece(&t, BYTES(begin));
    add_piece(&t, &(char){(char)bytes}, 1);
    add_piece(&t, (char[256]){0}, (size_t)bytes);
    add_piece(&t, BYTES("cnumpy\ndtype\nX\2\0\0\0"));
    add_piece(&t, type, 2);
    add_piece(&t, BYTES("\x85R"));
    add_piece(&t, shape, shape_size);
    add_piece(&t, BYTES("X\1\0\0\0CtRs."));
    return read_pickle(t.bytes, t.size, pool, set, error);
}

TEST(arrays_have_the_bytes_of_their_shape)
{
    named_arrays set;
    MEMORY_POOL(memory, NULL);
    const struct {
        const char *type, *shape;
        size_t size;
        int bytes;
        lb_status status;
    } rows[] = {
        {"f8", BYTES("K\2\x85"), 16, LB_OK},
        {"f8", BYTES("K\2\x85"), 15, LB_SYNTAX_ERROR},
        {"f8", BYTES("K\2\x85"), 17, LB_SYNTAX_ERROR},
        {"f8", BYTES("K\2\x85"), 24, LB_SYNTAX_ERROR},
        {"f4", BYTES("K\2K\1K\2\x87"), 16, LB_OK},
        {"i8", BYTES("K\0\x85"), 0, LB_OK},
        {"i4", BYTES(")"), 4, LB_OK},
        {"f4", BYTES("J\xff\xff\xff\xff\x85"), 16, LB_SYNTAX_ERROR},
        {"f4", BYTES("J\0\0\0\x40J\0\0\0\x40J\0\0\0\x40\x87"), 16, LB_SYNTAX_ERROR},
        {"f4", BYTES("(K\1K\1K\1K\4t"), 16, LB_SYNTAX_ERROR},
        {"f4", BYTES("N\x85"), 16, LB_SYNTAX_ERROR},
        {"O8", BYTES("K\2\x85"), 16, LB_UNSUPPORTED},
        {"c8", BYTES("K\2\x85"), 16, LB_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lb_status status = read_array(rows[i].type, rows[i].shape, rows[i].size, rows[i].bytes,
                                      &memory, &set, &cause);
        if (status != rows[i].status)
            fail_msg("row %zu: %d, %s", i, (int)status, cause.message);
    }
}

/* what grows without end, and what is nested far, is bounded */
TEST(values_are_bounded)
{
    enum { SIZE = 1 << 20 };
    static const char opcodes[] = "N(]})";
    owned char *bytes = malloc(SIZE);
    for (size_t k = 0; k < sizeof opcodes - 1; k++) {
        named_arrays set;
        MEMORY_POOL(memory, NULL);
        lb_error error;
        memset(bytes, opcodes[k], SIZE);
        memcpy(bytes, "\x80\4", 2);
        assert_refused(read_pickle(bytes, SIZE, &memory, &set, &error), LB_UNSUPPORTED, &error,
                       "it has more than 65536 values");
        // each tuple holds the one before it
        memset(bytes + 2, 0x85, 30000);
        bytes[2] = ')';
        bytes[30002] = '.';
        assert_int_equal(read_pickle(bytes, 30003, &memory, &set, &error), LB_BAD_VALUE);
    }
}

/* ---- files --------------------------------------------------------------- */

static const struct {
    const char *from, *to, *says;
} spoilt[] = {
    {"root_pos", "root_pot", "root_pos: there is no such array in the file"},
    {"fps", "fpt", "fps: there is no such array in the file"},
    {"dof_pos", "dof_pot", "dof_pos: there is no such array in the file"},
    {"K2", "K\1", NULL},
    {"K2", "K", "fps: it is not one number of frames a second"},
    {"\x33\x33\x33\x33\x33\x33\xe3\x3f", "\x33\x33\x33\x33\x33\x33\xf3\x3f",
     "root_rot: frame 1: a quaternion of length 1.44"},
    {"\0\0\0\0\0\0\xe0\x3f", "\0\0\0\0\0\0\xf0\x7f", "root_pos: frame 0 has what is no number"},
    {"K\2K\3\x86", "K\3K\2\x86", "root_pos: its shape is (3, 2), where 3 frames of 3 numbers"},
    {"K\2K\4\x86", "K\4K\2\x86", "root_rot: its shape is (4, 2), where 2 frames of 4 numbers"},
};

TEST(wrong_arrays_are_refused_by_name)
{
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        size_t size, at = 0;
        char *seed = read_seed("protocol_4", &size);
        size_t from = strlen(spoilt[i].from), to = strlen(spoilt[i].to);
        if (*spoilt[i].from == '\0')
            from = to = 8;
        to = to < from ? from : to; // the zero at its end
        while (at + from < size && memcmp(seed + at, spoilt[i].from, from) != 0)
            at++;
        assert_true(at + from < size);
        memcpy(seed + at, spoilt[i].to, to);
        owned_clip *clip = NULL;
        lb_error error = {0};
        lb_status status = robot_pkl_read(seed, size, model, NULL, &clip, &error);
        free(seed);
        if (spoilt[i].says == NULL)
            assert_ok(status);
        else if (status == LB_OK || strstr(error.message, spoilt[i].says) == NULL)
            fail_msg("row %zu: \"%s\" is not in \"%s\"", i, spoilt[i].says, error.message);
    }
}

TEST(refusals_name_the_file)
{
    size_t size;
    char *seed = read_seed("call", &size);
    lb_motion *motion = NULL;
    FILE *stream = fopen("call.dat", "wb");
    assert_int_equal(fwrite(seed, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
    free(seed);
    lb_motion_options options = {.model = model};
    assert_int_equal(lb_motion_open("call.dat", &options, &motion, &cause), LB_UNSUPPORTED);
    assert_string_equal(cause.path, "call.dat");
    assert_non_null(strstr(cause.message, "it needs posix.system"));
    remove("call.dat");
}

static int make_model(void)
{
    model = test_load_moving("planar3");
    return 0;
}

static int drop_model(void)
{
    lb_model_release(model);
    return 0;
}

TEST_FIXTURE(make_model, drop_model)
