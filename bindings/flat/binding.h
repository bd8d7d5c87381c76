/*
 * binding.h - what the WebAssembly module's C files share.
 *
 * The module exports functions over numbers, pointers and flat arrays alone; the
 * package's JavaScript, in the folder above, alone calls them and checks what goes in.
 */
#ifndef BINDING_H
#define BINDING_H

#include <limber/formats/document.h>
#include <limber/limber.h>

/* Names a function that is callable from outside: js_name here, `name` out there. */
#define EXPORT(name) __attribute__((export_name(#name))) js_##name

/*
 * A joint as numbers:
 *   kind, placement 12, axis 3, axis2 3, lower 3, upper 3, value 7, weight, locked,
 *   multiplier, offset, velocity, effort
 * A link: data offset 12, mass, center 3, inertia 6, visual count
 * A visual: shape, placement 12, size 3, color 4
 * A transform is its columns x, y, z, p, as lb_transform lays them out.
 */

/* tip, base (-1: the world), kind, tool 12, free axis 3, free position, weight */
enum { TASK_NUMBERS = 20 };

/* outcome or progress, reason, iterations, tries, position error, rotation error, beyond reach */
enum { RESULT_NUMBERS = 7 };

/*
 * branch, in limits, joint (-1: none), beyond, position error, rotation error, condition,
 * multiplicity, family, distance; and of all: outcome, reason, count, in limits, complete,
 * certified, truncated, joints of the family and which: LB_SOLUTION_JOINTS
 */
enum { SOLUTION_NUMBERS = 10, SUMMARY_NUMBERS = 8 + LB_SOLUTION_JOINTS };

/* of an arc of the elbow: branch, begin, end; of the best elbow: outcome, branch, angle, value,
   position error, rotation error */
enum { ARC_NUMBERS = 3, CHOICE_NUMBERS = 6 };

/*
 * kind, link, base (-1: the world), tool 12, axis 3, first and last link and joint (-1: none),
 * level, weight, box 3, cone, vertex count, vertices 2 each of LB_BODY_VERTICES
 */
enum { BODY_TASK_NUMBERS = 28 + 2 * LB_BODY_VERTICES };

/* The error of the last call that returned NULL or a status; one caller, one error. */
extern lb_error binding_error;

/* The options of a load, whose warnings are kept for warning_count() and its kin. */
lb_load_options binding_load(int strict);

/*
 * A document of nodes as rows of five numbers: kind, has a name, has a text, number, line; kind -1
 * closes the innermost node. Names and texts follow each other in `strings`, whose first is the
 * file's path. NULL: no memory.
 */
lb_document *binding_document(const char *strings, const double *rows, int count,
                              const char **path);

lb_transform transform_from(const double *numbers);
lb_task task_from(const double *numbers);

#endif
