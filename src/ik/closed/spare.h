/*
 * spare.h - which joint of a redundant arm may be locked so that the others can be listed.
 */
#ifndef IK_CLOSED_SPARE_H
#define IK_CLOSED_SPARE_H

#include <limber/task.h>

/*
 * The first joint of the path to a task's tip without which the arm has as many joints as the task
 * has constraints, and is of a class whose solutions can be listed; -1: no single joint is that.
 * `width` is that of the kernel.
 */
int closed_find_spare(const lb_model *model, const lb_task *task, int width,
                      const lb_allocator *allocator);

#endif
