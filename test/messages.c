/*
 * messages.c - what the native library says of files, for the package's tests.
 *
 *     messages [FILE ...]
 *
 * Prints a line of JSON for each file, without any for each text that the library's own
 * tests refuse or warn of: name, text (of texts alone), status, line, message, warnings as
 * [line, message], and of a model that loads a hash of its links' places in a random
 * configuration. messages.test.mjs compares what the package says.
 */
#include "formats/refusals_json.h"
#include "formats/refusals_mjcf.h"
#include "formats/refusals_urdf.h"
#include "formats/warned.h"

#include <limber/formats/load.h>
#include <limber/limber.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_warning(void *user, const lb_error *warning)
{
    int *count = user;
    printf("%s[%d, ", (*count)++ > 0 ? ", " : "", warning->line);
    print_string(warning->message);
    putchar(']');
}

/* FNV-1a over the bits of numbers, byte by byte, the lowest first */
static uint64_t hash_numbers(const double *numbers, int count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int k = 0; k < 8; k++, bits >>= 8)
            hash = (hash ^ (bits & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

/* of where all links are in the first random configuration */
static uint64_t hash_model(const lb_model *model)
{
    lb_state *state;
    lb_random random = lb_random_seed(7);
    double *q = malloc(sizeof *q * (size_t)(lb_model_nq(model) + 1));
    if (q == NULL || lb_state_create(model, NULL, &state) != LB_OK)
        exit(1);
    lb_configuration_random(model, &random, q);
    lb_state_update(state, q);
    uint64_t hash =
        hash_numbers((const double *)lb_state_transforms(state), 12 * lb_model_link_count(model));
    lb_state_release(state);
    free(q);
    return hash;
}

/* `text` NULL: the file of that name */
static void report(const char *name, const char *text)
{
    int warnings = 0;
    lb_model *model;
    lb_error error = {.status = LB_OK};
    lb_load_options options = {.warn = print_warning, .user = &warnings};
    printf("{\"name\": ");
    print_string(name);
    if (text != NULL) {
        printf(", \"text\": ");
        print_string(text);
    }
    printf(", \"warnings\": [");
    lb_status status = text == NULL ? lb_load_with_options(name, &options, &model, &error)
                                    : lb_load_memory_with_options(name, text, strlen(text),
                                                                  &options, &model, &error);
    printf("], \"status\": %d, \"line\": %d, \"message\": ", (int)status, error.line);
    print_string(error.message);
    if (model != NULL)
        printf(", \"hash\": \"%016llx\"", (unsigned long long)hash_model(model));
    printf("}\n");
    lb_model_release(model);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        report(argv[i], NULL);
    if (argc > 1)
        return 0;
    for (size_t i = 0; i < sizeof json_refusals / sizeof *json_refusals; i++)
        report("m.json", json_refusals[i].text);
    for (size_t i = 0; i < sizeof urdf_refusals / sizeof *urdf_refusals; i++)
        report("r.urdf", urdf_refusals[i].text);
    for (size_t i = 0; i < sizeof mjcf_refusals / sizeof *mjcf_refusals; i++)
        report("m.xml", mjcf_refusals[i].text);
    for (size_t i = 0; i < sizeof warned / sizeof *warned; i++)
        report(warned[i].name, warned[i].text);
    return 0;
}
