/*
 * element.c - reading XML elements: attributes and children, refused with line and place.
 */
#include "formats/mapping/element.h"

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { PLACE_SIZE = 240 };

/* "joint 'elbow'" or "robot" */
static const char *describe(const element_place *place, char text[PLACE_SIZE])
{
    if (place->name == NULL)
        text_format(text, PLACE_SIZE, "%s", place->kind);
    else
        text_format(text, PLACE_SIZE, "%s '%.200s'", place->kind, place->name);
    return text;
}

lb_status element_refuse(const element_place *place, lb_status status, const tree_node *node,
                         const char *format, ...)
{
    char what[LB_ERROR_MESSAGE_SIZE / 2], where[PLACE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    return lb_error_set(place->error, status, node->line, "%s: %s", describe(place, where), what);
}

void element_warn(const element_place *place, const tree_node *node, const char *format, ...)
{
    char what[LB_ERROR_MESSAGE_SIZE / 2], where[PLACE_SIZE];
    va_list arguments;
    if (!warnings_wanted(place->warnings))
        return;
    va_start(arguments, format);
    text_vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    warnings_add(place->warnings, node->line, "%s: %s", describe(place, where), what);
}

/* whether two elements without children say the same in the same words */
static bool is_same(const tree_node *a, const tree_node *b)
{
    const tree_node *of = a->first_attribute, *other = b->first_attribute;
    for (; of != NULL && other != NULL; of = of->next, other = other->next)
        if (strcmp(of->name, other->name) != 0 || strcmp(of->text, other->text) != 0)
            return false;
    return of == other && a->count == 0 && b->count == 0;
}

lb_status element_only_child(const element_place *place, const tree_node *parent, const char *name,
                             const tree_node **child)
{
    *child = tree_child(parent, name);
    const tree_node *second = *child == NULL ? NULL : tree_next(*child);
    for (; second != NULL && is_same(*child, second); second = tree_next(second))
        element_warn(place, second, "a second <%s>, the same as in line %d, is passed over", name,
                     (*child)->line);
    if (second != NULL)
        return element_refuse(place, LB_BAD_MODEL, second,
                              "a second <%s> (the first is in line %d); leave one of them", name,
                              (*child)->line);
    return LB_OK;
}

lb_status element_text(const element_place *place, const tree_node *node, const char *name,
                       const char **text)
{
    *text = tree_attribute(node, name);
    if (*text == NULL || **text == '\0')
        return element_refuse(place, LB_BAD_MODEL, node, "<%s> needs the attribute %s=\"...\"",
                              node->name, name);
    return LB_OK;
}

/* ---- numbers -------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* moves *text behind the next word and returns its length, 0 at the end */
static int next_word(const char **text)
{
    while (is_blank(**text))
        (*text)++;
    int length = 0;
    while ((*text)[length] != '\0' && !is_blank((*text)[length]) && length < INT_MAX)
        length++;
    *text += length;
    return length;
}

static lb_status refuse_word(const element_place *place, const tree_node *node, const char *name,
                             const char *word, int length, const char *wrong)
{
    bool comma = memchr(word, ',', (size_t)length) != NULL;
    return element_refuse(place, LB_BAD_VALUE, node, "%s %s: '%.*s' %s%s", node->name, name,
                          length > 40 ? 40 : length, word, wrong,
                          comma          ? "; separate numbers by spaces, without commas"
                          : *word == '$' ? "; expand the macros first: xacro FILE > robot.urdf"
                                         : "");
}

lb_status element_some_numbers(const element_place *place, const tree_node *node, const char *name,
                               int least, int most, double *values, int *count)
{
    const char *text = tree_attribute(node, name);
    *count = 0;
    if (text == NULL)
        return LB_OK;

    // each word must be one number, with a comma behind it at most
    int found = 0, length;
    bool commas = false;
    for (const char *end = text; (length = next_word(&end)) > 0; found++) {
        double value;
        bool comma = end[-1] == ',' && found + 1 < most;
        const char *wrong = number_read(end - length, (size_t)(length - comma), &value);
        commas = commas || comma;
        if (wrong != NULL)
            return refuse_word(place, node, name, end - length, length, wrong);
        if (found < most)
            values[found] = value;
    }
    if (found < least || found > most)
        return element_refuse(place, LB_BAD_VALUE, node,
                              "%s %s=\"%.60s\" has %d number%s instead of %s%d", node->name, name,
                              text, found, found == 1 ? "" : "s",
                              least == most  ? ""
                              : found > most ? "at most "
                                             : "at least ",
                              found > most ? most : least);
    if (commas)
        element_warn(place, node, "%s %s=\"%.60s\" has commas, which are passed over", node->name,
                     name, text);
    *count = found;
    return LB_OK;
}

lb_status element_numbers(const element_place *place, const tree_node *node, const char *name,
                          int count, double *values)
{
    int found;
    return element_some_numbers(place, node, name, count, count, values, &found);
}

lb_status element_color(const element_place *place, const tree_node *node, double rgba[4])
{
    const char *text = tree_attribute(node, "rgba");
    int count;
    TRY(element_some_numbers(place, node, "rgba", 3, 4, rgba, &count));
    if (count == 3) {
        rgba[3] = 1;
        element_warn(place, node, "rgba=\"%.60s\" has no opacity; 1 is taken", text);
    }
    bool beyond = false;
    for (int i = 0; i < count; i++) {
        double nearest = fmin(fmax(rgba[i], 0), 1);
        beyond = beyond || nearest != rgba[i];
        rgba[i] = nearest;
    }
    if (beyond)
        element_warn(place, node, "rgba=\"%.60s\" goes beyond 0 to 1; the nearest in it is taken",
                     text);
    return LB_OK;
}
