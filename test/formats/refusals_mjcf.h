/*
 * refusals_mjcf.h - files in MJCF that are refused, with line and reason.
 *
 * Read by test_mjcf.c, and by the npm package's tests, which compare every message.
 */
#ifndef TEST_REFUSALS_MJCF_H
#define TEST_REFUSALS_MJCF_H

#include "refusal.h"

/* a model with one body, the inside of which is in line 3 */
#define BODY(inside)                                                                               \
    "<mujoco>\n<worldbody><body name='arm'>\n" inside "</body></worldbody></mujoco>"
#define WITH_TOP(top, inside) "<mujoco>\n" top "\n<worldbody>" inside "</worldbody></mujoco>"
#define TWO_BODIES                                                                                 \
    "<body name='a'><joint name='ja'/><body name='b'><joint name='jb'/></body></body>"

static const refusal mjcf_refusals[] = {
    {"<mujoco/>", LB_BAD_MODEL, 1, "mujoco: it has no <worldbody>"},
    {WITH_TOP("<include file='x.xml'/>", ""), LB_UNSUPPORTED, 2, "<include> is read where"},
    {WITH_TOP("", "<replicate count='3'><body/></replicate>"), LB_UNSUPPORTED, 3,
     "<replicate> makes bodies; save the compiled model"},
    {WITH_TOP("<compiler angle='degres'/>", ""), LB_BAD_VALUE, 2, "did you mean 'degree'?"},
    {WITH_TOP("<compiler eulerseq='xyw'/>", ""), LB_BAD_VALUE, 2, "three of the letters"},
    {WITH_TOP("<compiler coordinate='global'/>", ""), LB_UNSUPPORTED, 2, "coordinate=\"global\""},
    {WITH_TOP("<compiler autolimits='yes'/>", ""), LB_BAD_VALUE, 2, "autolimits=\"yes\""},
    {WITH_TOP("<default><default class='arm'/></default>", "<body><joint class='amr'/></body>"),
     LB_BAD_MODEL, 3, "no default class 'amr'; did you mean 'arm'?"},
    {BODY("<joint type='hing'/>"), LB_BAD_MODEL, 3, "no joint type 'hing'; did you mean 'hinge'?"},
    {BODY("<joint axis='0 0 0'/>"), LB_BAD_VALUE, 3, "joint 'arm': axis is zero"},
    {BODY("<joint range='2 1'/>"), LB_BAD_VALUE, 3, "range 2 is above 1; exchange them"},
    {BODY("<joint range='1'/>"), LB_BAD_VALUE, 3, "1 number instead of 2"},
    {BODY("<joint limited='maybe'/>"), LB_BAD_VALUE, 3, "limited=\"maybe\""},
    {BODY("<body>\n<freejoint/></body>"), LB_BAD_MODEL, 4, "a free joint is for bodies of the"},
    {BODY("<site name='s' quat='0 0 0 0'/>"), LB_BAD_VALUE, 3, "site 's': quat is zero"},
    {BODY("<site name='s' euler='0 0'/>"), LB_BAD_VALUE, 3, "2 numbers instead of 3"},
    {BODY("<geom type='spher' size='1'/>"), LB_BAD_MODEL, 3, "did you mean 'sphere'?"},
    {BODY("<geom type='box' size='1 1'/>"), LB_BAD_MODEL, 3, "a box needs 3 numbers of size"},
    {BODY("<geom type='mesh' mesh='m'/>"), LB_BAD_MODEL, 3, "no <mesh> asset 'm'"},
    {BODY("<inertial mass='-1' pos='0 0 0'/>"), LB_BAD_VALUE, 3, "mass -1 is below zero"},
    {BODY("<joint name='j'/><joint name='j' pos='nan 0 0'/>"), LB_BAD_VALUE, 3, "not a finite"},
    {WITH_TOP("<equality><joint joint1='ja' joint2='jc'/></equality>", TWO_BODIES), LB_BAD_MODEL, 2,
     "joint2: no joint 'jc'"},
    {WITH_TOP("<equality><joint joint2='ja'/></equality>", TWO_BODIES), LB_BAD_MODEL, 2,
     "needs the attribute joint1"},
    {WITH_TOP("<equality><joint joint1='ja' joint2='jb'/>\n<joint joint1='jb' joint2='ja'/>"
              "</equality>",
              TWO_BODIES),
     LB_BAD_MODEL, 0, "follows itself"},
};

#endif
