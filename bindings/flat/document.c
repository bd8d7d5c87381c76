/* document.c - models from the trees of nodes that the package's parsers make. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* The warnings of the last load, for as long as there is no other. */
static struct {
    lb_error *list;
    int count, room;
} warnings;

static void keep_warning(void *user, const lb_error *warning)
{
    (void)user;
    if (warnings.count == warnings.room) {
        int room = warnings.room > 0 ? 2 * warnings.room : 8;
        lb_error *larger = realloc(warnings.list, (size_t)room * sizeof *larger);
        if (!larger)
            return;
        warnings.list = larger;
        warnings.room = room;
    }
    warnings.list[warnings.count++] = *warning;
}

lb_load_options binding_load(int strict)
{
    lb_load_options options = lb_load_options_default();
    options.warn = keep_warning;
    options.strict = strict != 0;
    warnings.count = 0;
    return options;
}

/* the next string of a list, each with its zero */
static const char *take_string(const char **strings)
{
    const char *string = *strings;
    *strings += strlen(string) + 1;
    return string;
}

enum { NODE_NUMBERS = 5 };

static void fill(lb_document *document, const char *strings, const double *rows, int count)
{
    for (; count > 0; count--, rows += NODE_NUMBERS) {
        if (rows[0] < 0) {
            lb_document_close(document);
            continue;
        }
        const char *name = rows[1] != 0 ? take_string(&strings) : NULL;
        const char *text = rows[2] != 0 ? take_string(&strings) : NULL;
        lb_document_add(document, (lb_node_kind)rows[0], name, text, rows[3], (int)rows[4]);
    }
}

lb_document *binding_document(const char *strings, const double *rows, int count, const char **path)
{
    lb_document *document;
    if (lb_document_create(NULL, &document) != LB_OK) {
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
        return NULL;
    }
    *path = take_string(&strings);
    fill(document, strings, rows, count);
    return document;
}

/* NULL on failure, see error_message */
lb_model *EXPORT(model_load)(const char *strings, const double *rows, int count, int strict)
{
    lb_model *model = NULL;
    lb_load_options options = binding_load(strict);
    const char *path;
    lb_document *document = binding_document(strings, rows, count, &path);
    if (document == NULL)
        return NULL;
    lb_document_model(document, path, &options, &model, &binding_error);
    lb_document_release(document);
    return model;
}

int EXPORT(warning_count)(void)
{
    return warnings.count;
}

int EXPORT(warning_line)(int index)
{
    return warnings.list[index].line;
}

const char *EXPORT(warning_message)(int index)
{
    return warnings.list[index].message;
}
