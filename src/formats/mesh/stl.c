/*
 * stl.c - STL, binary and as text (3D Systems 1989): triangles by their corners.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "formats/mesh/mesh.h"

#include <string.h>

/* ---- binary --------------------------------------------------------------- */

/* 80 bytes of anything and the number of triangles; of each the normal, three corners, two bytes */
enum { HEAD = 84, TRIANGLE = 50, NORMAL = 12, CORNER = 12 };

/* how long a binary file is that has as many triangles as this one says */
static uint64_t binary_size(const char *bytes, size_t size)
{
    return size < HEAD ? HEAD : HEAD + TRIANGLE * bytes_whole(bytes + HEAD - 4, 4);
}

static lb_status parse_binary(const char *bytes, size_t size, mesh_points *points, lb_error *error)
{
    for (size_t at = HEAD; at < size; at += TRIANGLE)
        for (int i = 0; i < 3; i++) {
            const char *corner = bytes + at + NORMAL + CORNER * i;
            lb_vec3 point = lb_vec3_make(bytes_real(corner, 4), bytes_real(corner + 4, 4),
                                         bytes_real(corner + 8, 4));
            TRY(mesh_points_add(points, point, 0, error));
        }
    return LB_OK;
}

/* ---- text ----------------------------------------------------------------- */

/* What is open where a text is read. */
typedef struct stl_place {
    int solid, facet; /* the line that each begins in; 0: none is open */
    int corners;      /* of the facet */
} stl_place;

static lb_status refuse_word(text_word word, const char *wanted, lb_error *error)
{
    char shown[TEXT_SHOWN];
    return lb_error_set(error, LB_SYNTAX_ERROR, word.line, "'%s' stands where %s must be",
                        text_word_show(word, shown), wanted);
}

/* normals are not read, and words that only group the corners are passed over */
static lb_status read_in_facet(text_scan *scan, text_word word, stl_place *place,
                               mesh_points *points, lb_error *error)
{
    double p[3];
    if (text_word_is(word, "vertex")) {
        place->corners++;
        lb_status status = mesh_scan_numbers(scan, 3, p, error);
        return status == LB_OK
                   ? mesh_points_add(points, lb_vec3_make(p[0], p[1], p[2]), word.line, error)
                   : status;
    }
    if (text_word_is(word, "endfacet")) {
        if (place->corners < 3)
            return lb_error_set(error, LB_SYNTAX_ERROR, word.line,
                                "the facet has %d corners; it needs three", place->corners);
        place->facet = 0;
    } else if (text_word_is(word, "facet") || text_word_is(word, "endsolid"))
        return refuse_word(word, "'endfacet'", error);
    return LB_OK;
}

/* whether a facet begins here, or another solid: "facet normal" alone on a line is a name */
static bool begins_next(text_scan scan, bool solid)
{
    text_word word = text_scan_word_here(&scan);
    if (!solid)
        return text_word_is(word, "solid");
    return text_word_is(word, "facet") && text_word_is(text_scan_word_here(&scan), "normal") &&
           text_scan_word_here(&scan).size > 0;
}

/* the rest of the line is a solid's name, up to where the file goes on in the same line */
static void skip_name(text_scan *scan, bool solid)
{
    while (!begins_next(*scan, solid) && text_scan_word_here(scan).size > 0)
        ;
}

static lb_status read_word_of(text_scan *scan, text_word word, stl_place *place,
                              mesh_points *points, lb_error *error)
{
    bool open = place->solid > 0;
    if (place->facet > 0)
        return read_in_facet(scan, word, place, points, error);
    if (open && text_word_is(word, "facet")) {
        place->facet = word.line;
        place->corners = 0;
        return LB_OK;
    }
    if (!text_word_is(word, open ? "endsolid" : "solid"))
        return refuse_word(word, open ? "'facet' or 'endsolid'" : "'solid'", error);
    place->solid = open ? 0 : word.line;
    skip_name(scan, !open);
    return LB_OK;
}

static lb_status parse_words(const char *text, size_t size, mesh_points *points, lb_error *error)
{
    text_scan scan = text_scan_start(text, size);
    stl_place place = {0};
    lb_status status = LB_OK;
    while (status == LB_OK) {
        text_word word = text_scan_word(&scan);
        if (word.size == 0)
            break;
        status = read_word_of(&scan, word, &place, points, error);
    }
    if (status == LB_OK && place.solid > 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, scan.line,
                            "the file ends within the solid of line %d and may be cut off; export "
                            "it again",
                            place.solid);
    return status;
}

/*
 * Binary files may begin with "solid" too, so their size decides: a text of the size that its own
 * bytes 80 to 83 say would have 7 GB, more than is read.
 */
lb_status stl_parse(const char *text, size_t size, mesh_points *points, lb_error *error)
{
    uint64_t wanted = binary_size(text, size);
    if (size == wanted)
        return parse_binary(text, size, points, error);
    text_scan scan = text_scan_start(text, size);
    if (text_word_is(text_scan_word(&scan), "solid") && memchr(text, '\0', size) == NULL)
        return parse_words(text, size, points, error);
    if (size < HEAD)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            "it neither begins with 'solid' nor has the %d bytes that begin a "
                            "binary STL file; export it again",
                            HEAD);
    return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                        "it has %zu bytes, but its %u triangles take %llu; export it again", size,
                        (unsigned)bytes_whole(text + HEAD - 4, 4), (unsigned long long)wanted);
}
