/* support_load.c - models of files, one or all of a list. */
#include <dirent.h>
#include <limber/formats/load.h>

#include "support_load.h"

lb_model *test_load(const char *name)
{
    lb_model *model = NULL;
    assert_int_equal(lb_load(name, NULL, &model, NULL), LB_OK);
    return model;
}

lb_model *test_load_moving(const char *name)
{
    lb_model *model = test_load(name);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind == LB_JOINT_FLOATING)
            return model;
    lb_model *moving = test_with_root(model, LB_JOINT_FLOATING);
    lb_model_release(model);
    return moving;
}

/* each has random numbers of its own */
static void visit_and_release(lb_model *model, int number, test_visit *visit)
{
    lb_random random = test_seed((uint64_t)number);
    visit(model, &random);
    lb_model_release(model);
}

void test_built_in_models(test_visit *visit)
{
    assert_true(lb_embedded_count() > 0);
    for (int i = 0; i < lb_embedded_count(); i++)
        visit_and_release(test_load(lb_embedded_at(i)->name), i, visit);
}

void test_real_robots(test_visit *visit)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        lb_model *model = NULL;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", entry->d_name);
        if (strstr(entry->d_name, ".urdf") == NULL || lb_load(path, NULL, &model, NULL) != LB_OK)
            continue;
        visit_and_release(model, count++, visit);
    }
    closedir(folder);
    print_message("%d robots\n", count);
    assert_true(count > 0);
}
