/*
 * mesh_list.c - the mesh files of a model that `limber view` may serve.
 */
#define _XOPEN_SOURCE 700

#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/view/serve.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ------------------------------------------------------------- */

/* The folders that meshes may lie in, as realpath() has them; NULL: none. */
typedef struct mesh_folders {
    char *model, *allowed;
    char package[PATH_MAX]; /* of one mesh; empty: none */
} mesh_folders;

/* the folder of a file; NULL when it is not there. Release with free(). */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = copy_or_exit(slash ? file : ".");
    // "/a.urdf" lies in "/"
    if (slash)
        name[slash == file ? 1 : slash - file] = '\0';
    char *folder = realpath(name, NULL);
    free(name);
    return folder;
}

static bool has_manifest(const char *folder)
{
    char *found = serve_find(folder, "package.xml");
    free(found);
    return found != NULL;
}

/* whether a folder's own name is the `length` letters at `name` */
static bool is_called(const char *folder, const char *name, size_t length)
{
    const char *own = strrchr(folder, '/') + 1;
    return length > 0 && strlen(own) == length && strncmp(own, name, length) == 0;
}

/* the package that the model's file belongs to, `name` as "package://" gives it or NULL */
static void find_package(mesh_folders *folders, const char *name)
{
    size_t length = name ? strcspn(name, "/") : 0;
    char *at = folders->package;
    at[0] = '\0';
    if (!folders->model || strlen(folders->model) >= PATH_MAX)
        return;
    strcpy(at, folders->model);
    // the root of all folders is no package
    while (at[0] != '\0' && at[1] != '\0' && !has_manifest(at) && !is_called(at, name, length))
        *strrchr(at, '/') = '\0';
    if (at[0] != '\0' && at[1] == '\0')
        at[0] = '\0';
}

/* ---- files --------------------------------------------------------------- */

static bool has_mesh_ending(const char *file)
{
    static const char *const endings[] = {".stl", ".dae", ".obj", ".ply", ".gltf", ".glb"};
    size_t length = strlen(file);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        if (length > size && strcasecmp(file + length - size, endings[i]) == 0)
            return true;
    }
    return false;
}

/* the file below a folder by the whole path, then without its first parts; NULL: none */
static char *find_below(const char *folder, const char *path)
{
    char *found = NULL;
    for (const char *rest = path; rest && !found && folder && *folder;) {
        found = *rest ? serve_find(folder, rest) : NULL;
        rest = strchr(rest, '/');
        rest += rest != NULL;
    }
    return found;
}

/* an absolute path's file, if it lies below a folder; NULL: none */
static char *find_absolute(const char *folder, const char *path)
{
    char *home = folder && *folder ? realpath(folder, NULL) : NULL;
    char *file = home ? realpath(path, NULL) : NULL;
    size_t length = home ? strlen(home) : 0;
    char *found = NULL;
    if (file && strncmp(file, home, length) == 0 && file[length] == '/')
        found = serve_find(home, file + length + 1);
    free(home);
    free(file);
    return found;
}

/* what a mesh's name means; NULL when it is nowhere in the folders. Release with free(). */
static char *find_mesh(mesh_folders *folders, const char *name)
{
    const char *colon = strstr(name, "://"), *path = colon ? colon + 3 : name;
    find_package(folders, strncmp(name, "package://", 10) == 0 ? path : NULL);
    const char *const places[] = {folders->model, folders->package, folders->allowed};
    char *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++)
        found = path[0] == '/' ? find_absolute(places[i], path) : find_below(places[i], path);
    return found;
}

/* a file that the name may mean but that is not served; NULL: none */
static char *find_outside(const mesh_folders *folders, const char *name)
{
    const char *colon = strstr(name, "://"), *path = colon ? colon + 3 : name;
    char *joined = allocate_or_exit(strlen(folders->model) + strlen(path) + 2, 1);
    sprintf(joined, "%s%s%s", path[0] == '/' ? "" : folders->model, path[0] == '/' ? "" : "/",
            path);
    char *found = access(joined, F_OK) == 0 ? realpath(joined, NULL) : NULL;
    free(joined);
    return found;
}

/* ---- the list ------------------------------------------------------------ */

static void refuse(mesh_list *list, char *file)
{
    list->refused++;
    if (list->first_refused)
        free(file);
    else
        list->first_refused = file;
}

static void add(mesh_list *list, mesh_folders *folders, const char *name)
{
    char *file = find_mesh(folders, name);
    if (!file)
        file = find_outside(folders, name);
    else if (has_mesh_ending(file)) {
        const char *own = strrchr(file, '/') + 1;
        char *address = allocate_or_exit(strlen(own) + 32, 1);
        sprintf(address, "/mesh/%d/%s", list->count, own);
        list->entries[list->count++] = (mesh_entry){copy_or_exit(name), file, address};
        return;
    }
    if (file)
        refuse(list, file);
}

static int count_visuals(const lb_model *model)
{
    int count = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        count += lb_model_link(model, i)->visual_count;
    return count;
}

mesh_list mesh_list_find(const lb_model *model, const char *file, const char *allowed)
{
    mesh_list list = {.entries =
                          allocate_or_exit((size_t)count_visuals(model) + 1, sizeof(mesh_entry))};
    mesh_folders folders = {.model = folder_of(file)};
    folders.allowed = allowed ? realpath(allowed, NULL) : NULL;
    // each name once
    json_t *seen = json_object();
    for (int i = 0; i < lb_model_link_count(model) && folders.model; i++) {
        const lb_link *link = lb_model_link(model, i);
        for (int k = 0; k < link->visual_count; k++) {
            const char *name = link->visuals[k].mesh;
            if (link->visuals[k].shape != LB_SHAPE_MESH || json_object_get(seen, name))
                continue;
            set_json(seen, name, json_true());
            add(&list, &folders, name);
        }
    }
    json_decref(seen);
    free(folders.model);
    free(folders.allowed);
    return list;
}

void mesh_list_release(mesh_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->entries[i].name);
        free(list->entries[i].file);
        free(list->entries[i].address);
    }
    free(list->entries);
    free(list->first_refused);
}

/* ---- addresses ----------------------------------------------------------- */

/* letters, digits and what else an address may hold as it is (RFC 3986, 2.3), and the slash */
static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-._~/", c) != NULL);
}

static char *percent_encode(const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = allocate_or_exit(3 * strlen(text) + 1, 1), *to = out;
    for (const char *c = text; *c != '\0'; c++) {
        if (is_unreserved(*c)) {
            *to++ = *c;
            continue;
        }
        *to++ = '%';
        *to++ = digits[(unsigned char)*c >> 4];
        *to++ = digits[(unsigned char)*c & 15];
    }
    *to = '\0';
    return out;
}

json_t *mesh_list_addresses(const mesh_list *list)
{
    json_t *addresses = json_object();
    for (int i = 0; i < list->count; i++) {
        char *encoded = percent_encode(list->entries[i].address + 1);
        set_json(addresses, list->entries[i].name, json_string(encoded));
        free(encoded);
    }
    return addresses;
}
