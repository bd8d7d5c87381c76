/* peers.c - finds the modules of other libraries. */
#define _GNU_SOURCE

#include "peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* those that we have a module for, and the package that it needs */
static const struct {
    const char *name, *package;
} known[] = {{"kdl", "liborocos-kdl-dev"}, {"mujoco", "libmujoco-dev"}};

/* the folder of the running program; "" when that cannot be known */
static void find_folder(char *folder)
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
}

static bool open_one(peers *all, const char *path)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const peer *(*entry)(void) = NULL;
    // an object pointer becomes a function's, as dlsym has it
    if (module)
        *(void **)&entry = dlsym(module, "limber_peer");
    if (!entry) {
        if (module)
            dlclose(module);
        return false;
    }
    all->modules[all->count] = module;
    all->found[all->count++] = entry();
    return true;
}

void peers_open(peers *all, const char *folder, void (*say)(const char *message))
{
    char beside[PATH_SIZE], path[PATH_SIZE + 64], message[PATH_SIZE + 200];
    *all = (peers){.count = 0};
    if (!folder) {
        find_folder(beside);
        folder = beside;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        snprintf(path, sizeof path, "%s/peer_%s.so", folder, known[i].name);
        if (open_one(all, path) || !say)
            continue;
        snprintf(message, sizeof message, "%s is left out: there is no %s (built where %s is)",
                 known[i].name, path, known[i].package);
        say(message);
    }
}

void peers_close(peers *all)
{
    for (int i = 0; i < all->count; i++)
        dlclose(all->modules[i]);
    all->count = 0;
}
