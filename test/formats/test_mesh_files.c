/*
 * test_mesh_files.c - STL, OBJ and Collada from memory: the forms that one tetrahedron may have,
 * and files that are refused, cut off, changed, or endless.
 */
#define _GNU_SOURCE

#include "base/memory.h"
#include "formats/mesh/mesh.h"
#include "refusal.h"
#include "support.h"
#include "support_growth.h"

#include <limber/formats/mesh.h>

/* every accepted file below has these corners, and nothing outside of them */
static const lb_vec3 tetrahedron[4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};

/* ---- texts ---------------------------------------------------------------- */

#define FACES "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"

static const char *const objs[] = {
    // as most are
    "# a comment\nmtllib absent.mtl\no t\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nvn 0 0 1\nvt 0 0\n"
    "s off\nusemtl m\nf 1/1/1 2/1/1 3/1/1\nf 1//1 2//1 4//1\nf 1/1 3/1 4/1\nf 2 3 4\n",
    // indices that count back, from the line that they are in
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nf -3 -2 -1\nv 0 0 3\nf -4 -3 -1\nf -4 -2 -1\nf -3/-1 -2/-1 -1/-1\n",
    // lines that go on, a comment that does not
    "v 0 0 \\\n 0\nv 1 0 0\\\n\nv 0 2 0\nv 0 0 3\n# C:\\\nf 1 2\\\n 3\nf 1 2 4 \\\r\n3\n",
    // colours, with and without opacity, and weights that divide
    "v 0 0 0 1 0 0\nv 1 0 0 .5 .5 .5\nv 0 2 0 1 1 1 1\nv 0 0 6 2\n" FACES,
    // faces first, words after a comment's sign, other line ends, a mark of UTF-8
    "\xEF\xBB\xBF" FACES "v 0 0 0 # first\r\nv 1 0 0\r\nv 0 2 0\rv 0 0 3",
    // vertices that nothing names, far away
    "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nv -9 -9 -9\nf 2 3 4 5\n",
    // a cloud of points; lines and points
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n",
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nv 7 7 7\nl 1 2 3\np 4\n",
};

#define FACET(a, b, c)                                                                             \
    "facet normal nan 0 0\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c               \
    "\n endloop\nendfacet\n"

static const char *const stls[] = {
    "solid t\n" FACET("0 0 0", "1 0 0", "0 2 0") FACET("0 0 0", "1e0 0 0", "0 0 3.0")
        FACET("0 0 0", "0 2 0", "0 0 +3") "endsolid t\n",
    // two solids, of which one is named like a facet, in capitals, without line ends in facets
    "  SOLID facet normal\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 2 0 "
    "ENDLOOP ENDFACET\rENDSOLID\rsolid {\r\n" FACET("0 0 0", "1 0 0", "0 0 3") "endsolid",
    // all in one line, two solids
    "solid t facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 2 0 endloop endfacet "
    "endsolid t solid facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 3 endloop "
    "endfacet endsolid",
    // a facet of four corners, and colours
    "solid\nfacet normal 0 0 1\ncolor 1 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2 0\n"
    "vertex 0 0 3\nendloop\nendfacet\nendsolid\n",
};

#define DAE(asset, libraries, nodes)                                                               \
    "<?xml version='1.0'?>\n<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'>\n"      \
    "<asset>" asset "<up_axis>Y_UP</up_axis></asset>\n" libraries                                  \
    "<library_visual_scenes><visual_scene id='s'>" nodes                                           \
    "</visual_scene></library_visual_scenes>\n"                                                    \
    "<scene><instance_visual_scene url='#s'/></scene></COLLADA>\n"
#define GEOMETRY(positions, accessor, primitives)                                                  \
    "<library_geometries><geometry id='g'><mesh><source id='p'><float_array count='12'>" positions \
    "</float_array><technique_common><accessor source='#a' " accessor                              \
    "</accessor></technique_common></source>"                                                      \
    "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>\n" primitives            \
    "</mesh></geometry></library_geometries>\n"
