/*
 * test_cli_view.c - what `limber view` serves, to whom, and what it does not.
 *
 * Requests go over a socket as they stand, so that nothing tidies their paths. Skipped
 * where the program was built without libmicrohttpd.
 */
#define _XOPEN_SOURCE 700

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support_program.h"

/* ---- the server ---------------------------------------------------------- */

static int port;
static pid_t server;

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/*
 * starts the program, with variables before its name, and waits for its address; false when it ends
 * before, with `complaint`
 */
static bool start_with(const char *variables, const char *arguments)
{
    char line[512];
    snprintf(line, sizeof line, "%s exec limber view %s --page page >address 2>complaint",
             variables, arguments);
    unlink("address");
    server = fork();
    assert_true(server >= 0);
    if (server == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    // however long that takes on a busy machine
    for (; waitpid(server, NULL, WNOHANG) == 0; wait_a_little()) {
        owned char *address = program_has_file("address") ? program_read("address") : NULL;
        bool complete = address && strchr(address, '\n');
        if (complete)
            assert_int_equal(sscanf(address, "http://127.0.0.1:%d/", &port), 1);
        if (complete)
            return true;
    }
    server = 0;
    return false;
}

static bool start(const char *arguments)
{
    char line[256];
    snprintf(line, sizeof line, "%s --no-browser", arguments);
    return start_with("", line);
}

/* an interrupt ends it without a complaint */
static void stop(void)
{
    int status;
    kill(server, SIGINT);
    assert_int_equal(waitpid(server, &status, 0), server);
    server = 0;
    assert_int_equal(status, 0);
}

static int connect_to_server(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int at = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(at >= 0);
    assert_int_equal(connect(at, (struct sockaddr *)&address, sizeof address), 0);
    return at;
}

/* the whole response to a request as it stands, terminated; the next one replaces it */
static char response[65536];

/* its status */
static int status_of(const char *request)
{
    int at = connect_to_server();
    size_t size = 0;
    assert_int_equal(send(at, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
    for (ssize_t n; (n = read(at, response + size, sizeof response - 1 - size)) > 0;)
        size += (size_t)n;
    response[size] = '\0';
    close(at);
    int status = 0;
    assert_int_equal(sscanf(response, "HTTP/1.1 %d", &status), 1);
    return status;
}

static int get(const char *path)
{
    char request[1024];
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", path, port);
    return status_of(request);
}

static bool response_has(const char *text)
{
    return strstr(response, text) != NULL;
}

/* ---- files --------------------------------------------------------------- */

static int write_files(void)
{
    int status = program_start();
    if (status != 0)
        return status;
    program_shell("mkdir -p page outside pack/urdf pack/meshes pack/textures");
    program_write("page/index.html", "<title>the page</title>");
    program_write("secret", "a secret");
    program_write("outside/o.stl", "solid outside");
    program_write("pack/meshes/a.stl", "solid a");
    program_write("pack/meshes/b #1?%2e.stl", "solid b");
    program_write("pack/meshes/notes.txt", "notes");
    program_write("pack/textures/t.png", "texture");
    program_shell("ln -s ../../secret pack/meshes/link.stl; mkfifo pack/meshes/pipe.stl");
    return 0;
}

/* a model beside `pack` that names these meshes */
static void write_model(const char *const *meshes)
{
    static char text[8192];
    size_t size = (size_t)snprintf(text, sizeof text, "<robot name='r'><link name='a'>");
    for (; *meshes; meshes++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "<visual><geometry><mesh filename='%s'/></geometry></visual>",
                                 *meshes);
    snprintf(text + size, sizeof text - size, "</link></robot>");
    program_write("pack/urdf/r.urdf", text);
}

static bool can_serve(void)
{
    program_run("view --page nowhere");
    if (!strstr(program.err, "without libmicrohttpd"))
        return true;
    print_message("built without libmicrohttpd: skipped\n");
    return false;
}

/* ---- tests --------------------------------------------------------------- */

TEST(only_the_page_is_served)
{
    if (!can_serve())
        skip();
    assert_true(start(""));
    assert_int_equal(get("/"), 200);
    assert_true(response_has("the page"));
    static const char *const nothing[] = {"/../secret",     "/%2e%2e/secret", "/%2e%2e%2fsecret",
                                          "//etc/passwd",   "/page",          "/model.json",
                                          "/index.html/..", "/mesh/0/"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_int_equal(get(nothing[i]), 404);

    // what is no path at all
    assert_int_equal(get("?index.html"), 400);
    assert_int_equal(get("*"), 400);
    char request[256];
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: example.org:%d\r\n%s", port,
             "Connection: close\r\n\r\n");
    assert_int_equal(status_of(request), 403);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                     403);
    assert_int_equal(status_of("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), 405);
    stop();
}

TEST(only_named_meshes_below_the_model_are_served)
{
    if (!can_serve())
        skip();
    write_model((const char *const[]){
        "package://pack/meshes/a.stl", "package://pack/meshes/b #1?%2e.stl", "file:///etc/passwd",
        "/etc/passwd", "../../outside/o.stl", "../meshes/notes.txt",
        "package://pack/meshes/link.stl", "../../secret", "package://pack/meshes/pipe.stl",
        "package://pack/meshes/missing.stl", NULL});
    assert_true(start("pack/urdf/r.urdf"));
    assert_int_equal(get("/meshes.json"), 200);
    assert_true(response_has("\"package://pack/meshes/a.stl\": \"mesh/0/a.stl\""));
    assert_true(response_has("\"mesh/1/b%20%231%3F%252e.stl\""));
    assert_false(response_has("mesh/2"));
    assert_false(response_has("passwd"));
    assert_int_equal(get("/mesh/0/a.stl"), 200);
    assert_true(response_has("solid a"));
    assert_int_equal(get("/mesh/1/b%20%231%3F%252e.stl"), 200);
    assert_true(response_has("solid b"));
    static const char *const nothing[] = {"/mesh/0/b%20%231%3F%252e.stl",
                                          "/mesh/0/notes.txt",
                                          "/mesh/0/../urdf/r.urdf",
                                          "/mesh/0/../../../secret",
                                          "/mesh/0/link.stl",
                                          "/mesh/2/passwd",
                                          "/mesh/0/",
                                          "/mesh/0/../textures/t.png"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_int_equal(get(nothing[i]), 404);
    stop();
    assert_in_file("complaint", "meshes are not served");
    assert_in_file("complaint", "--allow");
}

TEST(a_manifest_makes_a_package)
{
    if (!can_serve())
        skip();
    write_model((const char *const[]){"../meshes/a.stl", NULL});
    assert_true(start("pack/urdf/r.urdf"));
    assert_int_equal(get("/mesh/0/a.stl"), 404);
    stop();
    program_write("pack/package.xml", "<package/>");
    assert_true(start("pack/urdf/r.urdf"));
    assert_int_equal(get("/mesh/0/a.stl"), 200);
    stop();
}

TEST(a_folder_may_be_allowed)
{
    if (!can_serve())
        skip();
    write_model(
        (const char *const[]){"../../outside/o.stl", "file:///etc/passwd", "../../secret", NULL});
    assert_true(start("pack/urdf/r.urdf --allow outside"));
    assert_int_equal(get("/mesh/0/o.stl"), 200);
    assert_int_equal(get("/mesh/1/passwd"), 404);
    stop();

    // wherever they are, other types than meshes are not
    assert_true(start("pack/urdf/r.urdf --allow /"));
    assert_int_equal(get("/meshes.json"), 200);
    assert_false(response_has("passwd"));
    assert_false(response_has("secret\": \""));
    stop();
    program_refuses("view --page page --allow missing", "--allow: there is no folder 'missing'");
}

/* more connections than the server takes, that send nothing: they go when they have been idle */
TEST(silent_connections_do_not_block)
{
    enum { SILENT = 400 };
    if (!can_serve())
        skip();
    assert_true(start(""));
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++)
        silent[i] = connect_to_server();
    assert_int_equal(get("/"), 200);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    stop();
}

/* to clients that accept it the file that was compressed ahead is sent */
TEST(compressed_files_are_sent_where_accepted)
{
    if (!can_serve())
        skip();
    program_write("page/app.js", "plain");
    program_write("page/app.js.gz", "compressed");
    assert_true(start(""));
    char request[256];
    snprintf(request, sizeof request,
             "GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept-Encoding: br, gzip\r\n"
             "Connection: close\r\n\r\n",
             port);
    assert_int_equal(status_of(request), 200);
    assert_true(response_has("compressed") && response_has("Content-Encoding: gzip"));
    assert_true(response_has("text/javascript"));
    assert_int_equal(get("/app.js"), 200);
    assert_true(response_has("plain") && !response_has("Content-Encoding"));
    stop();
}

/* a browser keeps what has its hash in its name, and asks for the rest again */
TEST(hashed_files_are_kept_by_browsers)
{
    if (!can_serve())
        skip();
    program_shell("mkdir -p page/assets");
    program_write("page/app.js", "plain");
    program_write("page/assets/app-1a2b.js", "hashed");
    assert_true(start(""));
    assert_int_equal(get("/assets/app-1a2b.js"), 200);
    assert_true(response_has("hashed") &&
                response_has("Cache-Control: max-age=31536000, immutable"));
    assert_int_equal(get("/app.js"), 200);
    assert_true(response_has("Cache-Control: no-store"));
    stop();
}

/* what opens the page can be interrupted, although the server waits for that by itself */
TEST(a_browser_is_opened_without_blocked_signals)
{
    program_shell("mkdir -p bin; printf '#!/bin/sh\\ngrep SigBlk /proc/self/status > new; "
                  "mv new mask\\n' > bin/xdg-open; chmod +x bin/xdg-open");
    assert_true(start_with("DISPLAY=:0 PATH=$PWD/bin:$PATH", ""));
    // a minute and more: nothing is started then
    for (int i = 0; i < 3000 && !program_has_file("mask"); i++)
        wait_a_little();
    stop();
    if (!program_has_file("mask"))
        fail_msg("no browser was started");
    owned char *mask = program_read("mask");
    assert_string_equal(mask, "SigBlk:\t0000000000000000\n");
}

/* waits until the pose that is served has a text in it */
static void wait_for_pose(const char *text)
{
    // a minute and more: it does not come then
    for (int i = 0; i < 3000; i++, wait_a_little()) {
        assert_int_equal(get("/pose.json"), 200);
        if (response_has(text))
            return;
    }
    fail_msg("%s does not come: %s", text, response);
}

/* the latest row of what another program writes, until it ends; bad rows end this one */
TEST(a_running_robot_is_followed)
{
    if (!can_serve())
        skip();
    program_shell("mkfifo rows");
    int rows = open("rows", O_RDWR);
    assert_true(rows >= 0);
    assert_true(start("planar2 --follow <rows"));
    assert_int_equal(get("/pose.json"), 200);
    assert_true(response_has("{\"row\":0,\"over\":false,\"q\":["));
    static const char first[] = "time,elbow,shoulder\n0,0.5,0.25\n", then[] = "1,0.75,-1\n2,1,";
    assert_int_equal(write(rows, first, sizeof first - 1), sizeof first - 1);
    wait_for_pose("\"row\":1,\"over\":false,\"q\":[0.25,0.5]");
    assert_int_equal(write(rows, then, sizeof then - 1), sizeof then - 1);
    wait_for_pose("\"row\":2,\"over\":false,\"q\":[-1.0,0.75]");
    assert_int_equal(write(rows, "2\n", 2), 2);
    wait_for_pose("\"row\":3,\"over\":false,\"q\":[2.0,1.0]");
    stop();
    close(rows);
    // what is served stays when the rows end
    assert_true(start("planar2 --follow </dev/null"));
    wait_for_pose("\"row\":0,\"over\":true");
    stop();
    program_write("bad.csv", "time,elbo\n0,1\n");
    program_shell("limber view planar2 --follow --no-browser --page page <bad.csv >address "
                  "2>complaint; test $? = 2");
    owned char *complaint = program_read("complaint");
    assert_non_null(strstr(complaint, "standard input, line 1"));
    assert_non_null(strstr(complaint, "elbow"));
    program_refuses("view --follow --page page", "name it");
    program_refuses("view --page page --board 5.18 planar3", "give one of the two");
    program_refuses("view --page page --board 5/18", "--board: '5/18' is no example");
}

/* clients leave out HTTP's own port */
TEST(port_80_is_served)
{
    if (!can_serve())
        skip();
    if (!start("--port 80")) {
        print_message("port 80 is not to be had: skipped\n");
        skip();
    }
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                     200);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"),
                     200);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\nConnection: close\r\n\r\n"),
                     200);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"),
                     403);
    stop();
}

/* also of a test that failed */
static int end(void)
{
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    return program_stop();
}

TEST_FIXTURE(write_files, end)
