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

lb_status gltf_array(const gltf_reader *reader, const tree_node *object, const char *key,
                     const tree_node **array, int *count)
{
    *array = tree_member(object, key);
    *count = 0;
    if (*array == NULL)
        return LB_OK;
    if ((*array)->kind != LB_NODE_ARRAY || tree_array_size(*array) > INT_MAX / 64)
        return lb_error_set(reader->error, LB_SYNTAX_ERROR, 0, "%s: this is no array, or too long",
                            key);
    *count = tree_array_size(*array);
    return LB_OK;
}

lb_status gltf_whole(const gltf_reader *reader, const gltf_place *place, const tree_node *object,
                     const char *key, double least, double most, double *value)
{
    const tree_node *given = tree_member(object, key);
    gltf_place inner = gltf_place_in(place, key);
    if (given == NULL)
        return *value >= 0 ? LB_OK : gltf_refuse(reader, LB_SYNTAX_ERROR, &inner, "is missing");
    double number = given->number;
    if (!tree_is_number(given) || !(number >= least && number <= most) || floor(number) != number)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "must be a whole number from %.0f to %.0f",
                           least, most);
    *value = number;
    return LB_OK;
}

lb_status gltf_index(const gltf_reader *reader, const gltf_place *place, const tree_node *object,
                     const char *key, const char *array, int count, int *index)
{
    gltf_place inner = gltf_place_in(place, key);
    double number = *index;
    if (tree_member(object, key) != NULL && count == 0)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "there are no %s", array);
    lb_status status = gltf_whole(reader, place, object, key, 0, count - 1, &number);
    *index = (int)number;
    return status;
}

lb_status gltf_numbers(const gltf_reader *reader, const gltf_place *place, const tree_node *object,
                       const char *key, int count, double *numbers, bool *given)
{
    const tree_node *array = tree_member(object, key);
    gltf_place inner = gltf_place_in(place, key);
    *given = array != NULL;
    if (array == NULL)
        return LB_OK;
    if (array->kind != LB_NODE_ARRAY || tree_array_size(array) != count)
        return gltf_refuse(reader, LB_BAD_VALUE, &inner, "must be an array of %d numbers", count);
    for (int i = 0; i < count; i++) {
        const tree_node *number = tree_element(array, i);
        numbers[i] = number->number;
        if (!tree_is_number(number) || !(fabs(numbers[i]) <= LB_LENGTH_MAX))
            return gltf_refuse(reader, LB_BAD_VALUE, &inner, "element %d is no number below 1e15",
                               i);
    }
    return LB_OK;
}
