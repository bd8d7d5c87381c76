/*
 * test_threads.c - threads that load their first files at once.
 *
 * The thread sanitizer sees what they share; without it a race shows as a refusal or a crash.
 */
#define _XOPEN_SOURCE 700

#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <pthread.h>

#include "harness.h"

enum { THREADS = 8, ROUNDS = 50 };

static pthread_barrier_t barrier;

static const char urdf[] =
    "<robot name='r'><link name='a'/><link name='b'><visual><geometry><box size='1 2 3'/>"
    "</geometry></visual></link><joint name='j' type='continuous'><parent link='a'/>"
    "<child link='b'/><axis xyz='0 0 1'/></joint></robot>";

/* NULL, or what went wrong */
static void *load(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; i++) {
        lb_model *model = NULL;
        owned char *text = NULL;
        if (lb_load_memory("r.urdf", urdf, strlen(urdf), NULL, &model, NULL) != LB_OK)
            return (char *)"the URDF was refused";
        lb_status status = lb_json_write(model, NULL, &text, NULL);
        lb_model_release(model);
        if (status != LB_OK ||
            lb_load_memory("r.json", text, strlen(text), NULL, &model, NULL) != LB_OK)
            return (char *)"the JSON was refused";
        lb_model_release(model);
    }
    return NULL;
}

TEST(threads_may_load_at_once)
{
    pthread_t threads[THREADS];
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *complaint;
        pthread_join(threads[i], &complaint);
        if (complaint)
            fail_msg("%s", (char *)complaint);
    }
    pthread_barrier_destroy(&barrier);
}
