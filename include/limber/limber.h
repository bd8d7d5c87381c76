/*
 * limber.h - the whole core in one include.
 *
 * Every header can be included alone as well; each explains one subject. math.h states the
 * conventions of all: units, axes, quaternions, transforms. A first program needs model.h (a
 * model), kinematics.h (where its links are) and ik.h (how a link gets somewhere); motion.h
 * moves it along paths, body.h has many tasks at once, solutions.h every solution of an arm,
 * collision.h distances.
 *
 * Not included: reading files, under limber/formats/, and drawing, under limber/figures/. These
 * need libraries of their own, limber_formats (libxml2, jansson) and limber_figures (cairo).
 * C++ programs can include limber.hpp instead.
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
#include <limber/elbow.h>
#include <limber/fk_batch.h>
#include <limber/gait.h>
#include <limber/ik.h>
#include <limber/joint_setting.h>
#include <limber/kinematics.h>
#include <limber/math.h>
#include <limber/model.h>
#include <limber/motion.h>
#include <limber/placement.h>
#include <limber/reach_map.h>
#include <limber/retarget.h>
#include <limber/solutions.h>
#include <limber/task.h>
#include <limber/timing.h>
#include <limber/two_bone.h>
#include <limber/workspace.h>

#endif
