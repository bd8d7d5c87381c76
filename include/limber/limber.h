/*
 * limber.h - the whole core in one include.
 *
 * Every header can be included alone, and each explains one subject. Begin with model.h (a model),
 * kinematics.h (where its links are) and ik.h (how a link gets somewhere). motion.h moves a tool
 * along paths, body.h solves many tasks at once, solutions.h lists every solution of an arm,
 * collision.h measures distances. math.h states the conventions of all: units, axes, quaternions,
 * transforms.
 *
 * Files and figures are not included. Their headers are in limber/formats/ and limber/figures/,
 * their libraries are limber_formats (libxml2, jansson) and limber_figures (cairo). C++ programs
 * can include limber.hpp instead.
 *
 * Each header says whether its functions are stable or experimental; a function that differs says
 * so in its own comment. docs/releasing.md says what either promises.
 */
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include <limber/base.h>
#include <limber/batch.h>
#include <limber/body.h>
#include <limber/bones.h>
#include <limber/check.h>
#include <limber/clip.h>
#include <limber/collision.h>
#include <limber/contacts.h>
#include <limber/derivation.h>
#include <limber/elbow.h>
#include <limber/fidelity.h>
#include <limber/fk_batch.h>
#include <limber/gait.h>
#include <limber/ik.h>
#include <limber/joint_setting.h>
#include <limber/kinematics.h>
#include <limber/loops.h>
#include <limber/math.h>
#include <limber/model.h>
#include <limber/motion.h>
#include <limber/placement.h>
#include <limber/reach_map.h>
#include <limber/retarget.h>
#include <limber/servo.h>
#include <limber/solutions.h>
#include <limber/synthesis.h>
#include <limber/task.h>
#include <limber/timing.h>
#include <limber/two_bone.h>
#include <limber/workspace.h>

#endif
