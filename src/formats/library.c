/*
 * library.c - shared libraries that are loaded when they are used.
 */
#include "formats/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* what the system says of a failure, which another thread's does not change */
static lb_status refuse(const library *l, lb_error *error)
{
    const char *why = dlerror();
    return lb_error_set(error, LB_UNSUPPORTED, 0, "%s cannot be loaded (%.200s); install it",
                        l->file, why == NULL ? "no reason is known" : why);
}

static lb_status find_functions(library *l, lb_error *error)
{
    void *handle = dlopen(l->file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return refuse(l, error);
    for (int i = 0; i < l->count; i++) {
        void *function = dlsym(handle, l->names[i]);
        if (function == NULL) {
            lb_status status = refuse(l, error);
            dlclose(handle);
            return status;
        }
        // POSIX has both kinds of pointers of one size
        memcpy((char *)l->functions + (size_t)i * sizeof function, &function, sizeof function);
    }
    l->loaded = true;
    return LB_OK;
}

lb_status library_load(library *l, lb_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    lb_status status = l->loaded ? LB_OK : find_functions(l, error);
    pthread_mutex_unlock(&lock);
    return status;
}
