/*
 * cli/arguments.c - the values of options.
 */
#include "cli/arguments.h"

#include "cli/report.h"
#include "io/number.h"
#include "math/suggest.h"

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
    return read_number(option, text, strlen(text), value);
}

bool argument_positive(const char *option, const char *text, double *value)
{
    double number;
    if (!argument_number(option, text, &number))
        return false;
    if (!(number > 0)) {
        complain("%s: %s is not above zero", option, text);
        return false;
    }
    *value = number;
    return true;
}

bool argument_whole(const char *option, const char *text, double least, double most, double *value)
{
    double number;
    if (!argument_number(option, text, &number))
        return false;
    if (number != floor(number) || number < least || number > most) {
        complain("%s: %s is not a whole number from %.0f to %.0f", option, text, least, most);
        return false;
    }
    *value = number;
    return true;
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
    if (found == count)
        return true;
    complain("%s: \"%s\" has %d number%s, %d are wanted: \"%s\"", option, text, found,
             found == 1 ? "" : "s", count, shape);
    return false;
}

bool argument_vector(const char *option, const char *text, const char *shape, lb_vec3 *value)
{
    double numbers[3];
    if (!argument_numbers(option, text, shape, 3, numbers))
        return false;
    *value = lb_vec3_make(numbers[0], numbers[1], numbers[2]);
    return true;
}

bool argument_choice(const char *option, const char *text, const char *const *names, int count,
                     int *index)
{
    suggest nearest;
    int found = suggest_choice(&nearest, text, names, count);
    if (found < 0)
        complain("%s: no '%s'%s", option, text, nearest.phrase);
    else
        *index = found;
    return found >= 0;
}
