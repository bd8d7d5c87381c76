/*
 * arguments.c - the values of options.
 */
#include "cli/options/arguments.h"

#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/report/report.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char separators[] = " \t\r\n,";

static bool read_number(const char *option, const char *text, size_t size, double *value)
{
    const char *fault = number_read(text, size, value);
    if (fault != NULL)
        complain("%s: '%.*s' %s", option, (int)size, text, fault);
    return fault == NULL;
}

bool argument_number(const char *option, const char *text, double *value)
{
    return text == NULL || read_number(option, text, strlen(text), value);
}

bool argument_positive(const char *option, const char *text, double *value)
{
    double number;
    if (text == NULL)
        return true;
    if (!argument_number(option, text, &number))
        return false;
    if (!(number > 0))
        return complain("%s: %s is not above zero", option, text);
    *value = number;
    return true;
}

/* a whole number in least..most, as large as a double holds */
static bool argument_whole(const char *option, const char *text, double least, double most,
                           double *value)
{
    double number;
    if (!text)
        return true;
    if (!argument_number(option, text, &number))
        return false;
    if (number != floor(number) || number < least || number > most)
        return complain("%s: %s is not a whole number from %.0f to %.0f", option, text, least,
                        most);
    *value = number;
    return true;
}

bool argument_count(const char *option, const char *text, int least, int most, int *value)
{
    double number = *value;
    if (!argument_whole(option, text, least, most, &number))
        return false;
    *value = (int)number;
    return true;
}

bool argument_part(const char *option, const char *text, long *part, long *parts)
{
    char rest;
    *part = *parts = 1;
    bool fine = text == NULL || (text[strspn(text, "0123456789/")] == '\0' &&
                                 sscanf(text, "%9ld/%9ld%c", part, parts, &rest) == 2 &&
                                 *part >= 1 && *part <= *parts);
    (*part)--;
    return fine || complain("%s: \"%s\" is not I/N, the I-th of N parts, as in 2/3", option, text);
}

int argument_list(const char *option, const char *text, int room, double *values)
{
    int found = 0;
    for (text += strspn(text, separators); *text != '\0'; found++) {
        double value;
        size_t size = strcspn(text, separators);
        if (!read_number(option, text, size, &value))
            return -1;
        if (found < room)
            values[found] = value;
        text += size;
        text += strspn(text, separators);
    }
    return found;
}

bool argument_numbers(const char *option, const char *text, const char *shape, int count,
                      double *values)
{
    int found = argument_list(option, text, count, values);
    if (found < 0)
        return false;
    return found == count || complain("%s: \"%s\" has %d number%s, %d are wanted: \"%s\"", option,
                                      text, found, found == 1 ? "" : "s", count, shape);
}

bool argument_vector(const char *option, const char *text, const char *shape, lb_vec3 *value)
{
    double numbers[3];
    if (!argument_numbers(option, text, shape, 3, numbers))
        return false;
    *value = lb_vec3_make(numbers[0], numbers[1], numbers[2]);
    return true;
}

bool argument_normal(const char *option, const char *text, lb_vec3 *value)
{
    if (!argument_vector(option, text, "x y z", value))
        return false;
    // the length 0 gives the fallback
    lb_vec3 up = lb_vec3_normalize(*value, lb_vec3_make(0, 0, 0));
    if (up.x == 0 && up.y == 0 && up.z == 0)
        complain("%s: \"%s\" has no direction; \"0 0 1\" is level", option, text);
    else if (!(up.z >= 0.5))
        complain("%s: \"%s\" is more than 60 degrees from z; \"0 0 1\" is level", option, text);
    else
        return true;
    return false;
}

/* "must end in .a, .b or .c" */
static void complain_of_ending(const char *option, const char *path, const char *const *endings,
                               int count)
{
    char list[128];
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof list; i++) {
        const char *before = i == 0 ? "" : i < count - 1 ? ", " : " or ";
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", before, endings[i]);
    }
    complain("%s: '%s' must end in %s", option, path, list);
}

bool argument_ending(const char *option, const char *path, const char *const *endings, int count,
                     int *index)
{
    for (*index = 0; *index < count; ++*index)
        if (text_ends(path, endings[*index], false))
            return true;
    complain_of_ending(option, path, endings, count);
    return false;
}

