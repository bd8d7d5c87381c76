/*
 * find.c - where the file of a mesh is.
 */
#include "formats/mesh/mesh.h"

#include "base/memory.h"
#include "formats/file.h"

#include <stdio.h>
#include <string.h>

static bool is_file(const char *path)
{
    FILE *file = file_is_regular(path) ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return false;
    bool readable = getc(file) != EOF;
    fclose(file);
    return readable;
}

/* FOLDER/PATH in `room`, where PATH is the whole path, then without its first part */
static bool find_in(char *room, size_t folder, const char *path)
{
    const char *rest = strchr(path, '/');
    const char *const tries[] = {path, rest == NULL ? NULL : rest + 1};
    for (int i = 0; i < 2; i++) {
        if (tries[i] == NULL || tries[i][0] == '\0')
            continue;
        strcpy(room + folder, tries[i]);
        if (is_file(room))
            return true;
    }
    return false;
}

/* the length of the folder above the first `length` letters, "a/b/" to "a/"; 0: none */
static size_t folder_above(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == '/')
        length--;
    while (length > 0 && text[length - 1] != '/')
        length--;
    return length;
}

char *mesh_find(const char *path, const char *name, const lb_allocator *allocator)
{
    const char *colon = strstr(name, "://"), *wanted = colon == NULL ? name : colon + 3;
    size_t folder = folder_above(path, strlen(path));
    char *room = memory_take(allocator, folder + strlen(wanted) + 1, 1);
    if (room == NULL)
        return NULL;
    memcpy(room, path, folder);
    bool found = false;
    if (wanted[0] == '/') {
        strcpy(room, wanted);
        found = is_file(room);
    }
    while (!found && wanted[0] != '/') {
        found = find_in(room, folder, wanted);
        if (folder == 0)
            break;
        memcpy(room, path, folder);
        folder = folder_above(path, folder);
    }
    if (!found) {
        memory_release(allocator, room);
        return NULL;
    }
    return room;
}
