/*
 * refusal.h - a file that must be refused, and why.
 */
#ifndef TEST_REFUSAL_H
#define TEST_REFUSAL_H

#include <limber/base.h>

/* A refused text, the line it is refused for (0: not looked at) and a part of the message. */
typedef struct refusal {
    const char *text;
    lb_status status;
    int line;
    const char *message;
} refusal;

#endif
