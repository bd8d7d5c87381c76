/*
 * view.c - limber view: the page, and in it a model, in the browser of this machine.
 *
 * The page is static files (make web). It finds the model as model.json beside
 * itself and, in meshes.json, where the mesh files are that the model names.
 */
#define _XOPEN_SOURCE 700

#include "base/text.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/view/serve.h"
#include "cli/work/live.h"

#include <limber/formats/json.h>

#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static text_option port_given, page_given, allow_given, board_given;
static int no_browser, following;

enum { ADDRESS_SIZE = 96, BOARD_SIZE = 32 };
static const char board_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";

/* ---- meshes ----------------------------------------------------------- */

/*
 * A model file may name any path. Served are only files that
 *   - a visual of the model names,
 *   - end as a mesh does (.stl .dae .obj .ply .gltf .glb),
 *   - lie, links and dots resolved, below the folder of the model's file, below its
 *     package, or below one folder that the user allows.
 * The package is the nearest folder above the model's file with a package.xml in it or
 * with the name that a mesh's "package://NAME/" gives.
 */

/* One mesh: its name in the model, its file, and its address below the site, "/mesh/3/a.stl". */
typedef struct mesh_entry {
    const char *name, *file, *address;
} mesh_entry;

typedef struct mesh_list {
    mesh_entry *entries; /* of files that are served, each name once */
    int count;
    int refused; /* meshes that are there, but outside these folders or of other types */
    const char *first_refused; /* the file of the first of these; NULL: none */
} mesh_list;

/* ---- folders ------------------------------------------------------------- */

/* The folders that meshes may lie in, as realpath() has them; NULL: none. */
typedef struct mesh_folders {
    char *model, *allowed;
    char package[PATH_MAX]; /* of one mesh; empty: none */
} mesh_folders;

/* a path as realpath() has it; NULL: there is none */
static char *resolve(const char *path)
{
    char *found = realpath(path, NULL), *kept = found ? copy_or_exit(found) : NULL;
    free(found);
    return kept;
}

/* the folder of a file; NULL when it is not there */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = copy_or_exit(slash ? file : ".");
    // "/a.urdf" lies in "/"
    if (slash)
        name[slash == file ? 1 : slash - file] = '\0';
    return resolve(name);
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
    while (at[0] != '\0' && at[1] != '\0' && !serve_find(at, "package.xml") &&
           !is_called(at, name, length))
        *strrchr(at, '/') = '\0';
    if (at[0] != '\0' && at[1] == '\0')
        at[0] = '\0';
}

/* ---- files --------------------------------------------------------------- */

static bool has_mesh_ending(const char *file)
{
    static const char *const endings[] = {".stl", ".dae", ".obj", ".ply", ".gltf", ".glb"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends(file, endings[i], true))
            return true;
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
    const char *home = folder && *folder ? resolve(folder) : NULL;
    const char *file = home ? resolve(path) : NULL;
    size_t length = home ? strlen(home) : 0;
    bool below = file && strncmp(file, home, length) == 0 && file[length] == '/';
    return below ? serve_find(home, file + length + 1) : NULL;
}

/* what a mesh's name means; NULL when it is nowhere in the folders */
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
    return access(joined, F_OK) == 0 ? resolve(joined) : NULL;
}

/* ---- the list ------------------------------------------------------------ */

static void add(mesh_list *list, mesh_folders *folders, const char *name)
{
    char *file = find_mesh(folders, name);
    if (!file)
        file = find_outside(folders, name);
    else if (has_mesh_ending(file)) {
        const char *own = strrchr(file, '/') + 1;
        char *address = allocate_or_exit(strlen(own) + 32, 1);
        sprintf(address, "/mesh/%d/%s", list->count, own);
        list->entries[list->count++] = (mesh_entry){name, file, address};
        return;
    }
    if (file && list->refused++ == 0)
        list->first_refused = file;
}

static int count_visuals(const lb_model *model)
{
    int count = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        count += lb_model_link(model, i)->visual_count;
    return count;
}

