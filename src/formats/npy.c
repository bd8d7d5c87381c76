/*
 * npy.c - NumPy's arrays in files.
 *
 * The header is Python's text of a dictionary of three members. It is read by a scanner for just
 * that: strings, True and False, a tuple of whole numbers. Whatever else is there is refused.
 * Elements are put together from bytes, so that the machine's own order does not matter.
 */
#include "formats/npy.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum {
    MAGIC = 6,           /* and two bytes of version */
    MOST_HEADER = 10000, /* as many as NumPy itself reads */
    PIECE = 1 << 15,     /* elements that are converted at once */
};

/* the most rows or columns of an array: far beyond any file */
#define MOST_COUNT (INT64_C(1) << 40)

static const unsigned char magic[MAGIC] = {NPY_FIRST_BYTE, 'N', 'U', 'M', 'P', 'Y'};

/* ---- the header's text -------------------------------------------------- */

typedef struct header {
    char descr[64]; /* "" unless it is a string */
    bool has_descr, has_order, has_shape;
    bool fortran;
    int dimensions;
    int64_t shape[NPY_DIMENSIONS];
} header;

typedef struct scanner {
    const char *at, *end;
} scanner;

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t'))
        s->at++;
}

/* steps over a text, after blanks; false where there is another one */
static bool skip_text(scanner *s, const char *text)
{
    size_t size = strlen(text);
    skip_blanks(s);
    if ((size_t)(s->end - s->at) < size || memcmp(s->at, text, size) != 0)
        return false;
    s->at += size;
    return true;
}

/* a string in quotes of either kind, without escapes */
static bool read_string(scanner *s, char *text, size_t room)
{
    skip_blanks(s);
    if (s->at == s->end || (*s->at != '\'' && *s->at != '"'))
        return false;
    const char *begin = s->at + 1;
    const char *stop = memchr(begin, *s->at, (size_t)(s->end - begin));
    if (stop == NULL || (size_t)(stop - begin) >= room)
        return false;
    memcpy(text, begin, (size_t)(stop - begin));
    text[stop - begin] = '\0';
    s->at = stop + 1;
    return true;
}

/* (), (3,), (3, 4): a negative number of dimensions where there are too many */
static bool read_shape(scanner *s, header *h)
{
    if (!skip_text(s, "("))
        return false;
    for (h->dimensions = 0; !skip_text(s, ")"); h->dimensions++) {
        int64_t count = 0;
        skip_blanks(s);
        const char *begin = s->at;
        for (; s->at < s->end && *s->at >= '0' && *s->at <= '9' && count < MOST_COUNT; s->at++)
            count = 10 * count + (*s->at - '0');
        if (s->at == begin || count >= MOST_COUNT || h->dimensions > 32)
            return false;
        if (h->dimensions < NPY_DIMENSIONS)
            h->shape[h->dimensions] = count;
        // one number needs its comma
        skip_blanks(s);
        if (!skip_text(s, ",") && (h->dimensions == 0 || s->at == s->end || *s->at != ')'))
            return false;
    }
    return true;
}

/* true for a member that is known, there for the first time and well formed */
static bool read_member(scanner *s, header *h)
{
    char key[32];
    if (!read_string(s, key, sizeof key) || !skip_text(s, ":"))
        return false;
    if (strcmp(key, "descr") == 0 && !h->has_descr) {
        h->has_descr = true;
        return read_string(s, h->descr, sizeof h->descr);
    }
    if (strcmp(key, "fortran_order") == 0 && !h->has_order) {
        h->has_order = true;
        h->fortran = skip_text(s, "True");
        return h->fortran || skip_text(s, "False");
    }
    if (strcmp(key, "shape") == 0 && !h->has_shape) {
        h->has_shape = true;
        return read_shape(s, h);
    }
    return false;
}

