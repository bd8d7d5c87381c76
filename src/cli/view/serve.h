/*
 * serve.h - a small web server for this machine alone.
 *
 * It serves the files below one folder (the page), some texts, and some more files one by
 * one, to programs on the same machine; nothing else, and nothing that leads out of the
 * folder. Connections that are idle for serve_idle_seconds are closed.
 */
#ifndef CLI_VIEW_SERVE_H
#define CLI_VIEW_SERVE_H

#include <stdbool.h>
#include <stddef.h>

enum { serve_idle_seconds = 10, serve_most_connections = 256 };

/* One address and what is served there: a text, a file, or what it is at the moment. */
typedef struct serve_entry {
    const char *path;           /* "/model.json", "/mesh/3/a b.stl": not percent-encoded */
    const char *text;           /* NULL for others */
    const char *file;           /* NULL for others */
    char *(*write)(void *user); /* NULL for others; a text from malloc(), on the server's thread */
    void *user;
} serve_entry;

typedef struct serve_site {
    const char *root; /* the folder served as "/"; "/" itself is its index.html */
    const serve_entry *entries;
    int count;
} serve_site;

typedef struct serve_server serve_server;

/* Whether this program was built with what it takes. */
bool serve_is_possible(void);

/*
 * Starts on the loopback address at *port, 0 for any that is free, and sets *port.
 * The site must outlive the server.
 */
serve_server *serve_start(const serve_site *site, int *port);

/* Returns when the program is to end (SIGINT, SIGTERM). */
void serve_until_stopped(void);
/* Returns when standard input has something, or its end: true; or the program is to end: false. */
bool serve_until_input(void);
void serve_stop(serve_server *server);

/*
 * The file that a path below a folder names, as realpath() has it; NULL when there
 * is no such file, or it lies elsewhere.
 */
char *serve_find(const char *folder, const char *path);

#endif