#define XYZ "count='4' stride='3'><param name='X'/><param name='Y'/><param name='Z'/>"
#define TRIANGLES                                                                                  \
    "<triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/>"                       \
    "<p>0 1 2 0 1 3 0 2 3 1 2 3</p></triangles>"
#define PLAIN GEOMETRY("0 0 0 1 0 0 0 2 0 0 0 3", XYZ, TRIANGLES)
#define SHOWN "<instance_geometry url='#g'/>"
#define SECOND                                                                                     \
    "<input semantic='NORMAL' source='#n' offset='0'/>"                                            \
    "<input semantic='VERTEX' source='#v' offset='1'/>"

static const char *const daes[] = {
    DAE("", PLAIN, "<node>" SHOWN "</node>"),
    // a unit, and points that no face names
    DAE("<unit name='inch' meter='0.0254'/>",
        GEOMETRY("0 0 0 1 0 0 0 2 0 0 0 3 9 9 9", "count='5' stride='3'>", TRIANGLES),
        "<node><scale>39.37007874015748 39.37007874015748 39.37007874015748</scale>" SHOWN
        "</node>"),
    // moves in their order, in nodes within nodes
    DAE("", GEOMETRY("4 0 0 4 0 -1 4 2 0 7 0 0", XYZ, TRIANGLES),
        "<node><translate>1 0 0</translate><node><rotate>0 0 0 0</rotate><rotate>0 -2 0 90</rotate>"
        "<translate>-4 0 1</translate>" SHOWN "</node></node>"),
    // a small move, which is one all the same
    DAE("", GEOMETRY("-.001 0 0 .999 0 0 -.001 2 0 -.001 0 3", XYZ, TRIANGLES),
        "<node><matrix>1 0 0 .001\n0 1 0 0\n0 0 1 0\n0 0 0 1</matrix>" SHOWN "</node>"),
    // of a scale below a rotation the axes are turned
    DAE("", GEOMETRY("0 0 0 0 -1 0 1 0 0 0 0 3", XYZ, TRIANGLES),
        "<node id='g'><scale>1 2 1</scale><rotate>0 0 1 90</rotate>" SHOWN "</node>"),
    // a node of a library, shown twice
    DAE("",
        PLAIN "<library_nodes><node id='n'><translate>0 0 -1</translate>" SHOWN
              "</node></library_nodes>",
        "<node><translate>0 0 1</translate><instance_node url='#n'/></node>"
        "<node><matrix>.5 0 0 0 0 .5 0 0 0 0 .5 .5 0 0 0 1</matrix><instance_node "
        "url='#n'/></node>"),
    // a skin of a morph of the geometry
    DAE("",
        PLAIN "<library_controllers><controller id='c'><skin source='#m'/></controller>"
              "<controller id='m'><morph source='#g'/></controller></library_controllers>",
        "<node><instance_controller url='#c'/></node>"),
    // corners of two indices; polygons, one with a hole; strips and lines
    DAE("",
        GEOMETRY("0 0 0 1 0 0 0 2 0 0 0 3", XYZ,
                 "<polylist count='2'>" SECOND "<vcount>3 3</vcount><p>7 0 7 1 7 2 7 0 7 1 7 3"
                 "</p></polylist>"),
        "<node>" SHOWN "</node>"),
    DAE("",
        GEOMETRY("0 0 0 1 0 0 0 2 0 0 0 3", XYZ,
                 "<polygons count='2'>" SECOND "<p>0 0 0 1</p><ph><p>0 2 0 0</p><h>0 3</h></ph>"
                 "</polygons>"),
        "<node>" SHOWN "</node>"),
    DAE("",
        GEOMETRY("0 0 0 1 0 0 0 2 0 0 0 3", XYZ,
                 "<tristrips count='1'>" SECOND "<p>0 0 0 1 0 2</p></tristrips>"
                 "<lines count='1'>" SECOND "<p>0 2 0 3</p></lines>"),
        "<node>" SHOWN "</node>"),
    // axes in another order, with others between them, after an offset, as CDATA with a comment
    DAE("",
        GEOMETRY("8 8<!-- 9 --> 0 8 0 0 <![CDATA[0 8 0 1]]> 0 8 2 0 3 8 0 0",
                 "count='4' stride='4' offset='2'><param name='Z'/><param/><param name='y'/>"
                 "<param name='X'/>",
                 TRIANGLES),
        "<node>" SHOWN "</node>"),
    // of a scene that is not said to be shown, the only one
    "<COLLADA>" PLAIN "<library_visual_scenes><visual_scene id='s'><node>" SHOWN
    "</node></visual_scene></library_visual_scenes></COLLADA>",
};

