/*
 * limber.h - the whole core in one include.
 *
 * Every header can be included alone as well; each explains one subject, from base.h up.
 *
 * Files are under limber/formats/, drawing under limber/figures/: these need libraries of
 * their own, limber_formats and limber_figures.
 */
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include <limber/base.h>
#include <limber/batch.h>
#include <limber/body.h>
#include <limber/bones.h>
#include <limber/clip.h>
#include <limber/elbow.h>
#include <limber/fk_batch.h>
#include <limber/ik.h>
#include <limber/kinematics.h>
#include <limber/math.h>
#include <limber/model.h>
#include <limber/motion.h>
#include <limber/solutions.h>
#include <limber/task.h>
#include <limber/two_bone.h>
#include <limber/workspace.h>

#endif
