/*
 * serve.c - a small web server for this machine alone, by libmicrohttpd.
 *
 * It listens on the loopback address only. A page of another site could still make
 * a browser on this machine send requests here (by a name that resolves to loopback),
 * so requests whose Host is not this address and port are refused.
 */
#define _XOPEN_SOURCE 700

#include "cli/view/serve.h"

#include "cli/report/report.h"
#include "formats/library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *serve_find(const char *folder, const char *path)
{
    size_t size = strlen(folder) + strlen(path) + 2;
    char *joined = allocate_or_exit(size, 1);
    strcpy(joined, folder);
    strcat(joined, "/");
    strcat(joined, path);
    char *home = realpath(folder, NULL), *found = realpath(joined, NULL);
    dispose(joined);

    // links and dots are gone by now: it lies in the folder or it does not
    struct stat what;
    size_t length = home ? strlen(home) : 0;
    bool inside = found && home && strncmp(found, home, length) == 0 && found[length] == '/' &&
                  stat(found, &what) == 0 && S_ISREG(what.st_mode);
    char *kept = inside ? copy_or_exit(found) : NULL;
    free(home);
    free(found);
    return kept;
}

#ifdef LIMBER_HAVE_MICROHTTPD

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

#define MHD_FUNCTIONS(X)                                                                           \
    X(add_response_header)                                                                         \
    X(create_response_from_buffer)                                                                 \
    X(create_response_from_fd)                                                                     \
    X(destroy_response)                                                                            \
    X(get_daemon_info)                                                                             \
    X(lookup_connection_value)                                                                     \
    X(queue_response)                                                                              \
    X(start_daemon)                                                                                \
    X(stop_daemon)

/* libmicrohttpd's functions, which are loaded when a server starts, or linked */
typedef struct mhd_functions {
#define X(name) __typeof__(MHD_##name) *name;
    MHD_FUNCTIONS(X)
#undef X
} mhd_functions;

#ifdef LIMBER_MICROHTTPD_FILE
static mhd_functions mhd;

static lb_status load_functions(lb_error *error)
{
#define X(name) "MHD_" #name,
    static const char *const names[] = {MHD_FUNCTIONS(X)};
#undef X
    static library loaded = {.file = LIMBER_MICROHTTPD_FILE,
                             .names = names,
                             .count = sizeof names / sizeof *names,
                             .functions = &mhd};
    return library_load(&loaded, error);
}
#else
#define X(name) .name = MHD_##name,
static const mhd_functions mhd = {MHD_FUNCTIONS(X)};
#undef X

static lb_status load_functions(lb_error *error)
{
    (void)error;
    return LB_OK;
}
#endif

struct serve_server {
    const serve_site *site;
    struct MHD_Daemon *daemon;
    int port;
};

bool serve_is_possible(void)
{
    return true;
}

/* ---- responses ------------------------------------------------------------ */

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".wasm", "application/wasm"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t size = strlen(types[i].ending);
        if (length >= size && strcmp(path + length - size, types[i].ending) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

/* what is asked for anew each time, and what has a hash of its content in its name */
static const char fresh[] = "no-store", unchanging[] = "max-age=31536000, immutable";

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status, const char *type,
                               const char *cache, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    mhd.add_response_header(response, "Content-Type", type);
    mhd.add_response_header(response, "Cache-Control", cache);
    mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
    enum MHD_Result result = mhd.queue_response(connection, status, response);
    mhd.destroy_response(response);
    return result;
}

static enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned status,
                                    const char *type, const char *text)
{
    // the library does not change what it only reads, but is not declared so
    return respond(
        connection, status, type, fresh,
        mhd.create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT));
}

