/*
 * view.c - limber view: the page, and in it a model, in the browser of this machine.
 *
 * The page is static files (make web). It finds the model as model.json beside
 * itself and, in meshes.json, where the mesh files are that the model names.
 */
#define _XOPEN_SOURCE 700

#include "cli/command.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/view/serve.h"

#include <limber/formats/json.h>

#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static text_option port_given, page_given, allow_given;
static int no_browser;

/* ---- where the page is -------------------------------------------------- */

static bool has_page(const char *folder)
{
    char *index = serve_find(folder, "index.html");
    free(index);
    return index != NULL;
}

/* the folder that the program is in; false when the system does not say */
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
            return copy_or_exit(given);
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
            return copy_or_exit(folder);
    }
    complain("the page is not here; 'make web' builds it, or --page says where it is");
    return NULL;
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
    // it does not wait with signals as the server does
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_t own;
    posix_spawnattr_init(&own);
    posix_spawnattr_setflags(&own, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&own, &none);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
    pid_t child;
    posix_spawnp(&child, opener, &quiet, &own, words, environ);
    posix_spawn_file_actions_destroy(&quiet);
    posix_spawnattr_destroy(&own);
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

/* says which meshes are there and yet not served, and what to do about it */
static void remark_refused(const mesh_list *meshes)
{
    if (meshes->refused > 0)
        remark("%d mesh%s not served, '%s' first: outside the folder of the model and of its "
               "package, or of no known type; --allow FOLDER serves those below a folder",
               meshes->refused, meshes->refused == 1 ? " is" : "es are", meshes->first_refused);
}

/* the model, the addresses of its meshes, and these; `text` and `addresses` outlive the call */
static int serve_files(const char *page, const mesh_list *meshes, const char *text,
                       const char *addresses, int port)
{
    enum { TEXTS = 2 };
    serve_entry *entries = allocate_or_exit((size_t)meshes->count + TEXTS, sizeof *entries);
    entries[0] = (serve_entry){.path = "/model.json", .text = text};
    entries[1] = (serve_entry){.path = "/meshes.json", .text = addresses};
    for (int i = 0; i < meshes->count; i++)
        entries[TEXTS + i] =
            (serve_entry){.path = meshes->entries[i].address, .file = meshes->entries[i].file};
    int status = serve(&(serve_site){page, entries, meshes->count + TEXTS}, port);
    free(entries);
    return status;
}

static int serve_model(const char *page, const char *name, int port)
{
    lb_model *model = select_model(name);
    if (!model)
        return EXIT_BAD_INPUT;
    lb_error error;
    char *text = NULL;
    int status = EXIT_BAD_INPUT;
    if (lb_json_write(model, NULL, &text, &error) == LB_OK) {
        mesh_list meshes = mesh_list_find(model, name, option_text(allow_given));
        json_t *names = mesh_list_addresses(&meshes);
        char *addresses = json_dumps(names, JSON_INDENT(2));
        remark_refused(&meshes);
        if (addresses)
            status = serve_files(page, &meshes, text, addresses, port);
        else
            complain("no memory for the addresses of %d meshes", meshes.count);
        free(addresses);
        json_decref(names);
        mesh_list_release(&meshes);
    } else {
        complain_error(&error);
    }
    free(text);
    lb_model_release(model);
    return status;
}

/* ---- the command --------------------------------------------------------- */

static bool check_allowed(const char *folder)
{
    struct stat what;
    bool is_folder = !folder || (stat(folder, &what) == 0 && S_ISDIR(what.st_mode));
    return is_folder || complain("--allow: there is no folder '%s'", folder);
}

static int run(const char *const *operands)
{
    if (!serve_is_possible())
        return bad_input(
            "this program was built without libmicrohttpd, which 'view' needs; with its "
            "development package there, 'make' builds it in");
    int port = 0;
    if (!argument_count("--port", option_text(port_given), 0, 65535, &port))
        return EXIT_BAD_INPUT;
    if (!check_allowed(option_text(allow_given)))
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
    OPTION_TEXT("page", page_given, "DIR", "folder of the built page, if it is not found"),
    OPTION_TEXT("allow", allow_given, "DIR", "also serve meshes of the model below this folder"),
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
    COMMAND(view),
    .synopsis = "[MODEL] [--port N] [--no-browser]",
    .summary = "show a model, and every method at work, in the browser",
    .details = "Serves the page to browsers on this machine, prints its address and opens a\n"
               "browser if there is one, until Ctrl C stops it. On the page you can drag the\n"
               "target, compare methods step by step, pose models and animate them.\n\n"
               "MODEL is a file (URDF, MJCF, BVH, glTF or limber JSON) or the name of a built-in\n"
               "model. The meshes that it names are served, no other files, and only from below\n"
               "its own folder or its package (the folder above it with a package.xml, or with\n"
               "the name that package:// gives); --allow names one more folder. 'make web'\n"
               "builds the page.",
    .operands = 0,
    .spare = 1,
};
