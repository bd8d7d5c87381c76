/*
 * warned.h - files that load with warnings, or that are laid out so that lines are hard to count.
 *
 * Read by the npm package's tests, which compare every message and number.
 */
#ifndef TEST_WARNED_H
#define TEST_WARNED_H

#define ROBOT_OF_TWO(inside)                                                                       \
    "<?xml version='1.0'?>\n<robot name='r'>\n<link name='a'>\n</link><link name='b'/>\n"          \
    "<joint name='j' type='revolute'>\n<parent link='a'/><child link='b'/>\n" inside               \
    "</joint>\n</robot>\n"

static const struct {
    const char *name, *text;
} warned[] = {
    {"r.urdf", ROBOT_OF_TWO("<orgin xyz='1 0 0'/><limit upper='1'/>")},
    {"r.urdf", ROBOT_OF_TWO("<limit\n lower='-180'\n upper='180'\n/>")},
    {"r.urdf", ROBOT_OF_TWO("<limit lowr='0' upper='1'/><mimic joint='k'/>")},
    {"r.urdf", ROBOT_OF_TWO("<!-- a\nb --><limit lower='0' upper='1'/><axis xyz='0\n0 &#x31;'/>")},
    {"r.urdf", "\xEF\xBB\xBF<robot name='r' xmlns='http://r' xmlns:xacro='http://x'>\r\n\r\n"
               "<xacro:property name='p' value='1'/><link name='&lt;a&amp;&#98;&gt;'>\r\n"
               "<x:y xmlns:x='z' x:w='1'/><![CDATA[<link/>]]><?pi <link/>?></link></robot>\n"},
    {"r.urdf", "<robot name='\xC3\xA4rm'><link name='\xF0\x9F\xA6\xBE'/></robot>"},
    {"m.json", "{\"name\": \"m\",\n\"root\": {\"rpy\": [0,\n90,\n0]},\n\"links\":\n[{\"name\":\n"
               "\"a\\u00e4\\\"}]\"}]}"},
    {"m.json", "{\"name\": \"m\", \"links\": [{\"name\": \"a\", \"mass\": 0.1234567890123456789},\n"
               "{\"name\": \"b\"}], \"joints\": [\n[],{}\n]}"},
    {"m.json", "{\"name\": \"m\", \"dh\": {\"convention\": \"modified\", \"rows\": [\n"
               "{\"a\": 1e-7, \"alpha\": -90},\n{\"theta\": 1.5, \"limits\": [-135, 135]}]}}"},
};

#endif
