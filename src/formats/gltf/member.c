/*
 * member.c - members of a glTF's JSON, each checked, refusals with the place in the file.
 */
#include "formats/gltf/gltf.h"

#include "base/text.h"

#include <limits.h>
#include <stdarg.h>

gltf_place gltf_place_of(const char *array, size_t index)
{
    gltf_place place;
    text_format(place.text, sizeof place.text, "%s[%zu]", array, index);
    return place;
}

gltf_place gltf_place_in(const gltf_place *place, const char *member)
{
    gltf_place inner;
    text_format(inner.text, sizeof inner.text, "%s.%s", place->text, member);
    return inner;
}

lb_status gltf_refuse(const gltf_reader *reader, lb_status status, const gltf_place *place,
                      const char *format, ...)
{
    char message[LB_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    return lb_error_set(reader->error, status, 0, "%s: %s", place->text, message);
}

lb_status gltf_no_memory(const gltf_reader *reader)
{
    return lb_error_set(reader->error, LB_OUT_OF_MEMORY, 0, "out of memory");
}

lb_status gltf_array(const gltf_reader *reader, const json_t *object, const char *key,
                     const json_t **array, int *count)
{
    *array = json_object_get(object, key);
    *count = 0;
    if (*array == NULL)
        return LB_OK;
    if (!json_is_array(*array) || json_array_size(*array) > INT_MAX / 64)
        return lb_error_set(reader->error, LB_SYNTAX_ERROR, 0, "%s: this is no array, or too long",
                            key);
    *count = (int)json_array_size(*array);
    return LB_OK;
}

lb_status gltf_whole(const gltf_reader *reader, const gltf_place *place, const json_t *object,
                     const char *key, double least, double most, double *value)
{
    const json_t *given = json_object_get(object, key);
    gltf_place inner = gltf_place_in(place, key);
    if (given == NULL)
        return *value >= 0 ? LB_OK : gltf_refuse(reader, LB_SYNTAX_ERROR, &inner, "is missing");
    double number = json_number_value(given);
    // exporters write whole numbers as 3.0, too
    if (!json_is_number(given) || !(number >= least && number <= most) || floor(number) != number)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "must be a whole number from %.0f to %.0f",
                           least, most);
    *value = number;
    return LB_OK;
}

lb_status gltf_index(const gltf_reader *reader, const gltf_place *place, const json_t *object,
                     const char *key, const char *array, int count, int *index)
{
    gltf_place inner = gltf_place_in(place, key);
    double number = *index;
    if (json_object_get(object, key) != NULL && count == 0)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "there are no %s", array);
    lb_status status = gltf_whole(reader, place, object, key, 0, count - 1, &number);
    *index = (int)number;
    return status;
}

lb_status gltf_numbers(const gltf_reader *reader, const gltf_place *place, const json_t *object,
                       const char *key, int count, double *numbers, bool *given)
{
    const json_t *array = json_object_get(object, key);
    gltf_place inner = gltf_place_in(place, key);
    *given = array != NULL;
    if (array == NULL)
        return LB_OK;
    if (!json_is_array(array) || json_array_size(array) != (size_t)count)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "must be an array of %d numbers", count);
    for (int i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, (size_t)i);
        numbers[i] = json_number_value(number);
        if (!json_is_number(number) || !(fabs(numbers[i]) <= LB_LENGTH_MAX))
            return gltf_refuse(reader, LB_BAD_VALUE, &inner, "element %d is no number below 1e15",
                               i);
    }
    return LB_OK;
}

const char *gltf_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}
