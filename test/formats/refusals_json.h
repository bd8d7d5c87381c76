/*
 * refusals_json.h - files that are refused, with line and reason.
 *
 * Read by test_json.c, and by the npm package's tests, which compare every message.
 */
#ifndef TEST_REFUSALS_JSON_H
#define TEST_REFUSALS_JSON_H

#include "refusal.h"

/* a model of two links with the joint's inside in its line 3 */
#define MODEL(inside)                                                                              \
    "{\"name\": \"m\", \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n \"joints\": [\n"       \
    "{\"name\": \"j\", \"parent\": \"a\", \"child\": \"b\"" inside "}]}"
#define REVOLUTE ", \"kind\": \"revolute\""
#define LINK(inside) "{\"name\": \"m\", \"links\": [\n{\"name\": \"a\"" inside "}]}"
#define VISUAL(inside) LINK(", \"visuals\": [{\n" inside "}]")
#define ROWS(inside)                                                                               \
    "{\"name\": \"m\", \"dh\": {\"convention\": \"standard\", \"rows\": [\n" inside "]}}"

static const refusal json_refusals[] = {
    // not JSON
    {"{\"name\": \"m\",\n}", LB_SYNTAX_ERROR, 2, "well-formed JSON"},
    {"{\"name\": \"m\",\n \"name\": \"n\"}", LB_SYNTAX_ERROR, 2, "duplicate"},
    {"{\"name\": \"m\\u0000n\"}", LB_SYNTAX_ERROR, 1, ""},
    {"{\"name\": \"\xFF\"}", LB_SYNTAX_ERROR, 1, "decode byte 0xff"},
    {"{\"limber\": 1 \xFF}", LB_SYNTAX_ERROR, 1, ""},
    {"{\"limber\": NaN}", LB_SYNTAX_ERROR, 1, ""},
    {"{\"name\": 1e999}", LB_SYNTAX_ERROR, 1, "overflow"},
    {"{} {}", LB_SYNTAX_ERROR, 1, "end of file expected"},
    // not a linkage
    {"[1]", LB_BAD_VALUE, 1, "expected an object {...}, not an array"},
    {"{}", LB_BAD_MODEL, 1, "the key \"name\" is missing"},
    {"{\"name\": \"m\"}", LB_BAD_MODEL, 1, "no links"},
    {"{\"name\": \"\"}", LB_BAD_VALUE, 1, "name: the string is empty"},
    {"{\"name\": 5}", LB_BAD_VALUE, 1, "name: expected a string, not a number"},
    {"{\"name\": \"m\",\n\"limber\": 2}", LB_UNSUPPORTED, 2, "limber: unknown version"},
    {"{\"name\": \"m\",\n\"angels\": \"degrees\"}", LB_BAD_MODEL, 2,
     "angels: there is no such key here; did you mean 'angles'?"},
    {"{\"name\": \"m\",\n\"angles\": \"degree\"}", LB_BAD_VALUE, 2,
     "no unit of angles 'degree'; did you mean 'degrees'?"},
    {"{\"name\": \"m\",\n\"links\": {}}", LB_BAD_VALUE, 2, "links: expected an array [...]"},
    {"{\"name\": \"m\",\n\"links\": [\n5]}", LB_BAD_VALUE, 3, "links[0]: expected an object"},
    {"{\"name\": \"m\", \"root\": {\"xyz\": [0, 0]}, \"links\": [{\"name\": \"a\"}]}", LB_BAD_VALUE,
     1, "root.xyz: expected 3 elements, not 2"},
    // joints
    {MODEL(", \"axsi\": [0, 0, 1]"), LB_BAD_MODEL, 3,
     "joints[0].axsi: there is no such key here; did you mean 'axis'?"},
    {MODEL(", \"kind\": \"revolut\""), LB_BAD_VALUE, 3,
     "no joint kind 'revolut'; did you mean 'rev"},
    {MODEL(", \"kind\": \"hinge\""), LB_BAD_VALUE, 3,
     "no joint kind 'hinge'; there are fixed, revolute, continuous, prismatic, universal, planar, "
     "ball and floating"},
    {MODEL(REVOLUTE ", \"axis\": [0, 0, 0]"), LB_BAD_VALUE, 3, "joint 'j': axis 0 0 0 is zero"},
    {MODEL(REVOLUTE ",\n\"axis\": [0, 0]"), LB_BAD_VALUE, 4, "joints[0].axis: expected 3 elements"},
    {MODEL(REVOLUTE ", \"axis\": [0, 0, \"1\"]"), LB_BAD_VALUE, 3,
     "joints[0].axis[2]: expected a number"},
    {MODEL(REVOLUTE ", \"limits\": 5"), LB_BAD_VALUE, 3,
     "joints[0].limits: expected [lower, upper]"},
    {MODEL(REVOLUTE ", \"limits\": [1, -1]"), LB_BAD_VALUE, 3,
     "the lower limit 1 is above the upper one, -1; exchange them"},
    {MODEL(REVOLUTE ", \"limits\": [1, \"x\"]"), LB_BAD_VALUE, 3,
     "joints[0].limits[1]: expected a number"},
    {MODEL(", \"kind\": \"continuous\", \"limits\": [0, 1]"), LB_BAD_MODEL, 3, "has no limits"},
    {MODEL(", \"limits\": [0, 1]"), LB_BAD_MODEL, 3, "a fixed joint has no limits"},
    {MODEL(", \"kind\": \"universal\", \"limits\": [0, 1]"), LB_BAD_VALUE, 3,
     "joints[0].limits[0]: expected [lower, upper]"},
    {MODEL(", \"kind\": \"planar\", \"limits\": [[0, 1]]"), LB_BAD_VALUE, 3, "3 pairs"},
    {MODEL(", \"kind\": \"ball\", \"limits\": [0, 1]"), LB_BAD_VALUE, 3, "an object"},
    {MODEL(", \"kind\": \"ball\", \"limits\": {\"swnig\": 1}"), LB_BAD_MODEL, 3, "'swing'"},
    {MODEL(", \"kind\": \"ball\", \"limits\": {\"swing\": -1}"), LB_BAD_VALUE, 3, "swing"},
    {MODEL(", \"value\": 1"), LB_BAD_MODEL, 3, "a fixed joint has no value"},
    {MODEL(REVOLUTE ", \"value\": [1]"), LB_BAD_VALUE, 3, "joints[0].value: expected a number"},
    {MODEL(", \"kind\": \"ball\", \"value\": [1, 0]"), LB_BAD_VALUE, 3, "4 elements"},
    {MODEL(REVOLUTE ", \"weight\": 0"), LB_BAD_VALUE, 3, "weight"},
    {MODEL(REVOLUTE ", \"locked\": 1"), LB_BAD_VALUE, 3, "expected true or false"},
    {MODEL(REVOLUTE ", \"mimic\": \"j\""), LB_BAD_VALUE, 3, "joints[0].mimic: expected an object"},
    {MODEL(REVOLUTE ", \"mimic\": {}"), LB_BAD_MODEL, 3, "the key \"joint\" is missing"},
    {MODEL(REVOLUTE ", \"mimic\": {\"joint\": \"k\"}"), LB_BAD_MODEL, 3, "follows 'k'"},
    {MODEL(REVOLUTE ", \"mimic\": {\"joint\": \"j\"}"), LB_BAD_MODEL, 3, "follows itself"},
    {MODEL(", \"placement\": {\"rpy\": [0, 0, 0], \"quaternion\": [1, 0, 0, 0]}"), LB_BAD_MODEL, 3,
     "joints[0].placement: give one of"},
    {MODEL(", \"placement\": {\"quaternion\": [0, 0, 0, 0]}"), LB_BAD_VALUE, 3, "length 1, not 0"},
    {MODEL(", \"placement\": {\"matrix\": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}"), LB_BAD_VALUE, 3,
     "joints[0].placement.matrix: the rows"},
    {"{\"name\": \"m\", \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n"
     "\"joints\": [{\"name\": \"j\", \"parent\": \"a\"}]}",
     LB_BAD_MODEL, 2, "joints[0]: the key \"child\" is missing"},
    {"{\"name\": \"m\", \"links\": [{\"name\": \"a\"}, {\"name\": \"link\"}],\n"
     "\"joints\": [\n{\"name\": \"j\", \"parent\": \"a\", \"child\": \"lnik\"}]}",
     LB_BAD_MODEL, 3, "did you mean 'link'?"},
    // trees
    {"{\"name\": \"m\", \"links\": [{\"name\": \"a\"},\n{\"name\": \"b\"}]}", LB_BAD_MODEL, 2,
     "several roots"},
    {"{\"name\": \"m\", \"links\": [{\"name\": \"a\"},\n{\"name\": \"a\"}]}", LB_BAD_MODEL, 2,
     "two links are named 'a'"},
    {"{\"name\": \"m\", \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"joints\": [\n"
     "{\"name\": \"j\", \"parent\": \"a\", \"child\": \"b\"},\n"
     "{\"name\": \"k\", \"parent\": \"b\", \"child\": \"a\"}]}",
     LB_BAD_MODEL, 0, "cycle"},
    // links
    {LINK(", \"mass\": -1"), LB_BAD_VALUE, 2, "links[0].mass: a mass must not be negative"},
    {LINK(", \"inertia\": [1, 2, 3]"), LB_BAD_VALUE, 2, "links[0].inertia: expected 6 elements"},
    {VISUAL(""), LB_BAD_MODEL, 2, "links[0].visuals[0]: expected an object with the key \"shape\""},
    {VISUAL("\"shape\": \"spere\""), LB_BAD_VALUE, 3, "no shape 'spere'; did you mean 'sphere'?"},
    {VISUAL("\"shape\": \"sphere\""), LB_BAD_MODEL, 2, "the key \"radius\" is missing"},
    {VISUAL("\"shape\": \"sphere\", \"radius\": -1"), LB_BAD_VALUE, 3,
     "radius: a size must not be below"},
    {VISUAL("\"shape\": \"sphere\", \"radius\": 1, \"length\": 1"), LB_BAD_MODEL, 3,
     "visuals[0].length: there is no such key"},
    {VISUAL("\"shape\": \"capsule\", \"radius\": 1"), LB_BAD_MODEL, 2,
     "\"length\" and \"placement\""},
    {VISUAL("\"shape\": \"capsule\", \"radius\": 1, \"length\": 1, \"to\": [1, 0, 0]"),
     LB_BAD_MODEL, 2, "\"from\" and \"to\""},
    {VISUAL("\"shape\": \"capsule\", \"radius\": 1, \"to\": [0, 0, 0]"), LB_BAD_VALUE, 2,
     "two different points"},
    {VISUAL("\"shape\": \"box\", \"size\": [1, 1, 1], \"color\": [2, 0, 0]"), LB_BAD_VALUE, 3,
     "color: color components must be between 0 and 1"},
    // tables
    {ROWS(""), LB_BAD_MODEL, 1, "dh.rows: expected an array of at least one row"},
    {ROWS("{\"kind\": \"ball\"}"), LB_BAD_MODEL, 2, "dh.rows[0].kind: a row is revolute"},
    {ROWS("{\"alhpa\": 1}"), LB_BAD_MODEL, 2, "dh.rows[0].alhpa: there is no such key here; did"},
    {ROWS("{\"limits\": [1, 0]}"), LB_BAD_VALUE, 2, "dh.rows[0].limits"},
    {ROWS("{\"joint\": \"x\"},\n{\"joint\": \"x\"}"), LB_BAD_MODEL, 3, "two joints are named 'x'"},
    {ROWS("{},\n{\"weight\": -1}"), LB_BAD_VALUE, 3, "joint 'joint_2': weight"},
    {"{\"name\": \"m\", \"dh\": {\"convention\": \"craig\", \"rows\": [{}]}}", LB_BAD_VALUE, 1,
     "dh.convention: no convention 'craig'"},
    {"{\"name\": \"m\", \"dh\": {\"convention\": \"modified\", \"rows\": [{}], \"tool\": {}}}",
     LB_BAD_MODEL, 1, "dh: the modified convention"},
};

#endif