static bool parse_header(const char *text, size_t size, header *h)
{
    scanner s = {text, text + size};
    *h = (header){.dimensions = 0};
    if (!skip_text(&s, "{"))
        return false;
    for (bool more = true; !skip_text(&s, "}"); more = skip_text(&s, ","))
        if (!more || !read_member(&s, h))
            return false;
    skip_blanks(&s);
    return s.at == s.end && h->has_descr && h->has_order && h->has_shape;
}

/* ---- reading ------------------------------------------------------------ */

static lb_status refuse(lb_error *error, lb_status status, const char *message)
{
    return lb_error_set(error, status, 0, "%s", message);
}

/* what the elements are, from the text of their type */
static lb_status take_type(npy_reader *array, const header *h, lb_error *error)
{
    array->item = strcmp(h->descr, "<f8") == 0 ? 8 : strcmp(h->descr, "<f4") == 0 ? 4 : 0;
    if (array->item == 0)
        return REFUSE_UNSUPPORTED(error,
                                  "its elements are '%.40s'; '<f8' or '<f4' is wanted: save "
                                  "array.astype('<f8')",
                                  h->descr);
    if (h->fortran)
        return refuse(error, LB_UNSUPPORTED,
                      "it is stored column by column (fortran_order); save "
                      "numpy.ascontiguousarray(array)");
    return LB_OK;
}

/* rows and columns from the shape */
static lb_status take_shape(npy_reader *array, const header *h, lb_error *error)
{
    if (h->dimensions < 1 || h->dimensions > NPY_DIMENSIONS)
        return REFUSE_UNSUPPORTED(
            error, "it has %d dimensions; a row for each item is wanted: (rows, columns)",
            h->dimensions);
    for (int i = 0; i < NPY_DIMENSIONS; i++)
        array->shape[i] = i < h->dimensions ? h->shape[i] : 1;
    array->dimensions = h->dimensions;
    bool single = h->dimensions == 1;
    int64_t columns = single ? array->shape[0] : array->shape[1];
    // each is below 2^40, so that the first comparison bounds the product
    if (columns <= INT_MAX && array->shape[2] <= INT_MAX)
        columns *= array->shape[2];
    else
        columns = MOST_COUNT;
    if (columns < 1 || columns > PIECE)
        return REFUSE_UNSUPPORTED(error, "its rows have %s numbers",
                                  columns < 1 ? "no" : "too many");
    array->total = single ? 1 : array->shape[0];
    array->columns = (int)columns;
    return LB_OK;
}

static lb_status refuse_end(lb_error *error)
{
    return refuse(error, LB_SYNTAX_ERROR, "the file ends in its header");
}

/* the bytes up to the header's text, and its length */
static lb_status read_prefix(npy_reader *array, size_t *length, lb_error *error)
{
    unsigned char bytes[MAGIC + 2 + 4];
    size_t size = 0;
    TRY(file_next(&array->source, (char *)bytes, MAGIC + 2, &size, error));
    if (size < MAGIC + 2)
        return refuse_end(error);
    if (memcmp(bytes, magic, MAGIC) != 0)
        return refuse(error, LB_SYNTAX_ERROR, "this is no .npy file: its first bytes are others");
    int major = bytes[MAGIC], minor = bytes[MAGIC + 1], digits = major == 1 ? 2 : 4;
    if (major < 1 || major > 3 || minor != 0)
        return REFUSE_UNSUPPORTED(error, "its format is %d.%d; 1.0, 2.0 and 3.0 are read", major,
                                  minor);
    TRY(file_next(&array->source, (char *)bytes + MAGIC + 2, (size_t)digits, &size, error));
    if (size < (size_t)digits)
        return refuse_end(error);
    *length = (size_t)bytes_whole(bytes + MAGIC + 2, (size_t)digits);
    if (*length > MOST_HEADER)
        return REFUSE_UNSUPPORTED(error, "its header has %zu bytes, more than %d", *length,
                                  MOST_HEADER);
    return LB_OK;
}

