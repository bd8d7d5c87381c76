/*
 * view.c - limber view: the page, and in it a model, in the browser of this machine.
 *
 * The page is static files (make web). It finds the model as model.json beside
 * itself and, in meshes.json, where the mesh files are that the model names.
 */
#define _XOPEN_SOURCE 700

#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/select.h"
#include "cli/output/report.h"
#include "cli/output/serve.h"

#include <limber/formats/json.h>

#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static text_option port_given, page_given;
static int no_browser;

static char *copy(const char *text)
{
    return strcpy(allocate_or_exit(strlen(text) + 1, 1), text);
}

/* ---- where the page is -------------------------------------------------- */

static bool has_page(const char *folder)
{
    char *index = serve_find(folder, "index.html");
    free(index);
    return index != NULL;
}

/* the folder that the program is in; false when the system does not tell */
static bool find_program(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    return true;
}

/* --page, or as installed, or as built; NULL after a complaint. Release with free(). */
static char *find_page(void)
{
    static const char *const places[] = {"../share/limber/page", "../web/page/dist"};
    const char *given = option_text(page_given);
    if (given) {
        if (has_page(given))
            return copy(given);
        complain("--page: there is no page in '%s'", given);
        return NULL;
    }
    char folder[PATH_MAX];
    for (size_t i = 0; find_program(folder) && i < sizeof places / sizeof *places; i++) {
        if (strlen(folder) + strlen(places[i]) + 2 > sizeof folder)
            continue;
        strcat(folder, "/");
        strcat(folder, places[i]);
        if (has_page(folder))
            return copy(folder);
    }
    complain("the page is not here; 'make web' builds it, or --page says where it is");
    return NULL;
}

/* ---- where the meshes are ------------------------------------------------ */

/* The model's meshes: for each name a folder and an address. */
typedef struct mesh_list {
    json_t *names;        /* name: address */
    serve_entry *entries; /* after the texts */
    int count;
} mesh_list;

/* "package://arm/meshes/a.stl" without its scheme */
static const char *without_scheme(const char *name)
{
    const char *colon = strstr(name, "://");
    return colon ? colon + 3 : name;
}

/*
 * The file that a model in `folder` means by a mesh's name: below that folder or one
 * above it, by the whole name, then without its first parts (the package's name).
 * NULL: none. Release with free().
 */
static char *find_mesh(const char *folder, const char *name)
{
    char at[PATH_MAX];
    char *found = NULL;
    const char *path = without_scheme(name);
    if (path[0] == '/')
        return access(path, R_OK) == 0 ? copy(path) : NULL;
    if (!realpath(folder, at))
        return NULL;
    while (!found && at[0] != '\0') {
        for (const char *rest = path; rest && !found;) {
            found = serve_find(at, rest);
            rest = strchr(rest, '/');
            rest += rest != NULL;
        }
        *strrchr(at, '/') = '\0';
    }
    return found;
}

static void add_mesh(mesh_list *list, const char *folder, const char *name)
{
    if (json_object_get(list->names, name))
        return;
    char *file = find_mesh(folder, name);
    char *slash = file ? strrchr(file, '/') : NULL;
    if (!slash) {
        free(file);
        return;
    }
    *slash = '\0';
    char *address = allocate_or_exit(strlen(slash + 1) + 48, 1);
    sprintf(address, "/mesh/%d/", list->count);
    list->entries[list->count++] = (serve_entry){.path = copy(address), .folder = file};
    strcat(address, slash + 1);
    json_object_set_new(list->names, name, json_string(address + 1));
    free(address);
}

static int count_meshes(const lb_model *model)
{
    int count = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        count += lb_model_link(model, i)->visual_count;
    return count;
}

/* the meshes of a model that was read from `file`, behind the `first` entries of a site */
static mesh_list find_meshes(const lb_model *model, const char *file, int first)
{
    size_t room = (size_t)count_meshes(model) + (size_t)first;
    mesh_list list = {json_object(), allocate_or_exit(room, sizeof(serve_entry)), first};
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(file, '/');
    if (slash && (size_t)(slash - file) < sizeof folder)
        snprintf(folder, sizeof folder, "%.*s/", (int)(slash - file), file);
    for (int i = 0; i < lb_model_link_count(model); i++) {
        const lb_link *link = lb_model_link(model, i);
        for (int k = 0; k < link->visual_count; k++)
            if (link->visuals[k].shape == LB_SHAPE_MESH)
                add_mesh(&list, folder, link->visuals[k].mesh);
    }
    return list;
}

