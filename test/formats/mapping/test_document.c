/* test_document.c - models from trees of nodes that a caller fills, and trees that are none. */
#include "support.h"

#include <limber/formats/document.h>

static lb_document *start(void)
{
    lb_document *document;
    assert_ok(lb_document_create(NULL, &document));
    return document;
}

static void add(lb_document *document, lb_node_kind kind, const char *name, const char *text)
{
    assert_ok(lb_document_add(document, kind, name, text, 0, 7));
}

/* <robot name="arm"><link name="base"/></robot>, and what hangs in between */
static void add_robot(lb_document *document)
{
    add(document, LB_NODE_ELEMENT, "robot", NULL);
    add(document, LB_NODE_ATTRIBUTE, "name", "arm");
    add(document, LB_NODE_ELEMENT, "link", NULL);
    add(document, LB_NODE_ATTRIBUTE, "name", "base");
    lb_document_close(document);
}

TEST(builds_from_elements)
{
    lb_document *document = start();
    owned_model *model = NULL;
    add_robot(document);
    lb_document_close(document);
    assert_ok(lb_document_model(document, "a.urdf", NULL, &model, &cause));
    lb_document_release(document);
    assert_string_equal(lb_model_name(model), "arm");
    assert_string_equal(lb_model_link(model, 0)->name, "base");
}

TEST(builds_from_members)
{
    lb_document *document = start();
    owned_model *model = NULL;
    add(document, LB_NODE_OBJECT, NULL, NULL);
    add(document, LB_NODE_STRING, "name", "arm");
    add(document, LB_NODE_ARRAY, "links", NULL);
    add(document, LB_NODE_OBJECT, NULL, NULL);
    add(document, LB_NODE_STRING, "name", "base");
    assert_ok(lb_document_add(document, LB_NODE_NUMBER, "mass", NULL, 2.5, 8));
    for (int i = 0; i < 3; i++)
        lb_document_close(document);
    assert_ok(lb_document_model(document, "a.json", NULL, &model, NULL));
    lb_document_release(document);
    assert_near(lb_model_link(model, 0)->mass, 2.5, 0);
}

/* the lines that the caller gave are those of messages */
TEST(names_lines)
{
    owned_document *document = start();
    lb_model *model;
    add_robot(document);
    assert_ok(lb_document_add(document, LB_NODE_ELEMENT, "joint", NULL, 0, 41));
    lb_document_close(document);
    lb_document_close(document);
    assert_int_equal(lb_document_model(document, "a.urdf", NULL, &model, &cause), LB_BAD_MODEL);
    assert_null(model);
    assert_int_equal(cause.line, 41);
    assert_string_equal(cause.path, "a.urdf");
    assert_string_equal(cause.message, "joint: <joint> needs the attribute name=\"...\"");
}

/* ---- trees that are none -------------------------------------------------- */

typedef void build_tree(lb_document *document);

static void nothing(lb_document *document)
{
    (void)document;
}

static void left_open(lb_document *document)
{
    add_robot(document);
}

static void closed_twice(lb_document *document)
{
    add_robot(document);
    lb_document_close(document);
    lb_document_close(document);
}

static void two_roots(lb_document *document)
{
    add_robot(document);
    lb_document_close(document);
    assert_int_equal(lb_document_add(document, LB_NODE_ELEMENT, "robot", NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
}

static void attribute_of_nothing(lb_document *document)
{
    assert_int_equal(lb_document_add(document, LB_NODE_ATTRIBUTE, "a", "b", 0, 1),
                     LB_INVALID_ARGUMENT);
}

static void member_without_key(lb_document *document)
{
    add(document, LB_NODE_OBJECT, NULL, NULL);
    assert_int_equal(lb_document_add(document, LB_NODE_TRUE, NULL, NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
}

static void number_in_element(lb_document *document)
{
    add(document, LB_NODE_ELEMENT, "robot", NULL);
    assert_int_equal(lb_document_add(document, LB_NODE_NUMBER, "a", NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
}

static void element_in_array(lb_document *document)
{
    add(document, LB_NODE_ARRAY, NULL, NULL);
    assert_int_equal(lb_document_add(document, LB_NODE_ELEMENT, "a", NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
}

static void too_deep(lb_document *document)
{
    for (int i = 0; i < LB_DOCUMENT_DEPTH; i++)
        add(document, LB_NODE_ARRAY, NULL, NULL);
    add(document, LB_NODE_TRUE, NULL, NULL);
    assert_int_equal(lb_document_add(document, LB_NODE_OBJECT, NULL, NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
    for (int i = 0; i < LB_DOCUMENT_DEPTH; i++)
        lb_document_close(document);
}

static void kind_that_there_is_not(lb_document *document)
{
    add(document, LB_NODE_ARRAY, NULL, NULL);
    assert_int_equal(lb_document_add(document, (lb_node_kind)9, NULL, NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
    lb_document_close(document);
}

static void kind_below_all(lb_document *document)
{
    assert_int_equal(lb_document_add(document, (lb_node_kind)-1, NULL, NULL, 0, 1),
                     LB_INVALID_ARGUMENT);
}

TEST(refuses_broken_trees)
{
    static build_tree *const trees[] = {
        nothing,
        left_open,
        closed_twice,
        two_roots,
        attribute_of_nothing,
        member_without_key,
        number_in_element,
        element_in_array,
        too_deep,
        kind_that_there_is_not,
        kind_below_all,
    };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        lb_document *document = start();
        lb_model *model;
        lb_error error;
        trees[i](document);
        assert_int_equal(lb_document_model(document, "", NULL, &model, &error),
                         LB_INVALID_ARGUMENT);
        assert_null(model);
        assert_non_null(strstr(error.message, "the file's tree"));
        lb_document_release(document);
    }
    lb_document_release(NULL);
}

/* as JavaScript has them, but no file of JSON */
TEST(refuses_numbers_that_are_not_finite)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        lb_document *document = start();
        lb_model *model;
        lb_error error;
        add(document, LB_NODE_OBJECT, NULL, NULL);
        add(document, LB_NODE_STRING, "name", "arm");
        add(document, LB_NODE_ARRAY, "links", NULL);
        add(document, LB_NODE_OBJECT, NULL, NULL);
        add(document, LB_NODE_STRING, "name", "base");
        assert_ok(lb_document_add(document, LB_NODE_NUMBER, "mass", NULL, numbers[i], 5));
        for (int k = 0; k < 3; k++)
            lb_document_close(document);
        assert_int_equal(lb_document_model(document, "a.json", NULL, &model, &error), LB_BAD_VALUE);
        assert_null(model);
        assert_int_equal(error.line, 5);
        assert_non_null(strstr(error.message, "links[0].mass: expected a finite number, not "));
        lb_document_release(document);
    }
}

TEST(refuses_unknown_roots)
{
    owned_document *document = start();
    lb_model *model;
    add(document, LB_NODE_ELEMENT, "svg", NULL);
    lb_document_close(document);
    assert_refused(lb_document_model(document, "", NULL, &model, &cause), LB_BAD_MODEL, &cause,
                   "<svg>");
}