static lb_status read_header(npy_reader *array, lb_error *error)
{
    char text[MOST_HEADER];
    header h;
    size_t length = 0, size = 0;
    TRY(read_prefix(array, &length, error));
    TRY(file_next(&array->source, text, length, &size, error));
    if (size < length)
        return refuse_end(error);
    if (!parse_header(text, length, &h)) {
        // of records the type is a list
        bool records = h.has_descr && *h.descr == '\0';
        return refuse(error, records ? LB_UNSUPPORTED : LB_SYNTAX_ERROR,
                      records ? "its elements are records; save an array of numbers, '<f8'"
                              : "its header is no dictionary of descr, fortran_order and shape");
    }
    TRY(take_type(array, &h, error));
    return take_shape(array, &h, error);
}

static lb_status keep_or_release(npy_reader *array, lb_status status)
{
    if (status != LB_OK)
        npy_release(array);
    return status;
}

static void start_error(const npy_reader *array, lb_error *error)
{
    error_set_path(error, array->path);
}

lb_status npy_open(file_reader source, const char *path, const lb_allocator *allocator,
                   npy_reader *array, lb_error *error)
{
    *array = (npy_reader){.source = source, .allocator = memory_allocator(allocator)};
    snprintf(array->path, sizeof array->path, "%s", strcmp(path, "-") == 0 ? "<stdin>" : path);
    array->source.path = array->path;
    start_error(array, error);
    lb_status status = read_header(array, error);
    if (status == LB_OK) {
        array->raw = memory_take(&array->allocator, PIECE, (size_t)array->item);
        if (array->raw == NULL)
            status = refuse(error, LB_OUT_OF_MEMORY, "no memory for its rows");
    }
    return keep_or_release(array, status);
}

/* room for `rows` rows, of which the first `kept` stay; no more than `most` are ever wanted */
static lb_status make_room(npy_reader *array, int rows, int kept, int most, lb_error *error)
{
    if (rows <= array->room)
        return LB_OK;
    // doubled, because a header may lie about its rows
    int room = rows < most / 2 ? 2 * rows : most;
    size_t columns = (size_t)array->columns;
    double *larger = memory_take(&array->allocator, (size_t)room * columns, sizeof *larger);
    if (larger == NULL)
        return refuse(error, LB_OUT_OF_MEMORY, "no memory for its rows");
    if (kept > 0)
        memcpy(larger, array->values, (size_t)kept * columns * sizeof *larger);
    memory_release(&array->allocator, array->values);
    array->values = larger;
    array->room = room;
    return LB_OK;
}

/* elements as doubles */
static void convert(const npy_reader *array, size_t count, double *values)
{
    const size_t size = (size_t)array->item;
    for (size_t i = 0; i < count; i++)
        values[i] = bytes_real(array->raw + size * i, size);
}

/* the next `rows` rows into those of the block from `at` on; they fit into a piece */
static lb_status read_piece(npy_reader *array, int at, int rows, lb_error *error)
{
    size_t size = 0, item = (size_t)array->item, count = (size_t)rows * (size_t)array->columns;
    array->source.path = array->path; // the array may have moved
    lb_status status = file_next(&array->source, array->raw, count * item, &size, error);
    if (status == LB_OK && size < count * item)
        return lb_error_set(
            error, LB_SYNTAX_ERROR, 0,
            "the file ends in row %" PRId64 " of the %" PRId64 " that its header says",
            array->before + at + (int64_t)(size / item) / array->columns + 1, array->total);
    convert(array, count, array->values + (size_t)at * (size_t)array->columns);
    return status;
}

/* nothing may follow the last row */
static lb_status check_end(npy_reader *array, lb_error *error)
{
    size_t size = 0;
    array->source.path = array->path;
    TRY(file_next(&array->source, array->raw, 1, &size, error));
    if (size > 0)
        return refuse(error, LB_SYNTAX_ERROR,
                      "the file goes on behind the rows that its header says");
    return LB_OK;
}

