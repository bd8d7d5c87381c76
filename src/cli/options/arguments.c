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

static double read_number(const char *option, const char *text, size_t size)
{
    double value;
    const char *fault = number_read(text, size, &value);
    if (fault != NULL)
        refuse("%s: '%.*s' %s", option, (int)size, text, fault);
    return value;
}

double argument_number(const char *option, const char *text, double usual)
{
    return text == NULL ? usual : read_number(option, text, strlen(text));
}

double argument_positive(const char *option, const char *text, double usual)
{
    double number = argument_number(option, text, usual);
    if (text != NULL && !(number > 0))
        refuse("%s: %s is not above zero", option, text);
    return number;
}

/* a whole number in least..most, as large as a double holds */
static double argument_whole(const char *option, const char *text, double least, double most,
                             double usual)
{
    double number = argument_number(option, text, usual);
    if (text != NULL && (number != floor(number) || number < least || number > most))
        refuse("%s: %s is not a whole number from %.0f to %.0f", option, text, least, most);
    return number;
}

int argument_count(const char *option, const char *text, int least, int most, int usual)
{
    return (int)argument_whole(option, text, least, most, usual);
}

void argument_part(const char *option, const char *text, long *part, long *parts)
{
    char rest;
    *part = *parts = 1;
    if (text != NULL &&
        (text[strspn(text, "0123456789/")] != '\0' ||
         sscanf(text, "%9ld/%9ld%c", part, parts, &rest) != 2 || *part < 1 || *part > *parts))
        refuse("%s: \"%s\" is not I/N, the I-th of N parts, as in 2/3", option, text);
    (*part)--;
}

int argument_list(const char *option, const char *text, int room, double *values)
{
    int found = 0;
    for (text += strspn(text, separators); *text != '\0'; found++) {
        size_t size = strcspn(text, separators);
        double value = read_number(option, text, size);
        if (found < room)
            values[found] = value;
        text += size;
        text += strspn(text, separators);
    }
    return found;
}

void argument_numbers(const char *option, const char *text, const char *shape, int count,
                      double *values)
{
    int found = argument_list(option, text, count, values);
    if (found != count)
        refuse("%s: \"%s\" has %d number%s, %d are wanted: \"%s\"", option, text, found,
               found == 1 ? "" : "s", count, shape);
}

lb_vec3 argument_vector(const char *option, const char *text)
{
    double numbers[3];
    argument_numbers(option, text, "x y z", 3, numbers);
    return lb_vec3_make(numbers[0], numbers[1], numbers[2]);
}

lb_vec3 argument_normal(const char *option, const char *text)
{
    lb_vec3 value = argument_vector(option, text);
    // the length 0 gives the fallback
    lb_vec3 up = lb_vec3_normalize(value, lb_vec3_make(0, 0, 0));
    if (up.x == 0 && up.y == 0 && up.z == 0)
        refuse("%s: \"%s\" has no direction; \"0 0 1\" is level", option, text);
    if (!(up.z >= 0.5))
        refuse("%s: \"%s\" is more than 60 degrees from z; \"0 0 1\" is level", option, text);
    return value;
}

/* "must end in .a, .b or .c" */
_Noreturn static void refuse_ending(const char *option, const char *path,
                                    const char *const *endings, int count)
{
    char list[128];
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof list; i++) {
        const char *before = i == 0 ? "" : i < count - 1 ? ", " : " or ";
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", before, endings[i]);
    }
    refuse("%s: '%s' must end in %s", option, path, list);
}

int argument_ending(const char *option, const char *path, const char *const *endings, int count)
{
    for (int i = 0; i < count; i++)
        if (text_ends(path, endings[i], false))
            return i;
    refuse_ending(option, path, endings, count);
}

output_form argument_output(const char *path, const char *other)
{
    const char *const endings[] = {".csv", other, ".svg", ".png", ".pdf"};
    int which = strcmp(path, "-") == 0 ? 0 : argument_ending("--output", path, endings, 5);
    return which == 0 ? FORM_CSV : which == 1 ? FORM_OTHER : FORM_FIGURE;
}

int argument_name(const char *option, const name_option *choice, int usual)
{
    suggest nearest;
    const char *text = option_text(choice->given);
    if (text == NULL)
        return usual;
    int count = 0;
    while (choice->names[count] != NULL)
        count++;
    int found = suggest_choice(&nearest, text, choice->names, count);
    if (found < 0)
        refuse("%s: no '%s'%s", option, text, nearest.phrase);
    return found;
}

/* ---- option tables ---------------------------------------------------- */

/* the option that `left` others are before, which it counts down */
static const struct poptOption *option_after(const struct poptOption *table, int *left)
{
    const struct poptOption *found = NULL;
    for (const struct poptOption *row = table;
         found == NULL && (row->longName != NULL || row->arg != NULL); row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE)
            found = option_after(row->arg, left);
        else if ((*left)-- == 0)
            found = row;
    }
    return found;
}

const struct poptOption *option_at(const struct poptOption *table, int i)
{
    return option_after(table, &i);
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

const char *option_any_given(const struct poptOption *table)
{
    const struct poptOption *option;
    for (int i = 0; (option = option_at(table, i)) != NULL; i++)
        if (option_is_given(option))
            return option->longName;
    return NULL;
}

void option_none_given(const struct poptOption *table, const char *where)
{
    const char *given = option_any_given(table);
    if (given != NULL)
        refuse("--%s has no effect %s", given, where);
}

bool option_given(const struct poptOption *table, const char *name)
{
    const struct poptOption *option;
    for (int i = 0; (option = option_at(table, i)) != NULL; i++)
        if (strcmp(option->longName, name) == 0 && option_is_given(option))
            return true;
    return false;
}

/* ---- fields --------------------------------------------------------------- */

/* doubles hold every whole number up to 2^53 */
static const double largest_seed = 9007199254740992.0;

static void read_choice(const char *option, const field_option *of, void *field)
{
    const name_option choice = {of->given.text, of->names};
    int index = argument_name(option, &choice, 0);
    memcpy(field, of->values != NULL ? &of->values[index] : &index, sizeof index);
}

static void read_field(const char *option, const field_option *of, void *field)
{
    const char *text = of->kind != FIELD_FLAG ? option_text(of->given.text) : NULL;
    switch (of->kind) {
    case FIELD_FLAG:
        *(bool *)field = true;
        break;
    case FIELD_NUMBER:
        *(double *)field = argument_number(option, text, 0);
        break;
    case FIELD_POSITIVE:
        *(double *)field = argument_positive(option, text, 0);
        break;
    case FIELD_COUNT:
        *(int *)field = argument_count(option, text, of->least, of->most, 0);
        break;
    case FIELD_SEED:
        *(uint64_t *)field = (uint64_t)argument_whole(option, text, 0, largest_seed, 0);
        break;
    case FIELD_VECTOR:
        *(lb_vec3 *)field = argument_vector(option, text);
        break;
    case FIELD_NORMAL:
        *(lb_vec3 *)field = argument_normal(option, text);
        break;
    case FIELD_NAME:
        read_choice(option, of, field);
        break;
    }
}

void options_read(const struct poptOption *table, void *into)
{
    for (const struct poptOption *row = table; row->longName != NULL || row->arg != NULL; row++) {
        char name[64];
        const field_option *of = row->arg;
        if (row->val != OPTION_FIELDS || !option_is_given(row))
            continue;
        snprintf(name, sizeof name, "--%s", row->longName);
        read_field(name, of, (char *)into + of->at);
    }
}
