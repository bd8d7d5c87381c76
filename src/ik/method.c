/* method.c - the table of methods. A method is one row here and, if it steps on its own, one file
 * in methods/. */
#include "ik/method.h"

#include <string.h>

static const lb_method methods[] = {
    {"lm", "Levenberg-Marquardt with limits inside the step and new starts: the robust default",
     "Chan & Lawrence 1988, damping from the error; Eq. 5.24", 16, 0},
    {"damped", "damped least squares with a constant lambda", "Eq. 5.24; Wampler 1986", 100, 0.1},
};

int lb_method_count(void)
{
    return (int)(sizeof methods / sizeof *methods);
}

const lb_method *lb_method_at(int index)
{
    return index >= 0 && index < lb_method_count() ? &methods[index] : NULL;
}

const lb_method *lb_method_find(const char *name)
{
    for (int i = 0; i < lb_method_count(); i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

const char *lb_method_name(const lb_method *method)
{
    return method->name;
}

const char *lb_method_summary(const lb_method *method)
{
    return method->summary;
}

const char *lb_method_source(const lb_method *method)
{
    return method->source;
}
