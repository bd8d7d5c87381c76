/*
 * view.h - the view that a solver makes of its model where its options change joints.
 */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include <limber/joint_setting.h>

/*
 * The two fields of any options that list settings of joints. *model becomes the view, which is
 * kept in *view for its release, and stays where there are none; the list is read back as none.
 */
lb_status view_take(const lb_joint_setting **joints, int *count, const lb_allocator *allocator,
                    const lb_model **model, lb_model **view, lb_error *error);

/* A setting of a mimic joint as one of the joint that it follows, in that joint's values; any other
   as it is. */
lb_joint_setting view_setting(const lb_model *model, const lb_joint_setting *setting);

#endif