/* ---- reading -------------------------------------------------------------- */

static mesh_parse *parser_of(const char *file)
{
    return strstr(file, "stl") ? stl_parse : strstr(file, "obj") ? obj_parse : collada_parse;
}

/* reads a block of its exact size, without a hull: points, or a message */
static lb_status parse_hostile(const char *file, const char *text, size_t size,
                               const lb_allocator *given, lb_error *error)
{
    lb_allocator allocator = memory_allocator(given);
    mesh_points points = {.allocator = &allocator};
    char *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    *error = (lb_error){.status = LB_OK};
    lb_status status = parser_of(file)(exact, size, &points, error);
    free(exact);
    assert_int_equal(error->status, status);
    assert_int_equal(error->message[0] != '\0', status != LB_OK);
    for (size_t i = 0; i < points.count; i++)
        assert_true(lb_vec3_is_finite(points.at[i]));
    memory_release(&allocator, points.at);
    return status;
}

static void check_tetrahedron(const char *file, const char *text, size_t size)
{
    lb_allocator allocator = memory_allocator(NULL);
    lb_vec3 *corners;
    int count;
    if (mesh_read_memory(file, text, size, &allocator, &corners, &count, &cause) != LB_OK)
        fail_msg("%d: %s\n%s", cause.line, cause.message, text);
    if (count != 4)
        fail_msg("%d corners:\n%s", count, text);
    for (int i = 0; i < 4; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < 4; k++)
            nearest = fmin(nearest, lb_vec3_length(lb_vec3_sub(corners[k], tetrahedron[i])));
        // points are floats, and in Collada moved and scaled afterwards
        if (!(nearest < 1e-6))
            fail_msg("no corner within %g of %d:\n%s", nearest, i, text);
    }
    memory_release(&allocator, corners);
}

/* all texts above with their endings; false: there are no more */
static bool next_text(size_t *place, const char **file, const char **text)
{
    size_t obj = sizeof objs / sizeof *objs, stl = sizeof stls / sizeof *stls, i = (*place)++;
    *file = i < obj ? "a.obj" : i < obj + stl ? "a.stl" : "a.dae";
    i -= i < obj ? 0 : i < obj + stl ? obj : obj + stl;
    *text = i >= sizeof daes / sizeof *daes ? NULL
            : strcmp(*file, "a.obj") == 0   ? objs[i]
            : strcmp(*file, "a.stl") == 0   ? stls[i]
                                            : daes[i];
    return *text != NULL;
}

TEST(reads_every_form)
{
    const char *file, *text;
    if (!lb_mesh_supported())
        skip();
    for (size_t i = 0; next_text(&i, &file, &text);)
        check_tetrahedron(file, text, strlen(text));
}

/* ---- binary STL ----------------------------------------------------------- */

enum {
    HEAD = 84,
    TRIANGLE = 50,
    TRIANGLES_OF_ALL = 4,
    BINARY = HEAD + TRIANGLE * TRIANGLES_OF_ALL
};

/* the tetrahedron, as a file that begins with "solid" */
static void make_binary(unsigned char bytes[BINARY + 1])
{
    static const int faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    memset(bytes, 0xFF, BINARY + 1);
    memcpy(bytes, "solid facet normal", 18);
    memcpy(bytes + HEAD - 4, "\4\0\0\0", 4);
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < 9; i++) {
            float number = (float)(&tetrahedron[faces[t][i / 3]].x)[i % 3];
            memcpy(bytes + HEAD + TRIANGLE * t + 12 + 4 * i, &number, 4);
        }
}

