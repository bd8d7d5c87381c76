/*
 * tip.h - the tips that a model's user most likely means.
 */
#ifndef CLI_OPTIONS_TIP_H
#define CLI_OPTIONS_TIP_H

#include <limber/model.h>

/* more arms and legs than are listed */
enum { TIP_ROOM = 8 };

/*
 * Fills up to TIP_ROOM tips and returns how many, at least one; the first is the default.
 * Links that are called as tools are (tool0, tcp, ee_link ...); else the ends of the arms
 * and legs that are moved by at least half as many joints as the most, of which the one
 * that the most joints move comes first. An arm with fingers ends at the link that carries
 * them: where the tree branches within a third of the arm's length.
 */
int tip_choices(const lb_model *model, int tips[TIP_ROOM]);

#endif
