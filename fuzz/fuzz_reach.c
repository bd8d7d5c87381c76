/*
 * fuzz_reach.c - maps of what a tool reaches in files: a description and an array beside it;
 * refused with words, or written again as the same bytes.
 *
 * A test case is the description and, from the magic of NumPy on, the array.
 */
#define _GNU_SOURCE

#include "formats/reach/map_file.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    lb_error error = {0};
    lb_status status = map_file_read((const char *const[]){array_path}, 1, &map, &error);
    FUZZ_CHECK((status == LB_OK) == (error.message[0] == '\0'));
    if (status == LB_OK) {
        // a map that is joined from this alone, and read again
        const char *const parts[] = {array_path, array_path}, *const joined[] = {joined_path};
        map_file back;
        FUZZ_CHECK(lb_reach_file_join(parts, 2, joined_path, NULL) == LB_OK);
        FUZZ_CHECK(holds(beside_path, (const uint8_t *)map.description, map.size));
        FUZZ_CHECK(memmem(data, described, "part", 4) || holds(beside_path, data, described));
        FUZZ_CHECK(map_file_read(joined, 1, &back, NULL) == LB_OK && back.parts == 1);
        FUZZ_CHECK(memcmp(map.records, back.records, map_file_cells(&map) * map.record) == 0);
        map_file_release(&back);
        unlink(joined_path);
        unlink(beside_path);
    }
    map_file_release(&map);
    unlink(array_path);
    unlink(description_path);
    return 0;
}
