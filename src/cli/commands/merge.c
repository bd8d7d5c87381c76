/*
 * merge.c - limber merge: one map from its parts.
 */
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/maps.h"

#include <string.h>

static text_option output_given;
static int report_wanted;

/* an array is joined tile by tile; else *map holds all of it */
static void join(const char *const *paths, const char *output, map_file *map)
{
    int count = 0;
    while (paths[count] != NULL)
        count++;
    if (map_file_is_array(output)) {
        require(lb_reach_file_join(paths, count, output, why()));
        return;
    }
    require(map_file_read(paths, count, map, why()));
    destination_save(output, map_write_vti, map);
}

static int run(const char *const *operands)
{
    const char *output = option_text(output_given);
    if (output == NULL)
        refuse("no destination given: --output MAP.npy or MAP.vti");
    map_file map = {.records = NULL};
    map_counts counts;
    map_check_output(output);
    join(operands, output, &map);
    map_count(output, &map, &counts);
    if (counts.undecided > 0)
        remark("%zu cells are not decided: a part is missing or not complete", counts.undecided);
    if (report_wanted || console_is_terminal(stdout))
        map_print(&map, &counts);
    map_file_release(&map);
    return counts.undecided > 0 ? EXIT_UNREACHED : EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TEXT("output", output_given, "MAP", "the whole: MAP.npy, or MAP.vti for ParaView"),
    OPTION_FLAG("report", report_wanted, "print in words how much is reached"),
    OPTION_END,
};

static const example examples[] = {
    {"a map of a UR5 in two parts, each on another machine, and the whole",
     "limber workspace ur5 --grid 0.2 --part 1/2 --output ur5-1.npy &&\n"
     "    limber workspace ur5 --grid 0.2 --part 2/2 --output ur5-2.npy &&\n"
     "    limber merge ur5-1.npy ur5-2.npy --output whole.npy --report"},
    {NULL, NULL},
};

const command command_merge = {
    COMMAND(merge),
    .synopsis = "PART.npy ... --output MAP.(npy|vti) [--report]",
    .summary = "join the parts of a map of a tip's reach",
    .details = "Parts are the files that limber workspace --grid --part wrote, each with the\n"
               "JSON file beside it that describes the map; but for the part they must be equal.\n"
               "The whole is one file, byte for byte, for any number of parts, and no more than\n"
               "a tile of it is in memory where it is written to a .npy. A single map is written\n"
               "as another kind of file. The exit status is 1 if cells are missing.",
    .operands = 1,
    .spare = 10000,
};
