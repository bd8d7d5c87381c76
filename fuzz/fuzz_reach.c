/*
 * fuzz_reach.c - maps of what a tool reaches, as the program reads them again: a description and an
 * array beside it; refused with words, or written again as the same bytes.
 *
 * A test case is the description and, from the magic of NumPy on, the array.
 */
#define _GNU_SOURCE

#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/map_file.h"
#include "formats/file.h"
#include "fuzz.h"

#include <string.h>
#include <unistd.h>

/* ---- what the program does with messages, silently ------------------------ */

static int complaints;

bool complain(const char *format, ...)
{
    FUZZ_CHECK(strlen(format) > 0);
    complaints++;
    return false;
}

static lb_error reason;

lb_error *why(void)
{
    reason = (lb_error){0};
    return &reason;
}

bool succeeds(lb_status status)
{
    FUZZ_CHECK(status == LB_OK || strlen(reason.message) > 0);
    complaints += status != LB_OK;
    return status == LB_OK;
}

void remark(const char *format, ...)
{
    FUZZ_CHECK(strlen(format) > 0);
}

void exit_if_out_of_memory(lb_status status)
{
    if (status != LB_OK)
        exit(2);
}

void *allocate_or_exit(size_t count, size_t size)
{
    void *block = calloc(count + (count == 0), size);
    if (block == NULL)
        exit(2);
    return block;
}

/* ---- files ---------------------------------------------------------------- */

static char array_path[64], description_path[64], joined_path[64], beside_path[64];

static void write_file(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        exit(2);
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static bool holds(const char *path, const uint8_t *bytes, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    bool same = file_read(path, NULL, &text, &length, NULL) == LB_OK && length == size &&
                memcmp(text, bytes, size) == 0;
    free(text);
    return same;
}

bool destination_save(const char *path, save_writer *write, const void *data)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        exit(2);
    write(data, file);
    return fclose(file) == 0;
}

/* where the array begins */
static size_t find_array(const uint8_t *data, size_t size)
{
    static const char magic[] = "\x93NUMPY";
    for (size_t i = 0; i + sizeof magic - 1 <= size; i++)
        if (memcmp(data + i, magic, sizeof magic - 1) == 0)
            return i;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snprintf(array_path, sizeof array_path, "fuzz-reach-%ld.npy", (long)getpid());
    snprintf(description_path, sizeof description_path, "fuzz-reach-%ld.json", (long)getpid());
    size_t described = find_array(data, size);
    snprintf(joined_path, sizeof joined_path, "fuzz-joined-%ld.npy", (long)getpid());
    snprintf(beside_path, sizeof beside_path, "fuzz-joined-%ld.json", (long)getpid());
    write_file(description_path, data, described);
    write_file(array_path, data + described, size - described);

    map_file map;
    complaints = 0;
    bool read = map_file_read(array_path, &map);
    FUZZ_CHECK(read == (complaints == 0));
    if (read) {
        map_counts counts = {0}, joined_counts;
        map_file_count(&map, &counts);
        FUZZ_CHECK(counts.reached <= counts.questions && counts.reachable >= counts.dexterous);
        // a map that is joined from this alone, and read again
        const char *const parts[] = {array_path, array_path, NULL};
        map_file joined, back;
        FUZZ_CHECK(map_file_join(parts, joined_path, &joined, &joined_counts));
        FUZZ_CHECK(joined.parts == 1 && memcmp(&counts, &joined_counts, sizeof counts) == 0);
        FUZZ_CHECK(holds(beside_path, (const uint8_t *)map.description, map.size));
        FUZZ_CHECK(memmem(data, described, "part", 4) || holds(beside_path, data, described));
        FUZZ_CHECK(map_file_read(joined_path, &back));
        FUZZ_CHECK(memcmp(map.records, back.records, map_file_cells(&map) * map.record) == 0);
        map_file_release(&joined);
        map_file_release(&back);
        unlink(joined_path);
        unlink(beside_path);
    }
    map_file_release(&map);
    unlink(array_path);
    unlink(description_path);
    return 0;
}
