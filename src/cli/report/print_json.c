/* print_json.c - JSON that is written whole, or the program ends and says why. */
#include "cli/report/results.h"

#include "base/text.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size)
{
    // jansson releases it again with free()
    void *memory = malloc(size);
    exit_if_out_of_memory(memory == NULL ? LB_OUT_OF_MEMORY : LB_OK);
    return memory;
}

void print_json_start(void)
{
    json_set_alloc_funcs(allocate, free);
}

_Noreturn static void end_incomplete(void)
{
    refuse("the result cannot be written as JSON: a number in it is not finite, or a name is not "
           "UTF-8");
}

void append_json(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        end_incomplete();
}

void set_json(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        end_incomplete();
}

/*
 * Writes the text of a value without its first `skip` and last `left` bytes. Jansson escapes the
 * control characters below U+0020; so are those from U+007F to U+009F here, which terminals obey,
 * too.
 */
static void put_value(const json_t *value, size_t flags, size_t skip, size_t left, FILE *stream)
{
    char *text = value ? json_dumps(value, flags) : NULL;
    if (!text)
        end_incomplete();
    text[strlen(text) - left] = '\0';
    const char *rest = text + skip;
    for (const char *c = rest; *c != '\0'; c++) {
        // line breaks are between members
        size_t bytes = *c == '\n' ? 0 : text_control(c);
        if (bytes == 0)
            continue;
        fwrite(rest, 1, (size_t)(c - rest), stream);
        fprintf(stream, "\\u00%02X", (unsigned char)c[bytes - 1]);
        rest = c + bytes;
        c = rest - 1;
    }
    fputs(rest, stream);
    free(text);
}

json_list json_list_begin(const char *name, FILE *stream)
{
    if (name != NULL)
        fprintf(stream, "{\"%s\":", name);
    fputc('[', stream);
    return (json_list){.stream = stream};
}

json_list json_list_begin_lines(json_t *members, const char *name, FILE *stream)
{
    // the brace is closed at the end
    put_value(members, JSON_COMPACT, 0, 1, stream);
    fprintf(stream, ",\"%s\":[", name);
    json_decref(members);
    return (json_list){.stream = stream, .lines = true};
}

void json_list_add(json_list *list, json_t *element)
{
    if (list->begun)
        fputc(',', list->stream);
    if (list->lines)
        fputc('\n', list->stream);
    put_value(element, JSON_COMPACT, 0, 0, list->stream);
    list->begun = true;
    json_decref(element);
}

void json_list_end(json_list *list, json_t *members)
{
    fputs(list->lines ? "\n]" : "]", list->stream);
    if (members != NULL) {
        // what is within the braces of an object
        fputc(',', list->stream);
        put_value(members, JSON_COMPACT, 1, 0, list->stream);
        json_decref(members);
    } else if (list->lines) {
        fputc('}', list->stream);
    }
    fputc('\n', list->stream);
    *list = (json_list){.stream = NULL};
}

/* whether a stream has failed is seen where it is closed */
void print_json(json_t *value, size_t flags, FILE *stream)
{
    put_value(value, flags, 0, 0, stream);
    fputc('\n', stream);
    json_decref(value);
}

json_t *json_finite(double number)
{
    // zero is written without its sign, which means nothing to those who read it
    return isfinite(number) ? json_real(number == 0 ? 0 : number) : json_null();
}

json_t *json_numbers(const double *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        append_json(array, json_finite(numbers[i]));
    return array;
}

json_t *json_vector(lb_vec3 v)
{
    return json_numbers((double[]){v.x, v.y, v.z}, 3);
}

json_t *json_pair(const lb_collision *collision, const lb_proximity *near)
{
    return json_pack("{s:s, s:s, s:f}", "a", lb_collision_body_name(collision, near->body_a), "b",
                     lb_collision_body_name(collision, near->body_b), "distance", near->distance);
}

json_t *json_outcome(lb_body *body, int task, const char *key, const char *name)
{
    char text[512];
    // the explanation tries things out, and leaves what was found as it is
    lb_body_outcome found = lb_body_outcomes(body)[task];
    lb_body_reason reason = lb_body_explain(body, task, text, sizeof text);
    return json_pack("{s:s, s:b, s:f, s:f, s:s, s:s}", key, name, "reached", found.reached,
                     "position_error", found.position_error, "rotation_error", found.rotation_error,
                     "reason", lb_body_reason_text(reason), "explanation", text);
}