TEST(binary_sizes_are_exact)
{
    unsigned char bytes[BINARY + 1];
    const char *text = (const char *)bytes;
    make_binary(bytes);
    if (lb_mesh_supported())
        check_tetrahedron("a.STL", text, BINARY);
    for (size_t size = 0; size <= BINARY + 1; size++)
        assert_int_equal(parse_hostile("a.stl", text, size, NULL, &cause),
                         size == BINARY ? LB_OK : LB_SYNTAX_ERROR);
    assert_non_null(strstr(cause.message, "it has 285 bytes, but its 4 triangles take 284"));
    for (int i = 0; i < 4; i++) {
        static const unsigned char counts[4][4] = {
            {3, 0, 0, 0}, {5, 0, 0, 0}, {4, 0, 0, 0x80}, {0xFF, 0xFF, 0xFF, 0xFF}};
        memcpy(bytes + HEAD - 4, counts[i], 4);
        assert_int_equal(parse_hostile("a.stl", text, BINARY, NULL, &cause), LB_SYNTAX_ERROR);
    }
    // a triangle's normal and its last bytes are anything, a corner is not
    make_binary(bytes);
    memset(bytes + HEAD + TRIANGLE + 12, 0xFF, 4);
    assert_refused(parse_hostile("a.stl", text, BINARY, NULL, &cause), LB_BAD_VALUE, &cause,
                   "vertex 4 is not finite");
}

/* ---- refusals ------------------------------------------------------------- */

#define IN_PLAIN(nodes) DAE("", PLAIN, nodes)

static const refusal refused_objs[] = {
    {"v 0 0 0\nv 1 0\n", LB_SYNTAX_ERROR, 2, "the vertex has 2 numbers; it needs three"},
    {"v 0 0 nan\n", LB_BAD_VALUE, 1, "'nan' is not a finite number"},
    {"v 0 0 1e400\n", LB_BAD_VALUE, 1, "'1e400'"},
    {"v 0 0 1e16\n", LB_BAD_VALUE, 1, "vertex 1 is not finite, or farther than 1e+15"},
    {"v 1 1 1 0\n", LB_BAD_VALUE, 1, "vertex 1 is not finite"},
    {"v 0 0 0,5\n", LB_BAD_VALUE, 1, "'0,5' is not a number"},
    {"v 0 0 0\nv 1 0 0\n\nf 1 2 3\n", LB_BAD_VALUE, 4, "there is no vertex 3; the file has 2"},
    {"v 0 0 0\nf 0 1 1\n", LB_BAD_VALUE, 2, "there is no vertex 0"},
    {"v 0 0 0\nf -2 1 1\n", LB_BAD_VALUE, 2, "there is no vertex -2"},
    {"f -1\nv 0 0 0\n", LB_BAD_VALUE, 1, "there is no vertex -1"},
    {"v 0 0 0\nf 1 1.5 1\n", LB_BAD_VALUE, 2, "'1.5' is no index"},
    {"v 0 0 0\nf 1 4294967297 1\n", LB_BAD_VALUE, 2, "'4294967297' is no index"},
    {"v 0 0 0\nf /1 1 1\n", LB_BAD_VALUE, 2, "a number is missing"},
};

static const refusal refused_stls[] = {
    {"facet normal", LB_SYNTAX_ERROR, 0, "neither begins with 'solid'"},
    {"solid \x01\x02", LB_SYNTAX_ERROR, 1, "ends within the solid of line 1"},
    {"solid\n\nendfacet\n", LB_SYNTAX_ERROR, 3, "'endfacet' stands where 'facet' or 'endsolid'"},
    {"solid\nendsolid\nfacet", LB_SYNTAX_ERROR, 3, "'facet' stands where 'solid' must be"},
    {"solid\nfacet normal 0 0 1\nvertex 0 0 0\nvertex 1 0 0\nendfacet\nendsolid\n", LB_SYNTAX_ERROR,
     5, "the facet has 2 corners; it needs three"},
    {"solid\nfacet\nvertex 0 0\nvertex 1 0 0\n", LB_BAD_VALUE, 4, "'vertex' is not a number"},
    {"solid\nfacet\nvertex 0 0 inf\n", LB_BAD_VALUE, 3, "'inf' is not a finite number"},
    {"solid\nfacet\nvertex 0 0", LB_BAD_VALUE, 3, "a number is missing"},
    {"solid\nfacet\nfacet\n", LB_SYNTAX_ERROR, 3, "'facet' stands where 'endfacet' must be"},
};

