/*
 * contacts.c - spans of time in which points are held, and their editing.
 *
 * The spans of a point are a sorted list without overlaps; adding one replaces all that it touches.
 */
#include "motion/contacts.h"

#include "base/error.h"
#include "model/range.h"

#include <assert.h>
#include <string.h>

contact_fault contact_point_fault(const lb_contact_point *point)
{
    static const char *const names[] = {"at[0]", "at[1]", "at[2]", "height"};
    const double values[] = {point->at.x, point->at.y, point->at.z, point->height};
    for (int i = 0; i < 4; i++)
        if (!range_has(values[i])) {
            bool low = values[i] < 0;
            return (contact_fault){names[i], values[i], low ? "at least" : "at most",
                                   low ? -LB_LENGTH_MAX : LB_LENGTH_MAX};
        }
    return (contact_fault){.name = NULL};
}

static lb_status check_point(const lb_contact_point *point, lb_error *error)
{
    contact_fault fault = contact_point_fault(point);
    if (fault.name == NULL)
        return LB_OK;
    return REFUSE_ARGUMENT(error, CONTACT_FAULT, fault.name, fault.value, fault.side, fault.bound);
}

lb_status lb_contacts_create(const lb_contact_point *points, int n, const lb_allocator *allocator,
                             lb_contacts **contacts, lb_error *error)
{
    TRY(REQUIRE(error, {contacts, "contacts"}));
    *contacts = NULL;
    if (n < 1)
        return REFUSE_ARGUMENT(error, "contacts need at least one point");
    for (int i = 0; points != NULL && i < n; i++)
        TRY(check_point(&points[i], error));
    lb_allocator memory;
    lb_contacts *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    made->memory = memory;
    made->count = n;
    made->points = memory_take(&memory, (size_t)n, sizeof *made->points);
    made->lists = memory_take(&memory, (size_t)n, sizeof *made->lists);
    if (memory_pool_failed(&memory)) {
        lb_contacts_release(made);
        return error_out_of_memory(error);
    }
    if (points != NULL)
        memcpy(made->points, points, sizeof *points * (size_t)n);
    *contacts = made;
    return LB_OK;
}

void lb_contacts_release(lb_contacts *contacts)
{
    memory_pool_release(contacts);
}

/* ---- reading ------------------------------------------------------------ */

lb_status contacts_keep(lb_status status, lb_contacts **contacts)
{
    if (status != LB_OK) {
        lb_contacts_release(*contacts);
        *contacts = NULL;
    }
    return status;
}

int lb_contacts_count(const lb_contacts *contacts)
{
    return contacts->count;
}

const lb_contact_point *lb_contacts_points(const lb_contacts *contacts)
{
    return contacts->points;
}

const lb_contact_span *lb_contacts_spans(const lb_contacts *contacts, int point, int *n)
{
    assert(point >= 0 && point < contacts->count);
    bool known = point >= 0 && point < contacts->count;
    *n = known ? contacts->lists[point].count : 0;
    return *n > 0 ? contacts->lists[point].spans : NULL;
}

