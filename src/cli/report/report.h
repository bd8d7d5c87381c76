/*
 * report.h - what the program says on standard error.
 *
 * Every message is one line that begins "limber: " and names the thing; results
 * never go to standard error.
 */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include <limber/kinematics.h>

#if defined(__GNUC__)
#define REPORT_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define REPORT_FORMAT
#endif

/* Why it cannot go on. */
void complain(const char *format, ...) REPORT_FORMAT;

/* The same from the library: "limber: panda.urdf:41: joint 'elbow': ...". */
void complain_error(const lb_error *error);
/* Whether a call of the library went well; else its error is printed. */
bool complain_unless(lb_status status, const lb_error *error);

/* A warning: the program continues. */
void remark(const char *format, ...) REPORT_FORMAT;
/* The same from the library. */
void remark_error(const lb_error *note);

/* Memory for `count` elements of `size` bytes, zeroed; without any the program ends here. */
void *allocate_or_exit(size_t count, size_t size);
/* The same where a call of the library says that there is none; other statuses are ignored. */
void exit_if_out_of_memory(lb_status status);
/* A state at the model's neutral configuration; without memory the program ends here. */
lb_state *state_or_exit(const lb_model *model);

#endif
