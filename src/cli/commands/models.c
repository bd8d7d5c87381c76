/*
 * models.c - limber models: the models and motions built in.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <limber/formats/load.h>

static int json_wanted, sources_wanted;

static void add_row(grid_table *table, const char *name, const char *summary)
{
    grid_cell(table, "%s", name);
    grid_cell(table, "%s", summary);
}

static void print_names(void)
{
    grid_table models = grid_start("ll"), motions = grid_start("ll");
    add_row(&models, "name", "what it is");
    for (int i = 0; i < lb_embedded_count(); i++)
        add_row(&models, lb_embedded_at(i)->name, lb_embedded_at(i)->summary);
    add_row(&motions, "motion", "what it is");
    for (const built_in_motion *m = built_in_motions; m->name != NULL; m++)
        add_row(&motions, m->name, m->summary);
    grid_print(&models, stdout);
    fputc('\n', stdout);
    grid_print(&motions, stdout);
}

static void print_source(const char *name, const char *source)
{
    printf("%s%s%s\n", console_style_text(stdout, STYLE_STRONG), name,
           console_style_text(stdout, STYLE_PLAIN));
    int indent = printf("    ");
    print_wrapped(stdout, source, indent);
}

static void print_sources(void)
{
    for (int i = 0; i < lb_embedded_count(); i++)
        print_source(lb_embedded_at(i)->name, lb_embedded_at(i)->source);
    for (const built_in_motion *m = built_in_motions; m->name != NULL; m++)
        print_source(m->name, m->source);
}

static void list_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < lb_embedded_count(); i++) {
        const lb_embedded *model = lb_embedded_at(i);
        append_json(list, json_pack("{s:s, s:s, s:s}", "name", model->name, "summary",
                                    model->summary, "source", model->source));
    }
    print_json(list, JSON_COMPACT, stdout);
}

static int run(const char *const *operands)
{
    (void)operands;
    if (json_wanted)
        list_json();
    else if (sources_wanted)
        print_sources();
    else
        print_names();
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_FLAG("sources", sources_wanted, "sources of each model's figures"),
    OPTION_FLAG("json", json_wanted, "names, summaries and sources as JSON"),
    OPTION_END,
};

static const example examples[] = {
    {"the names that can be given for MODEL instead of a file", "limber models"},
    {"the publications that their figures are from", "limber models --sources"},
    {NULL, NULL},
};

const command command_models = {
    COMMAND(models),
    .synopsis = "[--sources] [--json]",
    .summary = "list the models and motions built in",
    .details = "A motion can be given by its name wherever a file of motion can. The JSON lists\n"
               "the models alone.",
    .operands = 0,
};