/* the first span that does not end before a time; the count if all do */
static int find_span(const lb_contact_span *spans, int count, double time)
{
    int from = 0, to = count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (spans[middle].end < time)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

const lb_contact_span *lb_contacts_at(const lb_contacts *contacts, int point, double time)
{
    int count;
    const lb_contact_span *spans = lb_contacts_spans(contacts, point, &count);
    int at = find_span(spans, count, time);
    return at < count && spans[at].begin <= time ? &spans[at] : NULL;
}

/* ---- editing ------------------------------------------------------------ */

static lb_status check(const lb_contacts *contacts, int point, double begin, double end,
                       lb_error *error)
{
    TRY(REQUIRE(error, {contacts, "contacts"}));
    if (point < 0 || point >= contacts->count)
        return REFUSE_ARGUMENT(error, "there is no point %d; there are %d", point, contacts->count);
    if (!isfinite(begin) || !isfinite(end) || !(begin <= end))
        return REFUSE_ARGUMENT(error, "%g to %g is no span of time", begin, end);
    return LB_OK;
}

/* room for two more spans: what a cut or an addition may need */
static bool make_room(lb_contacts *contacts, contact_list *list)
{
    if (list->count + 2 <= list->room)
        return true;
    int room = 2 * list->room + 8;
    lb_contact_span *spans = memory_take(&contacts->memory, (size_t)room, sizeof *spans);
    if (spans == NULL)
        return false;
    if (list->count > 0)
        memcpy(spans, list->spans, sizeof *spans * (size_t)list->count);
    memory_release(&contacts->memory, list->spans);
    list->spans = spans;
    list->room = room;
    return true;
}

/* spans from..to - 1 become the `count` given ones */
static void replace(contact_list *list, int from, int to, const lb_contact_span *with, int count)
{
    memmove(&list->spans[from + count], &list->spans[to],
            sizeof *with * (size_t)(list->count - to));
    for (int i = 0; i < count; i++)
        list->spans[from + i] = with[i];
    list->count += count - (to - from);
}

/* the spans of a point, with room for an edit, and the first that does not end before it */
static lb_status begin_edit(lb_contacts *contacts, int point, double begin, double end,
                            contact_list **list, int *from, lb_error *error)
{
    TRY(check(contacts, point, begin, end, error));
    *list = &contacts->lists[point];
    TRY(require_memory(error, make_room(contacts, *list)));
    *from = find_span((*list)->spans, (*list)->count, begin);
    return LB_OK;
}

lb_status lb_contacts_add(lb_contacts *contacts, int point, double begin, double end,
                          lb_error *error)
{
    contact_list *list;
    int from;
    TRY(begin_edit(contacts, point, begin, end, &list, &from, error));
    int to = from;
    lb_contact_span whole = {begin, end};
    for (; to < list->count && list->spans[to].begin <= end; to++) {
        whole.begin = fmin(whole.begin, list->spans[to].begin);
        whole.end = fmax(whole.end, list->spans[to].end);
    }
    replace(list, from, to, &whole, 1);
    return LB_OK;
}

lb_status contacts_copy_spans(const lb_contacts *from, int point, lb_contacts *to, int other,
                              lb_error *error)
{
    const contact_list *list = &from->lists[point];
    lb_status status = LB_OK;
    for (int i = 0; i < list->count && status == LB_OK; i++)
        status = lb_contacts_add(to, other, list->spans[i].begin, list->spans[i].end, error);
    return status;
}

lb_status lb_contacts_cut(lb_contacts *contacts, int point, double begin, double end,
                          lb_error *error)
{
    contact_list *list;
    int from;
    lb_status status = begin_edit(contacts, point, begin, end, &list, &from, error);
    // there is nothing between a time and itself
    if (status != LB_OK || begin == end)
        return status;
    int to = from, left = 0;
    lb_contact_span rest[2];
    for (; to < list->count && list->spans[to].begin <= end; to++) {
        if (list->spans[to].begin < begin)
            rest[left++] = (lb_contact_span){list->spans[to].begin, begin};
        if (list->spans[to].end > end)
            rest[left++] = (lb_contact_span){end, list->spans[to].end};
    }
    replace(list, from, to, rest, left);
    return LB_OK;
}

/* whether all spans have finite times after a shift: their first and last ones have */
static bool is_shift_finite(const lb_contacts *contacts, double by)
{
    bool finite = isfinite(by);
    for (int i = 0; finite && i < contacts->count; i++) {
        const contact_list *list = &contacts->lists[i];
        finite = list->count == 0 || (isfinite(list->spans[0].begin + by) &&
                                      isfinite(list->spans[list->count - 1].end + by));
    }
    return finite;
}

/* spans that rounding brings together far away become one */
static void shift_list(contact_list *list, double by)
{
    int kept = 0;
    for (int k = 0; k < list->count; k++) {
        lb_contact_span span = {list->spans[k].begin + by, list->spans[k].end + by};
        if (kept > 0 && span.begin <= list->spans[kept - 1].end)
            list->spans[kept - 1].end = span.end;
        else
            list->spans[kept++] = span;
    }
    list->count = kept;
}

lb_status lb_contacts_shift(lb_contacts *contacts, double by, lb_error *error)
{
    TRY(REQUIRE(error, {contacts, "contacts"}));
    if (!is_shift_finite(contacts, by))
        return REFUSE_ARGUMENT(error, "spans that are shifted by %g s are not finite", by);
    for (int i = 0; i < contacts->count; i++)
        shift_list(&contacts->lists[i], by);
    return LB_OK;
}

lb_status lb_contacts_move(lb_contacts *contacts, int point, const lb_contact_point *to,
                           lb_error *error)
{
    TRY(check(contacts, point, 0, 0, error));
    TRY(REQUIRE(error, {to, "to"}));
    TRY(check_point(to, error));
    contacts->points[point] = *to;
    return LB_OK;
}