lb_status npy_next(npy_reader *array, int most, lb_error *error)
{
    start_error(array, error);
    array->before += array->rows;
    array->rows = 0;
    int64_t left = array->total - array->before;
    int wanted = (int)(left < most ? left : most), fit = PIECE / array->columns;
    lb_status status = wanted == 0 ? check_end(array, error) : LB_OK;
    for (int at = 0, rows; status == LB_OK && at < wanted; at += rows) {
        rows = wanted - at < fit ? wanted - at : fit;
        status = make_room(array, at + rows, at, wanted, error);
        if (status == LB_OK)
            status = read_piece(array, at, rows, error);
        array->rows = at + rows;
    }
    return keep_or_release(array, status);
}

void npy_release(npy_reader *array)
{
    file_close(&array->source);
    if (array->allocator.release != NULL) {
        memory_release(&array->allocator, array->values);
        memory_release(&array->allocator, array->raw);
    }
    memset(array, 0, sizeof *array);
}

/* ---- arrays in memory --------------------------------------------------- */

/* how many elements a shape has, -1: more than any memory */
static int64_t count_elements(const header *h)
{
    int64_t count = 1;
    for (int i = 0; i < h->dimensions && i < NPY_DIMENSIONS; i++) {
        if (h->shape[i] > 0 && count > MOST_COUNT / h->shape[i])
            return -1;
        count *= h->shape[i];
    }
    return h->dimensions > NPY_DIMENSIONS ? -1 : count;
}

lb_status npy_parse(const void *bytes, size_t size, npy_array *array, lb_error *error)
{
    const unsigned char *at = bytes;
    header h;
    bool later = size > MAGIC && at[MAGIC] > 1;
    size_t prefix = MAGIC + 2 + (later ? 4 : 2);
    if (size < prefix || memcmp(at, magic, MAGIC) != 0)
        return refuse(error, LB_SYNTAX_ERROR, "this is no .npy array");
    size_t length = (size_t)bytes_whole(at + MAGIC + 2, later ? 4 : 2);
    if (length > size - prefix || length > MOST_HEADER)
        return refuse_end(error);
    if (!parse_header((const char *)at + prefix, length, &h))
        return refuse(error, LB_UNSUPPORTED,
                      "its header is none of a plain array; save "
                      "numpy.ascontiguousarray(array)");
    *array = (npy_array){
        .dimensions = h.dimensions, .fortran = h.fortran, .bytes = at + prefix + length};
    memcpy(array->type, h.descr, sizeof array->type);
    for (int i = 0; i < NPY_DIMENSIONS; i++)
        array->shape[i] = i < h.dimensions ? h.shape[i] : 1;
    int64_t count = count_elements(&h);
    size_t item = npy_item(array);
    if (item == 0)
        return REFUSE_UNSUPPORTED(error,
                                  "its elements are '%.40s'; save "
                                  "array.astype('<f4')",
                                  array->type);
    if (count < 0 || (size_t)count > size / item || (size_t)count * item != size - prefix - length)
        return refuse(error, LB_SYNTAX_ERROR, "it has other bytes than its shape says");
    array->count = (size_t)count;
    return LB_OK;
}

size_t npy_item(const npy_array *array)
{
    const char *type = array->type, *at = type + 2;
    size_t letters = 0;
    if (strcmp(type, "<f4") == 0 || strcmp(type, "<i4") == 0)
        return 4;
    if (strcmp(type, "<f8") == 0 || strcmp(type, "<i8") == 0)
        return 8;
    if (strncmp(type, "<U", 2) != 0 || type[2] < '1' || type[2] > '9')
        return 0;
    for (; *at >= '0' && *at <= '9' && letters < 65536; at++)
        letters = 10 * letters + (size_t)(*at - '0');
    return *at == '\0' && letters < 65536 ? 4 * letters : 0;
}

/* where an element of that number is, which counts row by row */
static const unsigned char *find_element(const npy_array *array, size_t index)
{
    size_t rows = (size_t)array->shape[0], columns = (size_t)array->shape[1];
    size_t depth = (size_t)array->shape[2];
    if (array->fortran)
        index = index / (columns * depth) +
                rows * (index / depth % columns + columns * (index % depth));
    return array->bytes + npy_item(array) * index;
}