/* the meshes of a model that was read from `file`; `allowed`: a folder, or NULL */
static mesh_list mesh_list_find(const lb_model *model, const char *file, const char *allowed)
{
    mesh_list list = {.entries =
                          allocate_or_exit((size_t)count_visuals(model) + 1, sizeof(mesh_entry))};
    mesh_folders folders = {.model = folder_of(file)};
    folders.allowed = allowed ? resolve(allowed) : NULL;
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
    return list;
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

/* name to address, percent-encoded and relative to the page; release with json_decref() */
static json_t *mesh_list_addresses(const mesh_list *list)
{
    json_t *addresses = json_object();
    for (int i = 0; i < list->count; i++)
        set_json(addresses, list->entries[i].name,
                 json_string(percent_encode(list->entries[i].address + 1)));
    return addresses;
}

/* ---- where the page is -------------------------------------------------- */

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

/* --page, or as installed, or as built */
static const char *find_page(void)
{
    static const char *const places[] = {"../share/limber/page", "../web/page/dist"};
    static const char index[] = "index.html";
    const char *given = option_text(page_given);
    if (given && !serve_find(given, index))
        refuse("--page: there is no page in '%s'", given);
    if (given)
        return given;
    char folder[PATH_MAX];
    for (size_t i = 0; find_program(folder) && i < sizeof places / sizeof *places; i++) {
        if (strlen(folder) + strlen(places[i]) + 2 > sizeof folder)
            continue;
        strcat(folder, "/");
        strcat(folder, places[i]);
        if (serve_find(folder, index))
            return copy_or_exit(folder);
    }
    refuse("the page is not here; 'make web' builds it, or --page says where it is");
}

/* ---- serving ------------------------------------------------------------- */

/* opens the address in the user's browser, where there is one, and does not wait for it */
static void open_browser(const char *address)
{
    extern char **environ;
    if (no_browser || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")))
        return;
    char opener[] = "xdg-open", word[ADDRESS_SIZE];
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

/* ---- what runs ----------------------------------------------------------- */

/* The latest row of joint values, which the server's threads read. */
typedef struct followed {
    pthread_mutex_t lock;
    const lb_model *model;
    double *q;
    json_int_t row; /* how many came */
    bool over;
} followed;

static char *write_followed(void *user)
{
    followed *f = user;
    json_t *q = json_array();
    pthread_mutex_lock(&f->lock);
    for (int i = 0; i < lb_model_nq(f->model); i++)
        append_json(q, json_real(f->q[i]));
    json_t *pose = json_pack("{s:I, s:b, s:o}", "row", f->row, "over", f->over, "q", q);
    pthread_mutex_unlock(&f->lock);
    char *text = json_dumps(pose, JSON_COMPACT);
    json_decref(pose);
    return text != NULL ? text : strdup("{}");
}

/* takes over rows of standard input until that ends; false: the program is to end, with *status */
static bool follow(followed *f, int *status)
{
    // one row at a time is read, and none waits in a buffer while nothing else comes
    setvbuf(stdin, NULL, _IONBF, 0);
    live_rows *rows = live_rows_open(f->model, false);
    live_state state = LIVE_ROW;
    size_t size = (size_t)lb_model_nq(f->model) * sizeof *f->q;
    while (state <= LIVE_ROW && serve_until_input()) {
        double time;
        const double *q;
        state = live_rows_next(rows, &time, &q);
        pthread_mutex_lock(&f->lock);
        if (state == LIVE_ROW) {
            memcpy(f->q, q, size);
            f->row++;
        }
        f->over = state > LIVE_ROW;
        pthread_mutex_unlock(&f->lock);
    }
    *status = state == LIVE_REFUSED ? EXIT_BAD_INPUT : EXIT_DONE;
    return state == LIVE_END;
}

static int serve(const serve_site *site, int port, followed *f)
{
    serve_server *server = serve_start(site, &port);
    char address[ADDRESS_SIZE];
    const char *board = option_text(board_given);
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s%s", port,
             f != NULL       ? "?follow"
             : site->count   ? "?view"
             : board != NULL ? "#board="
                             : "",
             board != NULL ? board : "");
    printf("%s\n", address);
    fflush(stdout);
    remark("the page is there until this program is stopped (Ctrl C)");
    open_browser(address);
    int status = EXIT_DONE;
    if (f == NULL || follow(f, &status))
        serve_until_stopped();
    serve_stop(server);
    return status;
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
                       const char *addresses, int port, followed *f)
{
    const int texts = f != NULL ? 3 : 2;
    serve_entry *entries = allocate_or_exit((size_t)(meshes->count + texts), sizeof *entries);
    entries[0] = (serve_entry){.path = "/model.json", .text = text};
    entries[1] = (serve_entry){.path = "/meshes.json", .text = addresses};
    if (f != NULL)
        entries[2] = (serve_entry){.path = "/pose.json", .write = write_followed, .user = f};
    for (int i = 0; i < meshes->count; i++)
        entries[texts + i] =
            (serve_entry){.path = meshes->entries[i].address, .file = meshes->entries[i].file};
    return serve(&(serve_site){page, entries, meshes->count + texts}, port, f);
}

static int serve_model(const char *page, const char *name, int port)
{
    const lb_model *model = select_model(name);
    char *text = NULL;
    followed f = {.lock = PTHREAD_MUTEX_INITIALIZER, .model = model};
    f.q = allocate_or_exit((size_t)lb_model_nq(model) + 1, sizeof *f.q);
    lb_configuration_neutral(model, f.q);
    require(lb_json_write(model, &program_memory, &text, why()));
    mesh_list meshes = mesh_list_find(model, name, option_text(allow_given));
    json_t *names = mesh_list_addresses(&meshes);
    char *addresses = json_dumps(names, JSON_INDENT(2));
    remark_refused(&meshes);
    int status = serve_files(page, &meshes, text, addresses, port, following ? &f : NULL);
    free(addresses);
    json_decref(names);
    return status;
}

/* ---- the command --------------------------------------------------------- */

static void check_allowed(const char *folder)
{
    struct stat what;
    if (folder && (stat(folder, &what) != 0 || !S_ISDIR(what.st_mode)))
        refuse("--allow: there is no folder '%s'", folder);
}

/* its letters go into the address as they are */
static void check_board(const char *board, const char *model)
{
    if (board != NULL && model != NULL)
        refuse("--board opens an example, not %s: give one of the two", model);
    if (board != NULL &&
        (strlen(board) > BOARD_SIZE || strspn(board, board_letters) != strlen(board)))
        refuse("--board: '%s' is no example of the board, as 5.18 is", board);
}

static int run(const char *const *operands)
{
    if (!serve_is_possible())
        refuse("this program was built without libmicrohttpd, which 'view' needs; with its "
               "development package there, 'make' builds it in");
    int port = argument_count("--port", option_text(port_given), 0, 65535, 0);
    if (following && !operands[0])
        refuse("--follow shows a model that moves: name it");
    check_allowed(option_text(allow_given));
    check_board(option_text(board_given), operands[0]);
    const char *page = find_page();
    return operands[0] ? serve_model(page, operands[0], port)
                       : serve(&(serve_site){.root = page}, port, NULL);
}

static const struct poptOption options[] = {
    OPTION_TEXT("port", port_given, "N", "serve at this port; without it, at any that is free"),
    OPTION_TEXT("page", page_given, "DIR", "folder of the built page, if it is not found"),
    OPTION_TEXT("board", board_given, "ID",
                "open the board with this example, by its figure (5.18) or name (race)"),
    OPTION_TEXT("allow", allow_given, "DIR", "also serve meshes of the model below this folder"),
    OPTION_FLAG("follow", following,
                "show the rows of joint values that standard input has, as they come"),
    OPTION_FLAG("no-browser", no_browser, "only serve and print the address"),
    OPTION_END,
};

static const example examples[] = {
    {"the page, to begin with its examples", "limber view"},
    {"the Panda on its stage", "limber view panda"},
    {"a robot with its meshes, at a fixed port", "limber view robots/arm.urdf --port 8080"},
    {"a robot as it runs: a program writes rows of joint values",
     "limber servo panda --targets t.csv | limber view panda --follow"},
    {NULL, NULL},
};

const command command_view = {
    COMMAND(view),
    .synopsis = "[MODEL] [--port N] [--no-browser] [--follow]",
    .summary = "show a model, and every method at work, in the browser",
    .details = "Serves the page to browsers on this machine, prints its address and opens a\n"
               "browser if there is one, until Ctrl C stops it. On the page you can drag the\n"
               "target, compare methods step by step, pose models and animate them.\n\n"
               "MODEL is a file (URDF, MJCF, BVH, glTF or limber JSON) or the name of a built-in\n"
               "model. The meshes that it names are served, no other files, and only from below\n"
               "its own folder or its package (the folder above it with a package.xml, or with\n"
               "the name that package:// gives); --allow names one more folder. 'make web'\n"
               "builds the page.\n\n"
               "--follow shows the model as rows of joint values come by standard input: the\n"
               "first line has their names, of which one may be time; without names a row is a\n"
               "time and all values. The page always has the latest row; none is waited for.",
    .operands = 0,
    .spare = 1,
};