/* what an address has at the moment */
static enum MHD_Result respond_now(struct MHD_Connection *connection, const char *type,
                                   const serve_entry *entry)
{
    char *text = entry->write(entry->user);
    return respond(connection, MHD_HTTP_OK, type, fresh,
                   mhd.create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

/* a regular file opened for reading, with its size; -1: there is none */
static int open_regular(const char *path, size_t *size)
{
    // what has become a pipe or a link since is neither waited for nor followed
    int file = path ? open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) : -1;
    struct stat what;
    if (file >= 0 && (fstat(file, &what) != 0 || !S_ISREG(what.st_mode))) {
        close(file);
        return -1;
    }
    if (file >= 0)
        *size = (size_t)what.st_size;
    return file;
}

/* a regular file, by its resolved path; NULL: not found */
static enum MHD_Result respond_file(struct MHD_Connection *connection, const char *path,
                                    const char *cache)
{
    size_t size;
    int file = open_regular(path, &size);
    if (file < 0)
        return respond_text(connection, MHD_HTTP_NOT_FOUND, "text/plain", "not found\n");
    // the response closes the file
    return respond(connection, MHD_HTTP_OK, type_of(path), cache,
                   mhd.create_response_from_fd(size, file));
}

/* the file that the page's build has compressed ahead, beside the one at `path`; -1: none */
static int open_compressed(struct MHD_Connection *connection, const char *path, size_t *size)
{
    const char *accepted =
        mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding");
    if (!path || !accepted || !strstr(accepted, "gzip"))
        return -1;
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s.gz", path);
    return length < (int)sizeof name ? open_regular(name, size) : -1;
}

static enum MHD_Result respond_below(struct MHD_Connection *connection, const char *folder,
                                     const char *path)
{
    char *found = serve_find(folder, path);
    const char *cache = strncmp(path, "assets/", 7) == 0 ? unchanging : fresh;
    size_t size;
    int file = open_compressed(connection, found, &size);
    struct MHD_Response *response = file < 0 ? NULL : mhd.create_response_from_fd(size, file);
    if (response)
        mhd.add_response_header(response, "Content-Encoding", "gzip");
    enum MHD_Result result = response
                                 ? respond(connection, MHD_HTTP_OK, type_of(found), cache, response)
                                 : respond_file(connection, found, cache);
    dispose(found);
    return result;
}

/* ---- requests ----------------------------------------------------------- */

/* whether "name" or "name:port" is `own` at this port; HTTP's own port, 80, may be left out */
static bool is_host(const char *host, const char *own, int port)
{
    char with_port[32];
    snprintf(with_port, sizeof with_port, "%s:%d", own, port);
    return strcmp(host, with_port) == 0 || (port == 80 && strcmp(host, own) == 0);
}

static bool is_for_us(const serve_server *server, struct MHD_Connection *connection)
{
    const char *host = mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    return host &&
           (is_host(host, "127.0.0.1", server->port) || is_host(host, "localhost", server->port));
}

/* what is at an address */
static enum MHD_Result respond_path(const serve_site *site, struct MHD_Connection *connection,
                                    const char *path)
{
    if (strcmp(path, "/") == 0)
        return respond_below(connection, site->root, "index.html");
    for (int i = 0; i < site->count; i++) {
        const serve_entry *entry = &site->entries[i];
        if (strcmp(path, entry->path) != 0)
            continue;
        if (entry->write)
            return respond_now(connection, type_of(path), entry);
        return entry->text ? respond_text(connection, MHD_HTTP_OK, type_of(path), entry->text)
                           : respond_file(connection, entry->file, fresh);
    }
    return respond_below(connection, site->root, path + 1);
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **own)
{
    const serve_server *server = user;
    (void)version, (void)data, (void)size, (void)own;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return respond_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", "only GET\n");
    if (!is_for_us(server, connection))
        return respond_text(connection, MHD_HTTP_FORBIDDEN, "text/plain", "not this host\n");
    // "GET ?index.html" has an empty path, "HEAD *" one that is no path
    if (path[0] != '/')
        return respond_text(connection, MHD_HTTP_BAD_REQUEST, "text/plain", "not a path\n");
    return respond_path(server->site, connection, path);
}

/* ---- starting and stopping ---------------------------------------------- */

static void end_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

serve_server *serve_start(const serve_site *site, int *port)
{
    require(load_functions(why()));
    serve_server *server = allocate_or_exit(1, sizeof *server);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->site = site;
    server->port = *port;

    // the server's own threads inherit that these signals wait for serve_until_stopped()
    sigset_t set;
    end_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    server->daemon = mhd.start_daemon(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)*port, NULL, NULL, handle, server,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)serve_idle_seconds,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)serve_most_connections, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon ? mhd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info)
        refuse("no server can be started at port %d; --port 0 takes any that is free", *port);
    *port = server->port = info->port;
    return server;
}

void serve_until_stopped(void)
{
    sigset_t set;
    int signal_number;
    end_signals(&set);
    sigwait(&set, &signal_number);
}

static void note(int signal_number)
{
    (void)signal_number;
}

bool serve_until_input(void)
{
    // the signals come through while it waits, and end that
    sigset_t others;
    struct sigaction quiet = {.sa_handler = note};
    sigaction(SIGINT, &quiet, NULL);
    sigaction(SIGTERM, &quiet, NULL);
    sigprocmask(SIG_BLOCK, NULL, &others);
    sigdelset(&others, SIGINT);
    sigdelset(&others, SIGTERM);
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    return pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &others) > 0;
}

void serve_stop(serve_server *server)
{
    mhd.stop_daemon(server->daemon);
}

#else

bool serve_is_possible(void)
{
    return false;
}

serve_server *serve_start(const serve_site *site, int *port)
{
    (void)site, (void)port;
    return NULL;
}

void serve_until_stopped(void)
{
}

bool serve_until_input(void)
{
    return false;
}

void serve_stop(serve_server *server)
{
    (void)server;
}

#endif