output_form argument_output(const char *path, const char *other)
{
    const char *const endings[] = {".csv", other, ".svg", ".png", ".pdf"};
    int which;
    if (strcmp(path, "-") == 0)
        return FORM_CSV;
    if (!argument_ending("--output", path, endings, 5, &which))
        return FORM_NONE;
    return which == 0 ? FORM_CSV : which == 1 ? FORM_OTHER : FORM_FIGURE;
}

bool argument_name(const char *option, const name_option *choice, int *index)
{
    suggest nearest;
    const char *text = option_text(choice->given);
    if (text == NULL)
        return true;
    int count = 0;
    while (choice->names[count] != NULL)
        count++;
    int found = suggest_choice(&nearest, text, choice->names, count);
    if (found < 0)
        complain("%s: no '%s'%s", option, text, nearest.phrase);
    else
        *index = found;
    return found >= 0;
}

/* ---- option tables ---------------------------------------------------- */

bool option_each(const struct poptOption *table, option_visit *visit, void *user)
{
    for (const struct poptOption *row = table; row->longName != NULL || row->arg != NULL; row++) {
        bool included = (row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE;
        bool more = included ? option_each(row->arg, visit, user) : visit(user, row);
        if (!more)
            return false;
    }
    return true;
}

const char *const *option_names(const struct poptOption *option)
{
    return option->val == OPTION_NAMED    ? ((const name_option *)option->arg)->names
           : option->val == OPTION_FIELDS ? ((const field_option *)option->arg)->names
                                          : NULL;
}

bool option_is_given(const struct poptOption *option)
{
    if (option->argInfo == POPT_ARG_ARGV)
        return *(const text_option *)option->arg != NULL;
    return *(const int *)option->arg != 0;
}

static bool check_not_given(void *user, const struct poptOption *option)
{
    const char *where = user;
    return !option_is_given(option) || complain("--%s has no effect %s", option->longName, where);
}

bool option_none_given(const struct poptOption *table, const char *where)
{
    return option_each(table, check_not_given, (void *)where);
}

static bool is_not_named(void *name, const struct poptOption *option)
{
    return strcmp(option->longName, name) != 0 || !option_is_given(option);
}

bool option_given(const struct poptOption *table, const char *name)
{
    return !option_each(table, is_not_named, (void *)name);
}

/* ---- fields --------------------------------------------------------------- */

static bool read_seed(const char *option, const char *text, void *field)
{
    /* doubles hold every whole number up to 2^53 */
    static const double largest = 9007199254740992.0;
    double number = 0;
    bool fine = argument_whole(option, text, 0, largest, &number);
    if (fine)
        *(uint64_t *)field = (uint64_t)number;
    return fine;
}

static bool read_choice(const char *option, const field_option *of, void *field)
{
    const name_option choice = {of->given.text, of->names};
    int index = 0;
    bool fine = argument_name(option, &choice, &index);
    if (fine)
        memcpy(field, of->values != NULL ? &of->values[index] : &index, sizeof index);
    return fine;
}

static bool read_field(const char *option, const field_option *of, void *field)
{
    const char *text = of->kind != FIELD_FLAG ? option_text(of->given.text) : NULL;
    switch (of->kind) {
    case FIELD_FLAG:
        *(bool *)field = true;
        return true;
    case FIELD_NUMBER:
        return argument_number(option, text, field);
    case FIELD_POSITIVE:
        return argument_positive(option, text, field);
    case FIELD_COUNT:
        return argument_count(option, text, of->least, of->most, field);
    case FIELD_SEED:
        return read_seed(option, text, field);
    case FIELD_VECTOR:
        return argument_vector(option, text, "x y z", field);
    case FIELD_NORMAL:
        return argument_normal(option, text, field);
    case FIELD_NAME:
        return read_choice(option, of, field);
    }
    return false;
}

bool options_read(const struct poptOption *table, void *into)
{
    for (const struct poptOption *row = table; row->longName != NULL || row->arg != NULL; row++) {
        char name[64];
        const field_option *of = row->arg;
        if (row->val != OPTION_FIELDS || !option_is_given(row))
            continue;
        snprintf(name, sizeof name, "--%s", row->longName);
        if (!read_field(name, of, (char *)into + of->at))
            return false;
    }
    return true;
}