/* ---- serving ------------------------------------------------------------- */

/* opens the address in the user's browser, where there is one, and does not wait for it */
static void open_browser(const char *address)
{
    extern char **environ;
    if (no_browser || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")))
        return;
    char opener[] = "xdg-open", word[64];
    snprintf(word, sizeof word, "%s", address);
    char *const words[] = {opener, word, NULL};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
    pid_t child;
    posix_spawnp(&child, opener, &quiet, NULL, words, environ);
    posix_spawn_file_actions_destroy(&quiet);
}

static int serve(const serve_site *site, int port)
{
    serve_server *server = serve_start(site, &port);
    if (!server)
        return EXIT_BAD_INPUT;
    char address[64];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", port, site->count ? "?view" : "");
    printf("%s\n", address);
    fflush(stdout);
    remark("the page is there until this program is stopped (Ctrl C)");
    open_browser(address);
    serve_until_stopped(server);
    return EXIT_DONE;
}

static int serve_model(const char *page, const char *name, int port)
{
    enum { TEXTS = 2 };
    lb_model *model = select_model(name);
    if (!model)
        return EXIT_BAD_INPUT;
    lb_error error;
    char *text = NULL;
    int status = EXIT_BAD_INPUT;
    if (lb_json_write(model, NULL, &text, &error) == LB_OK) {
        mesh_list meshes = find_meshes(model, name, TEXTS);
        char *addresses = json_dumps(meshes.names, JSON_INDENT(2));
        meshes.entries[0] = (serve_entry){.path = "/model.json", .text = text};
        meshes.entries[1] = (serve_entry){.path = "/meshes.json", .text = addresses};
        status = serve(&(serve_site){page, meshes.entries, meshes.count}, port);
        for (int i = TEXTS; i < meshes.count; i++) {
            free((char *)meshes.entries[i].path);
            free((char *)meshes.entries[i].folder);
        }
        free(addresses);
        free(meshes.entries);
        json_decref(meshes.names);
    } else {
        complain_error(&error);
    }
    free(text);
    lb_model_release(model);
    return status;
}

/* ---- the command --------------------------------------------------------- */

static int run(const char *const *operands)
{
    if (!serve_is_possible()) {
        complain("this program was built without libmicrohttpd, which 'view' needs; with its "
                 "development package there, 'make' builds it in");
        return EXIT_BAD_INPUT;
    }
    int port = 0;
    if (!argument_count("--port", option_text(port_given), 0, 65535, &port))
        return EXIT_BAD_INPUT;
    char *page = find_page();
    if (!page)
        return EXIT_BAD_INPUT;
    int status = operands[0] ? serve_model(page, operands[0], port)
                             : serve(&(serve_site){.root = page}, port);
    free(page);
    return status;
}

static const struct poptOption options[] = {
    OPTION_TEXT("port", port_given, "N", "serve at this port; without it, at any that is free"),
    OPTION_TEXT("page", page_given, "DIR",
                "where the built page is, if not where it is looked for"),
    OPTION_FLAG("no-browser", no_browser, "only serve and print the address"),
    OPTION_END,
};

static const example examples[] = {
    {"the page, to begin with its examples", "limber view"},
    {"the Panda on its stage", "limber view panda"},
    {"a robot with its meshes, at a fixed port", "limber view robots/arm.urdf --port 8080"},
    {NULL, NULL},
};

const command command_view = {
    .name = "view",
    .synopsis = "[MODEL] [--port N] [--no-browser]",
    .summary = "show a model, and every method at work, in the browser",
    .details = "Serves the page to browsers on this machine, prints its address and opens a\n"
               "browser if there is one, until it is stopped by Ctrl C. There the target can be\n"
               "dragged, methods compared step by step, models posed and animated.\n"
               "\n"
               "MODEL is a file (URDF or limber JSON) or the name of a model built in. Meshes\n"
               "that a file names are looked for beside it and above it. 'make web' builds the\n"
               "page.",
    .examples = examples,
    .options = options,
    .operands = 0,
    .spare = 1,
    .run = run,
};
