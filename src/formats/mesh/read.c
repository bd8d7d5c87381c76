/*
 * read.c - mesh files by assimp, and their convex hulls by qhull (Barber, Dobkin, Huhdanpaa 1996).
 */
#include "formats/mesh/read.h"

#include <limber/formats/mesh.h>

#if defined LIMBER_HAVE_MESHES

#include "base/error.h"
#include "base/memory.h"
#include "formats/file.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <libqhull_r/libqhull_r.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

bool lb_mesh_supported(void)
{
    return true;
}

/* ---- what assimp opens ---------------------------------------------------- */

static FILE *stream_of(const struct aiFile *file)
{
    return (FILE *)(void *)file->UserData;
}

static size_t read_bytes(struct aiFile *file, char *bytes, size_t size, size_t count)
{
    return fread(bytes, size, count, stream_of(file));
}

static size_t write_nothing(struct aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file, (void)bytes, (void)size, (void)count;
    return 0;
}

static size_t tell_place(struct aiFile *file)
{
    long at = ftell(stream_of(file));
    return at < 0 ? 0 : (size_t)at;
}

static enum aiReturn seek_place(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    bool fine = fseek(stream_of(file), (long)offset, whence) == 0;
    return fine ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static size_t measure_file(struct aiFile *file)
{
    size_t at = tell_place(file), size = 0;
    if (fseek(stream_of(file), 0, SEEK_END) == 0)
        size = tell_place(file);
    return fseek(stream_of(file), (long)at, SEEK_SET) == 0 ? size : 0;
}

static void flush_nothing(struct aiFile *file)
{
    (void)file;
}

/* a mesh names others, as an OBJ its materials: of these, too, only regular files, because a pipe
   might never end */
static struct aiFile *open_regular(struct aiFileIO *io, const char *path, const char *mode)
{
    (void)io;
    FILE *stream = *mode == 'r' && file_is_regular(path) ? fopen(path, "rb") : NULL;
    struct aiFile *file = stream == NULL ? NULL : malloc(sizeof *file);
    if (file == NULL) {
        if (stream != NULL)
            fclose(stream);
        return NULL;
    }
    *file = (struct aiFile){.ReadProc = read_bytes,
                            .WriteProc = write_nothing,
                            .TellProc = tell_place,
                            .FileSizeProc = measure_file,
                            .SeekProc = seek_place,
                            .FlushProc = flush_nothing,
                            .UserData = (aiUserData)(void *)stream};
    return file;
}

static void close_regular(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    fclose(stream_of(file));
    free(file);
}

/* ---- files ---------------------------------------------------------------- */

/* all vertices, in the frame of the file; `io` must stay as long as they do */
static const struct aiScene *import(const char *file, struct aiFileIO *io)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties == NULL)
        return NULL;
    // as ROS reads Collada
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(
        file, aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices, io, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static size_t count_vertices(const struct aiScene *scene)
{
    size_t count = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        count += scene->mMeshes[i]->mNumVertices;
    return count;
}

static bool copy_vertices(const struct aiScene *scene, lb_vec3 *points)
{
    bool finite = true;
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        for (unsigned k = 0; k < scene->mMeshes[i]->mNumVertices; k++, points++) {
            struct aiVector3D v = scene->mMeshes[i]->mVertices[k];
            *points = lb_vec3_make((double)v.x, (double)v.y, (double)v.z);
            finite = finite && lb_vec3_is_finite(*points);
        }
    return finite;
}

/* ---- hulls ---------------------------------------------------------------- */

/* moves the hull's corners to the front; 0: there is none, as of flat meshes */
static int keep_corners(lb_vec3 *points, int count)
{
    static char command[] = "qhull Qt Pp";
    qhT *hull = malloc(sizeof *hull);
    FILE *silent = fopen("/dev/null", "w");
    lb_vec3 *corners = malloc((size_t)count * sizeof *corners);
    int kept = 0, rest, blocks;
    if (hull != NULL && silent != NULL && corners != NULL) {
        qh_zero(hull, silent);
        bool fine = qh_new_qhull(hull, 3, count, &points->x, False, command, NULL, silent) == 0;
        for (vertexT *v = fine ? hull->vertex_list : NULL; v != NULL && v->next; v = v->next) {
            int index = qh_pointid(hull, v->point);
            if (index >= 0 && index < count && kept < count)
                corners[kept++] = points[index];
        }
        qh_freeqhull(hull, !qh_ALL);
        qh_memfreeshort(hull, &rest, &blocks);
    }
    for (int i = 0; i < kept; i++)
        points[i] = corners[i];
    free(corners);
    free(hull);
    if (silent != NULL)
        fclose(silent);
    return kept;
}

static lb_status take_points(const struct aiScene *scene, const lb_allocator *allocator,
                             lb_vec3 **points, int *count, lb_error *error)
{
    size_t vertices = count_vertices(scene);
    if (vertices == 0 || vertices > INT_MAX)
        return lb_error_set(error, LB_BAD_MODEL, 0, "it has %s vertices",
                            vertices == 0 ? "no" : "too many");
    *points = memory_take(allocator, vertices, sizeof **points);
    if (*points == NULL)
        return error_out_of_memory(error);
    if (!copy_vertices(scene, *points)) {
        memory_release(allocator, *points);
        *points = NULL;
        return lb_error_set(error, LB_BAD_VALUE, 0, "a vertex is not finite");
    }
    *count = keep_corners(*points, (int)vertices);
    // a flat mesh is the hull of all its points
    if (*count == 0)
        *count = (int)vertices;
    return LB_OK;
}

lb_status mesh_read(const char *file, const lb_allocator *allocator, lb_vec3 **points, int *count,
                    lb_error *error)
{
    struct aiFileIO io = {.OpenProc = open_regular, .CloseProc = close_regular};
    const struct aiScene *scene = import(file, &io);
    if (scene == NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0, "%.200s", aiGetErrorString());
    lb_status status = take_points(scene, allocator, points, count, error);
    aiReleaseImport(scene);
    return status;
}

#else

bool lb_mesh_supported(void)
{
    return false;
}

lb_status mesh_read(const char *file, const lb_allocator *allocator, lb_vec3 **points, int *count,
                    lb_error *error)
{
    (void)file, (void)allocator, (void)points, (void)count;
    return lb_error_set(error, LB_UNSUPPORTED, 0,
                        "the library was built without assimp and qhull, which read meshes");
}

#endif