double npy_element(const npy_array *array, size_t index)
{
    size_t item = npy_item(array);
    const unsigned char *at = find_element(array, index);
    if (array->type[1] == 'f')
        return bytes_real(at, item);
    // two's complement
    uint64_t bits = bytes_whole(at, item);
    if (item == 4)
        return bits > INT32_MAX ? (double)bits - 4294967296.0 : (double)bits;
    return bits > INT64_MAX ? -(double)(~bits + 1) : (double)bits;
}

/* a code point of Unicode as UTF-8; how many bytes */
static int put_utf8(uint32_t code, char out[4])
{
    static const unsigned char firsts[] = {0, 0, 0xC0, 0xE0, 0xF0};
    int size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = size; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(size == 1 ? code : firsts[size] | code);
    return size;
}

bool npy_text(const npy_array *array, size_t index, char *text, size_t room)
{
    size_t item = npy_item(array), used = 0;
    if (array->type[1] != 'U')
        return false;
    for (size_t i = 0; i < item; i += 4) {
        uint32_t code = (uint32_t)bytes_whole(find_element(array, index) + i, 4);
        char utf8[4];
        int size = code > 0x10FFFF ? 0 : put_utf8(code, utf8);
        if (code == 0 || size == 0 || used + (size_t)size >= room)
            break;
        memcpy(text + used, utf8, (size_t)size);
        used += (size_t)size;
    }
    text[used] = '\0';
    return true;
}

/* ---- writing ------------------------------------------------------------ */

size_t npy_header(const char *type, bool fortran, const int64_t *shape, int dimensions,
                  unsigned char bytes[NPY_HEADER_MOST])
{
    // padded to a multiple of 64 and to what NumPy has at least; the longest shape fits
    char text[NPY_HEADER_MOST];
    text_writer to = {text, sizeof text, 0};
    text_write(&to, "{'descr': %s, 'fortran_order': %s, 'shape': (", type,
               fortran ? "True" : "False");
    for (int i = 0; i < dimensions; i++)
        text_write(&to, "%s%lld%s", i > 0 ? ", " : "", (long long)shape[i],
                   dimensions == 1 ? "," : "");
    text_write(&to, "), }");
    size_t size = (MAGIC + 4 + to.length + 1 + 63) / 64 * 64;
    size = size < NPY_HEADER_SIZE ? NPY_HEADER_SIZE : size;
    memset(bytes, ' ', size);
    memcpy(bytes, magic, MAGIC);
    bytes_put(bytes + MAGIC, 1, 2);
    bytes_put(bytes + MAGIC + 2, size - MAGIC - 4, 2);
    memcpy(bytes + MAGIC + 4, text, to.length);
    bytes[size - 1] = '\n';
    return size;
}

static void write_header(const npy_writer *array)
{
    unsigned char bytes[NPY_HEADER_MOST];
    size_t size = npy_header("'<f8'", false, (int64_t[]){array->rows, array->columns}, 2, bytes);
    fwrite(bytes, 1, size, array->stream);
}

bool npy_begin(npy_writer *array, FILE *stream, int columns)
{
    *array = (npy_writer){.stream = stream, .columns = columns};
    if (fseek(stream, 0, SEEK_SET) != 0)
        return false;
    write_header(array);
    return true;
}

void npy_flush(npy_writer *array)
{
    fwrite(array->block, 8, (size_t)array->used, array->stream);
    array->used = 0;
}

void npy_number(npy_writer *array, double number)
{
    bytes_put(array->block + 8 * array->used, bytes_of_double(number), 8);
    if (++array->used == NPY_BLOCK)
        npy_flush(array);
    if (++array->numbers == array->columns) {
        array->numbers = 0;
        array->rows++;
    }
}

bool npy_end(npy_writer *array)
{
    npy_flush(array);
    if (fseek(array->stream, 0, SEEK_SET) != 0)
        return false;
    write_header(array);
    return true;
}
