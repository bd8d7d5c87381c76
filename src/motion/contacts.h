/* contacts.h - what an lb_contacts holds. */
#ifndef MOTION_CONTACTS_H
#define MOTION_CONTACTS_H

#include <limber/contacts.h>

/* The spans of one point, in the order of time and apart. */
typedef struct contact_list {
    lb_contact_span *spans;
    int count, room;
} contact_list;

struct lb_contacts {
    lb_allocator allocator;
    int count;
    lb_contact_point *points; /* count */
    contact_list *lists;      /* count */
};

#endif
