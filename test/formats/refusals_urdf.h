/*
 * refusals_urdf.h - files that are refused, with line and reason.
 *
 * Read by test_urdf.c, and by the npm package's tests, which compare every message.
 */
#ifndef TEST_REFUSALS_URDF_H
#define TEST_REFUSALS_URDF_H

#include "refusal.h"

/* a robot of two links and one joint, with the joint's inside in its line 3 */
#define ROBOT(inside)                                                                              \
    "<robot name='r'><link name='a'/>\n<link name='b'/>\n"                                         \
    "<joint name='elbow' type='revolute'>" inside "</joint></robot>"
#define ENDS "<parent link='a'/><child link='b'/>"
#define LIMIT "<limit lower='-1' upper='1'/>"
#define URDF_LINK(inside) "<robot name='r'>\n<link name='arm'>" inside "</link></robot>"

static const refusal urdf_refusals[] = {
    // not XML
    {"<robot name='r'>\n<link name='a'>\n</robot>", LB_SYNTAX_ERROR, 3, "well-formed"},
    {"<!-- r --><?xml version='1.0'?><robot name='r'/>", LB_SYNTAX_ERROR, 1, "XML declaration"},
    {"\n<?xml version='0.0'?>\n<robot name='r'>\n<link/></robot>", LB_BAD_MODEL, 4, "attribute"},
    {"\n<?xml version='0.0'?>\n<robot name='r'>\n<link></robot>", LB_SYNTAX_ERROR, 4, "mismatch"},
    {"<?xml version='0.0'>\n<robot name='r'/>", LB_SYNTAX_ERROR, 1, "well-formed"},
    {"<robot name='r'/><robot name='s'/>", LB_SYNTAX_ERROR, 1, "Extra content"},
    {"<robot name='r' name='s'/>", LB_SYNTAX_ERROR, 1, "redefined"},
    {"<robot name='&r;'/>", LB_SYNTAX_ERROR, 1, "Entity"},
    {"<!DOCTYPE robot [<!ENTITY r 'x'>]>\n<robot name='&r;'/>", LB_UNSUPPORTED, 1, "DOCTYPE"},
    {"<!DOCTYPE robot SYSTEM 'file:///etc/passwd'>\n<robot name='r'/>", LB_UNSUPPORTED, 1,
     "DOCTYPE"},
    // not URDF
    {"<sdf version='1.6'/>", LB_BAD_MODEL, 1, "<sdf>, not <robot>"},
    {"<robot name='r'/>", LB_BAD_MODEL, 1, "no <link>"},
    {"<robot name='r'><group name='g'/></robot>", LB_BAD_MODEL, 1, "this is an SRDF"},
    {"<robot name='r' version='2.0'><link name='a'/></robot>", LB_UNSUPPORTED, 1, "version"},
    {"<robot name='r' xmlns:xacro='x'>\n<xacro:include filename='f'/></robot>", LB_UNSUPPORTED, 2,
     "xacro FILE > robot.urdf"},
    {"<robot name='r' xmlns:xacro='x'>\n<xacro:arm/></robot>", LB_UNSUPPORTED, 2,
     "<xacro:arm> has macros of xacro"},
    {"<robot name='r' xmlns:xacro='x'><link name='a'/>\n<xacro:if value='1'>\n"
     "<link name='b'/></xacro:if></robot>",
     LB_UNSUPPORTED, 3, "<link> has macros of xacro"},
    {"<robot name='r'>\n<link name='${prefix}a'/></robot>", LB_UNSUPPORTED, 2,
     "<link> has macros of xacro; expand them first"},
    // shapes
    {"<robot name='r'>\n<link name='a'>\n<visual><geometry>"
     "<cylinder radius='0.1' length='1e155'/></geometry></visual></link></robot>",
     LB_BAD_VALUE, 2, "link 'a': visual 1: size 1e+155 must be 0 to 1e+15"},
    {"<robot name='r'>\n<link name='a'><visual><geometry>"
     "<sphere radius='-1'/></geometry></visual></link></robot>",
     LB_BAD_VALUE, 2, "link 'a': visual 1: size -1 must be 0 to 1e+15"},
    // joints
    {ROBOT("<child link='b'/>" LIMIT), LB_BAD_MODEL, 3, "joint 'elbow': it needs <parent link"},
    {ROBOT("<parent link='a'/>" LIMIT), LB_BAD_MODEL, 3, "needs <child link"},
    {ROBOT("<parent/><child link='b'/>" LIMIT), LB_BAD_MODEL, 3, "<parent> needs the attribute"},
    {ROBOT("<parent link='b'/>" ENDS LIMIT), LB_BAD_MODEL, 3, "a second <parent>"},
    {ROBOT(ENDS LIMIT "<limit lower='-2' upper='2'/>"), LB_BAD_MODEL, 3, "a second <limit>"},
    {ROBOT("<axis xyz='0 1 0'/>" ENDS LIMIT "<axis xyz='0 1 0'/><axis xyz='0 1 1'/>"), LB_BAD_MODEL,
     3, "a second <axis>"},
    {ROBOT(ENDS "<limit lower='2' upper='1'/>"), LB_BAD_VALUE, 3,
     "joint 'elbow': limit lower 2 is above upper 1; exchange them"},
    {ROBOT(ENDS "\n<limit lower='nan' upper='1'/>"), LB_BAD_VALUE, 4,
     "limit lower: 'nan' is not a finite number"},
    {ROBOT(ENDS "<limit lower='0' upper='inf'/>"), LB_BAD_VALUE, 3, "'inf' is not a finite"},
    {ROBOT(ENDS "<limit lower='0' upper='1e999'/>"), LB_BAD_VALUE, 3, "'1e999' is too large"},
    {ROBOT(ENDS "<limit lower='0' upper='1 2'/>"), LB_BAD_VALUE, 3, "2 numbers instead of 1"},
    {ROBOT(ENDS "<limit lower='' upper='1'/>"), LB_BAD_VALUE, 3, "0 numbers instead of 1"},
    {ROBOT(ENDS "<limit lower='0x1p3' upper='9'/>"), LB_BAD_VALUE, 3, "'0x1p3' is not a number"},
    {ROBOT(ENDS "<limit lower='${a}' upper='9'/>"), LB_BAD_VALUE, 3,
     "'${a}' is not a number; expand"},
    {ROBOT(ENDS "<limit lower='0' upper='1' effort='much'/>"), LB_BAD_VALUE, 3, "limit effort"},
    {ROBOT(ENDS LIMIT "<axis xyz='0 0 0'/>"), LB_BAD_VALUE, 3, "joint 'elbow': axis is zero"},
    {ROBOT(ENDS LIMIT "<axis xyz='0 0'/>"), LB_BAD_VALUE, 3, "2 numbers instead of 3"},
    {ROBOT(ENDS LIMIT "<origin xyz='0.07,0,-0.69'/>"), LB_BAD_VALUE, 3,
     "origin xyz: '0.07,0,-0.69' is not a number; separate numbers by spaces"},
    {ROBOT(ENDS LIMIT "<origin rpy='0 0 0 0'/>"), LB_BAD_VALUE, 3, "4 numbers instead of 3"},
    {ROBOT(ENDS LIMIT "<origin/><origin xyz='0 0 0'/>"), LB_BAD_MODEL, 3, "a second <origin>"},
    {ROBOT(ENDS LIMIT "<origin rpy='0 0 0' quat_xyzw='0 0 0 1'/>"), LB_BAD_MODEL, 3, "both"},
    {ROBOT(ENDS LIMIT "<origin quat_xyzw='0 0 0 0'/>"), LB_BAD_VALUE, 3, "length 1, not 0"},
    {ROBOT(ENDS LIMIT "<mimic/>"), LB_BAD_MODEL, 3, "<mimic> needs the attribute joint="},
    {ROBOT(ENDS LIMIT "<mimic joint='elbow'/>"), LB_BAD_MODEL, 3, "follows itself"},
    {ROBOT(ENDS LIMIT "<mimic joint='elbow' offset='x'/>"), LB_BAD_VALUE, 3, "mimic offset"},
    {ROBOT("<parent link='a'/><child link='bb'/>" LIMIT), LB_BAD_MODEL, 3, "'bb'"},
    {ROBOT("<parent link='b'/><child link='b'/>" LIMIT), LB_BAD_MODEL, 3, "joint 'elbow'"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint type='fixed'>" ENDS
     "</joint></robot>",
     LB_BAD_MODEL, 2, "joint: <joint> needs the attribute name="},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j'>" ENDS "</joint></robot>",
     LB_BAD_MODEL, 2, "joint 'j': <joint> needs the attribute type="},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolut'>" ENDS
     "</joint></robot>",
     LB_BAD_MODEL, 2, "no joint type 'revolut'; did you mean 'revolute'?"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='ball'>" ENDS
     "</joint></robot>",
     LB_BAD_MODEL, 2, "no joint type 'ball'"},
    // trees
    {"<robot name='r'><link name='a'/>\n<link name='b'/></robot>", LB_BAD_MODEL, 2,
     "several roots"},
    {"<robot name='r'><link name='a'/>\n<link name='a'/></robot>", LB_BAD_MODEL, 2,
     "two links are named 'a'"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
     LB_BAD_MODEL, 0, ""},
    {"<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint></robot>",
     LB_BAD_MODEL, 3, "'j'"},
    {"<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint></robot>",
     LB_BAD_MODEL, 3, "'b'"},
    {"<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
     "<joint name='j' type='continuous'>" ENDS "<mimic joint='k'/></joint>\n"
     "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j'/>"
     "</joint></robot>",
     LB_BAD_MODEL, 0, "follow"},
    // links
    {"<robot name='r'>\n<link/></robot>", LB_BAD_MODEL, 2, "link: <link> needs the attribute"},
    {URDF_LINK("<inertial><mass value='-1'/></inertial>"), LB_BAD_VALUE, 2,
     "link 'arm': mass -1 is below zero"},
    {URDF_LINK("<inertial><mass value='heavy'/></inertial>"), LB_BAD_VALUE, 2,
     "mass value: 'heavy'"},
    {URDF_LINK("<inertial><inertia ixx='nan'/></inertial>"), LB_BAD_VALUE, 2, "inertia ixx: 'nan'"},
    {URDF_LINK("<visual/>"), LB_BAD_MODEL, 2, "needs a <geometry>"},
    {URDF_LINK("<visual><geometry/></visual>"), LB_BAD_MODEL, 2, "needs a <geometry> with a shape"},
    {URDF_LINK("<visual><geometry><boxx/></geometry></visual>"), LB_BAD_MODEL, 2,
     "no shape <boxx>; did you mean 'box'?"},
    {URDF_LINK("<visual><geometry><box/></geometry></visual>"), LB_BAD_MODEL, 2,
     "<box> needs the attribute size="},
    {URDF_LINK("<visual><geometry><mesh/></geometry></visual>"), LB_BAD_MODEL, 2,
     "<mesh> needs the attribute filename="},
    {URDF_LINK("<visual><geometry><sphere radius='a'/></geometry></visual>"), LB_BAD_VALUE, 2,
     "sphere radius: 'a' is not a number"},
    {URDF_LINK("<visual><geometry><box size='1 1 1'/></geometry><material>"
               "<color rgba='1 1'/></material></visual>"),
     LB_BAD_VALUE, 2, "color rgba=\"1 1\" has 2 numbers instead of at least 3"},
};

#endif
