/*
 * test_gltf_beside.c - buffers of a glTF in files beside it: held once, and found by relative
 * paths.
 */
#include <limber/formats/gltf.h>

#include <unistd.h>

#include "support.h"

static lb_error error;

/* one file that many buffers name is held once, by whatever path */
TEST(files_of_many_buffers_are_held_once)
{
    enum { BUFFERS = 60, SIZE = 100000 };
    char text[64 * BUFFERS + 256], *at = text;
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"buffers\":[");
    for (int i = 0; i < BUFFERS; i++)
        at += sprintf(at, "%s{\"byteLength\":%d,\"uri\":\"%sheld.bin\"}", i > 0 ? "," : "", SIZE,
                      i % 2 ? "./" : "");
    sprintf(at, "]}");
    FILE *file = fopen("held.gltf", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    file = fopen("held.bin", "wb");
    assert_non_null(file);
    for (int i = 0; i < SIZE; i++)
        putc(i, file);
    fclose(file);
    size_t bytes = 0;
    lb_allocator allocator = test_byte_allocator(&bytes);
    lb_gltf_options options = {.load = {.allocator = &allocator}};
    lb_gltf *gltf = NULL;
    assert_made(lb_gltf_load("held.gltf", &options, &gltf, &error), error);
    assert_true(bytes < 10 * SIZE);
    lb_gltf_release(gltf);
    unlink("held.gltf");
    unlink("held.bin");
}

/* a percent sign does not make an absolute path a relative one */
TEST(encoded_absolute_paths_are_refused)
{
    static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"buffers\":[{"
                               "\"byteLength\":1,\"uri\":\"%2Fetc/passwd\"}]}";
    lb_gltf *gltf = NULL;
    assert_refused(lb_gltf_load_memory("p.gltf", text, sizeof text - 1, NULL, &gltf, &error),
                   LB_UNSUPPORTED, &error, "is no relative path");
}