static const refusal refused_daes[] = {
    {"<COLLADA>", LB_SYNTAX_ERROR, 1, "not well-formed"},
    {"<!DOCTYPE COLLADA [<!ENTITY a 'b'>]><COLLADA/>", LB_UNSUPPORTED, 1, "<!DOCTYPE"},
    {"<robot/>", LB_SYNTAX_ERROR, 1, "the outermost element is <robot>, not <COLLADA>"},
    {"<COLLADA/>", LB_BAD_MODEL, 1, "the file shows no scene"},
    {"<COLLADA>\n<scene><instance_visual_scene url='#s'/></scene></COLLADA>", LB_NOT_FOUND, 2,
     "there is no element with id=\"s\""},
    {DAE("<unit meter='0'/>", PLAIN, ""), LB_BAD_VALUE, 3, "meter=\"0\" is not above 0"},
    {DAE("<unit meter='one'/>", PLAIN, ""), LB_BAD_VALUE, 3, "'one' is not a number"},
    {IN_PLAIN("\n<node><instance_geometry url='#x'/></node>"), LB_NOT_FOUND, 0, "id=\"x\""},
    {IN_PLAIN("<node><instance_geometry url='b.dae#g'/></node>"), LB_UNSUPPORTED, 0,
     "in another file is not read"},
    {IN_PLAIN("<node><instance_geometry/></node>"), LB_UNSUPPORTED, 0, "needs url="},
    {IN_PLAIN("<node><matrix>1 0 0</matrix></node>"), LB_BAD_VALUE, 0, "a number is missing"},
    {IN_PLAIN("<node><scale>1 1 1e300</scale></node>"), LB_BAD_VALUE, 0, "a number above 1e+15"},
    {IN_PLAIN("<node><lookat>1 2 3 4 5 6 7 8 9</lookat></node>"), LB_UNSUPPORTED, 0,
     "<lookat> is not read; give the node a <matrix>"},
    {IN_PLAIN("<node><scale>1e15 1 1</scale><scale>1e15 1 1</scale>" SHOWN "</node>"), LB_BAD_VALUE,
     0, "is not finite, or farther"},
    {IN_PLAIN("<node id='n'><instance_node url='#n'/><instance_node url='#n'/></node>"),
     LB_UNSUPPORTED, 0, "shows a node in itself"},
    {DAE("",
         PLAIN "<library_controllers><controller id='c'><skin source='#c'/></controller>"
               "</library_controllers>",
         "<node><instance_controller url='#c'/></node>"),
     LB_UNSUPPORTED, 0, "controllers without end"},
    {DAE("", PLAIN "<library_controllers><controller id='c'/></library_controllers>",
         "<node><instance_controller url='#c'/></node>"),
     LB_UNSUPPORTED, 0, "<controller> needs source="},
    {DAE("",
         "<library_geometries><geometry id='g'><mesh><vertices/></mesh></geometry>"
         "</library_geometries>",
         "<node>" SHOWN "</node>"),
     LB_BAD_MODEL, 4, "<mesh> needs <vertices> with the input POSITION"},
    {DAE("", GEOMETRY("0 0 0 1 0 0 0 2 0 0 0", XYZ, TRIANGLES), "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 4, "a number is missing"},
    {DAE("", GEOMETRY("0 0 0 1 0 0 0 2 0 0 0 NaN", XYZ, TRIANGLES), "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 4, "'NaN' is not a finite number"},
    {DAE("", GEOMETRY("0 0 0", "count='-1' stride='3'>", TRIANGLES), "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 4, "count=\"-1\" is negative"},
    {DAE("", GEOMETRY("0 0 0", "count='1' stride='2'>", TRIANGLES), "<node>" SHOWN "</node>"),
     LB_BAD_MODEL, 4, "stride 2; X, Y and Z need three"},
    {DAE("", GEOMETRY("0 0 0", "count='999999999' stride='999999999' offset='999999999'>", ""),
         "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 4, "a number is missing"},
    {DAE("", GEOMETRY("0 0 0 1 0 0 0 2 0", "count='3' stride='3'>", TRIANGLES),
         "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 5, "there is no vertex 3; the mesh has 3"},
    {DAE("", GEOMETRY("0 0 0", "count='1' stride='3'>", "<triangles><p>0</p></triangles>"),
         "<node>" SHOWN "</node>"),
     LB_BAD_MODEL, 5, "<triangles> needs an input VERTEX"},
    {DAE("",
         GEOMETRY("0 0 0", "count='1' stride='3'>",
                  "<triangles>" SECOND "<p>0 0 0</p></triangles>"),
         "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 5, "the indices of <p> are no multiple of 2"},
    {DAE("",
         GEOMETRY("0 0 0", "count='1' stride='3'>",
                  "<triangles><input semantic='VERTEX'/><p>-1 0 0</p></triangles>"),
         "<node>" SHOWN "</node>"),
     LB_BAD_VALUE, 5, "there is no vertex -1"},
};

static void check_refusals(const char *file, const refusal *rows, size_t count)
{
    for (const refusal *row = rows; row < rows + count; row++) {
        lb_error error;
        lb_status status = parse_hostile(file, row->text, strlen(row->text), NULL, &error);
        if (status != row->status || strstr(error.message, row->message) == NULL ||
            (row->line > 0 && error.line != row->line))
            fail_msg("line %d, status %d, \"%s\"\ninstead of line %d, status %d, \"%s\":\n%s",
                     error.line, (int)status, error.message, row->line, (int)row->status,
                     row->message, row->text);
    }
}

TEST(refuses_by_line_and_name)
{
    check_refusals("a.obj", refused_objs, sizeof refused_objs / sizeof *refused_objs);
    check_refusals("a.stl", refused_stls, sizeof refused_stls / sizeof *refused_stls);
    check_refusals("a.dae", refused_daes, sizeof refused_daes / sizeof *refused_daes);

    // what has no points or another ending
    lb_allocator allocator = memory_allocator(NULL);
    lb_vec3 *corners;
    int count;
    if (!lb_mesh_supported())
        skip();
    assert_int_equal(mesh_read_memory("a.obj", "#", 1, &allocator, &corners, &count, &cause),
                     LB_BAD_MODEL);
    assert_string_equal(cause.message, "it has no vertices");
    assert_refused(mesh_read_memory("a.ply", "ply", 3, &allocator, &corners, &count, &cause),
                   LB_UNSUPPORTED, &cause, "convert it");
}

/* ---- hostile files -------------------------------------------------------- */

TEST(survives_cuts_and_changes)
{
    static const char patches[] = {'\0', '\n', ' ', '"', '<', '>', '&', '/',  '#',
                                   'e',  '-',  '.', '0', '9', 'v', 'f', '\\', (char)0xFF};
    const char *file, *text;
    for (size_t i = 0; next_text(&i, &file, &text);) {
        size_t size = strlen(text);
        owned char *copy = strdup(text);
        // of XML, which takes a tree each time, each byte by a ninth of these
        size_t step = strcmp(file, "a.dae") == 0 ? 9 : 1;
        for (size_t part = 0; part < size; part++) {
            lb_status status = parse_hostile(file, text, part, NULL, &cause);
            // lines of an OBJ may be missing, and what follows an STL's first solid
            const char *end = strcmp(file, "a.stl") == 0 ? strcasestr(text, "endsolid") : NULL;
            bool whole = strspn(text + part, " \n") == size - part ||
                         (end != NULL && text + part >= end + strlen("endsolid"));
            assert_true(status != LB_OK || whole || strcmp(file, "a.obj") == 0);
        }
        for (size_t at = 0; at < size; at++) {
            for (size_t k = at % step; k < sizeof patches; k += step) {
                copy[at] = patches[k];
                parse_hostile(file, copy, size, NULL, &cause);
            }
            copy[at] = text[at];
        }
    }
}

TEST(survives_without_memory)
{
    const char *file, *text;
    for (size_t i = 0; next_text(&i, &file, &text);) {
        ALLOCATIONS_FAIL (run, 100) {
            lb_error error;
            run.status = parse_hostile(file, text, strlen(text), &run.allocator, &error);
        }
    }
}

/* a text of a beginning, a row `count` times with its number and the next, and an end */
static char *repeat(const char *begin, const char *row, int count, const char *end)
{
    size_t room = strlen(begin) + strlen(end) + (size_t)count * (strlen(row) + 24) + 1;
    char *text = malloc(room), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", begin);
    for (int i = 0; i < count; i++)
        at += snprintf(at, strlen(row) + 25, row, i, i + 1, i + 1);
    sprintf(at, "%s", end);
    return text;
}

TEST(refuses_what_grows_without_end)
{
#define NODES "<COLLADA>" PLAIN "<library_nodes>"
#define SCENE                                                                                      \
    "</library_nodes><library_visual_scenes><visual_scene id='s'><node><instance_node url='#n0'/>" \
    "</node></visual_scene></library_visual_scenes></COLLADA>"
    static const struct {
        const char *begin, *row;
        int count;
        const char *end, *message;
    } files[] = {
        // each node shows the next twice: with a geometry at the end, and without
        {NODES, "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/></node>", 40,
         "<node id='n40'>" SHOWN "</node>" SCENE, "too"},
        {NODES, "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/></node>", 40,
         "<node id='n40'/>" SCENE, "shows nodes too often"},
        // nodes within nodes, as deep as no stack is
        {NODES "<node id='n0'>", "<node>", 200000, "", "not well-formed"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        owned char *text = repeat(files[i].begin, files[i].row, files[i].count, files[i].end);
        assert_int_not_equal(parse_hostile("a.dae", text, strlen(text), NULL, &cause), LB_OK);
        if (strstr(cause.message, files[i].message) == NULL)
            fail_msg("%s", cause.message);
    }
    owned char *begin = repeat(NODES "<node id='n0'>", "<node>", 200000, "");
    owned char *text = repeat(begin, "</node>", 200001, SCENE);
    assert_refused(parse_hostile("a.dae", text, strlen(text), NULL, &cause), LB_UNSUPPORTED, &cause,
                   "nested deeper than 256");
}

/* how long a file takes that has a pattern `count` times, '~' being '#' */
static clock_t time_of(const char *file, const char *pattern, int count, lb_status expected)
{
    char *text = test_repeated(pattern, count);
    for (char *c = text; (c = strchr(c, '~')) != NULL;)
        *c = '#';
    clock_t before = clock();
    assert_int_equal(parse_hostile(file, text, strlen(text), NULL, &cause), expected);
    clock_t taken = clock() - before;
    free(text);
    return taken;
}

/* a controller and a geometry with many children that say nothing, shown as often */
static clock_t shown_often(int count)
{
    return time_of("a.dae",
                   "<COLLADA><library_geometries><geometry id='g'>{<x/>}</geometry>"
                   "</library_geometries><library_controllers><controller id='c'>{<x/>}"
                   "<skin source='~g'/></controller></library_controllers><library_visual_scenes>"
                   "<visual_scene id='s'><node>{<instance_controller url='~c'/>}</node>"
                   "</visual_scene></library_visual_scenes></COLLADA>",
                   count, LB_OK);
}

static clock_t words_continued(int count)
{
    return time_of("a.obj", "v 0 0 0\nf {1 \\\n}1\n{# \\\n}", count, LB_OK);
}

static clock_t facets(int count)
{
    return time_of("a.stl",
                   "{solid #\nfacet\nvertex 0 0 #\nvertex 1 0 0\nvertex 0 1 0\n"
                   "endfacet\nendsolid\n}",
                   count, LB_OK);
}

TEST(time_grows_as_files_do)
{
    assert_grows_linearly(shown_often, 20000);
    assert_grows_linearly(words_continued, 100000);
    assert_grows_linearly(facets, 20000);
}
