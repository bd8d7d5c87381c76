/*
 * sample_json.h - a model in JSON with one of everything that the format has, and how its numbers
 * are compared. Include it after loading.h.
 */
#ifndef TEST_SAMPLE_JSON_H
#define TEST_SAMPLE_JSON_H

/* one of everything */
static const char everything[] =
    "{\"limber\": 1, \"name\": \"all\", \"summary\": \"s\", \"source\": \"t\",\n"
    " \"angles\": \"degrees\", \"root\": {\"xyz\": [1, 2, 3], \"rpy\": [0, 0, 90]},\n"
    " \"links\": [\n"
    "  {\"name\": \"base\"},\n"
    "  {\"name\": \"arm\", \"bone\": \"spine\", \"mass\": 2.5, \"center\": [0.1, 0.2, 0.3],\n"
    "   \"inertia\": [1, 2, 3, 0.1, 0.2, 0.3], \"data_offset\": {\"xyz\": [0, 0, 1]},\n"
    "   \"visuals\": [\n"
    "    {\"shape\": \"box\", \"size\": [1, 2, 3], \"color\": [1, 0, 0]},\n"
    "    {\"shape\": \"cylinder\", \"radius\": 0.5, \"length\": 2, \"placement\": {\"rpy\": [90, "
    "0, "
    "0]}},\n"
    "    {\"shape\": \"capsule\", \"radius\": 0.1, \"from\": [1, 0, 0], \"to\": [1, 0, -4]},\n"
    "    {\"shape\": \"capsule\", \"radius\": 0.1, \"to\": [0, 3, 4]},\n"
    "    {\"shape\": \"sphere\", \"radius\": 0.25, \"color\": [0, 1, 0, 0.5]},\n"
    "    {\"shape\": \"mesh\", \"mesh\": \"a.stl\", \"scale\": [1, -1, 2]}],\n"
    "   \"collisions\": [{\"shape\": \"sphere\", \"radius\": 0.5}]},\n"
    "  {\"name\": \"b\"}, {\"name\": \"c\"}, {\"name\": \"d\"}, {\"name\": \"e\"}, {\"name\": "
    "\"f\"},\n"
    "  {\"name\": \"g\"}],\n"
    " \"joints\": [\n"
    "  {\"name\": \"turn\", \"kind\": \"revolute\", \"parent\": \"base\", \"child\": \"arm\",\n"
    "   \"placement\": {\"xyz\": [1, 2, 3], \"quaternion\": [0.6, 0, 0, 0.8]},\n"
    "   \"axis\": [0, 10, 0], \"limits\": [90, 180], \"weight\": 2, \"locked\": true,\n"
    "   \"velocity\": 180, \"effort\": 7},\n"
    "  {\"name\": \"slide\", \"kind\": \"prismatic\", \"parent\": \"arm\", \"child\": \"b\",\n"
    "   \"placement\": {\"matrix\": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]},\n"
    "   \"limits\": [null, 90], \"value\": -3, \"velocity\": 180},\n"
    "  {\"name\": \"spin\", \"kind\": \"continuous\", \"parent\": \"arm\", \"child\": \"c\",\n"
    "   \"mimic\": {\"joint\": \"turn\", \"multiplier\": -2, \"offset\": 90}},\n"
    "  {\"name\": \"cross\", \"kind\": \"universal\", \"parent\": \"arm\", \"child\": \"d\",\n"
    "   \"axis\": [1, 0, 0], \"axis2\": [0, 1, 0], \"limits\": [[-90, 90], [-45, null]],\n"
    "   \"value\": [45, 0]},\n"
    "  {\"name\": \"glide\", \"kind\": \"planar\", \"parent\": \"arm\", \"child\": \"e\",\n"
    "   \"limits\": [[-1, 1], [-2, 2], [-90, 90]], \"value\": [0.5, 1, 45]},\n"
    "  {\"name\": \"socket\", \"kind\": \"ball\", \"parent\": \"arm\", \"child\": \"f\",\n"
    "   \"limits\": {\"twist\": [-90, 90], \"swing\": 60}, \"value\": [0.8, 0.6, 0, 0]},\n"
    "  {\"name\": \"fly\", \"kind\": \"floating\", \"parent\": \"arm\", \"child\": \"g\",\n"
    "   \"limits\": [[-1, 1], [null, null], [0, 5]], \"value\": [0, 1, 2, 1, 0, 0, 0]}]}\n";

/* near to the last places of a turn; infinities equal */
static inline void check_numbers(const double *actual, int count, const double *expected)
{
    for (int i = 0; i < count; i++)
        if (isfinite(expected[i]))
            assert_near(actual[i], expected[i], 1e-15);
        else
            assert_true(actual[i] == expected[i]);
}

#endif
