/*
 * test_cli_motions.c - the built-in motion by its name, in every command that takes a motion.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_program.h"

static void assert_says(const char *text)
{
    if (strstr(program.out, text) == NULL)
        fail_msg("'%s' is not in: %s", text, program.out);
}

static void it_is_listed_and_described(void **state)
{
    (void)state;
    program_must("models");
    assert_says("walk");
    program_must("models --sources");
    assert_says("lb_gait_walk");
    program_must("info walk");
    assert_says("motion: 289 keys, 60 a second, together 4.8 s");
    program_must("info walk --json");
    assert_says("\"motion\":{\"keys\":289,");
}

/* by what it was made with, and as anybody's motion that is read from a file */
static void nothing_is_wrong_with_it(void **state)
{
    (void)state;
    program_must("check walk");
    assert_says("289 frames");
    program_must("convert walk --as motion --output walk.json");
    program_run("check walk.json --model human --json");
    const char *slide = strstr(program.out, "\"slide\"");
    assert_non_null(slide);
    const char *worst = strstr(slide, "\"worst\": ");
    assert_non_null(worst);
    assert_true(strtod(worst + strlen("\"worst\": "), NULL) < 1e-3);
    unlink("walk.json");
}

static void it_is_converted_and_retargeted(void **state)
{
    (void)state;
    program_must("convert walk --output walk.csv");
    program_must("convert walk --output walk.bvh");
    program_must("info walk.bvh");
    assert_says("289 frames");
    program_must("retarget walk --to human --output again.csv --write-contacts contacts.json");
    program_must("check again.csv --model human --contacts contacts.json");
    unlink("walk.csv");
    unlink("walk.bvh");
    unlink("again.csv");
    unlink("contacts.json");
}

/* a file that is called so is what is read; a folder is not */
static void a_file_of_its_name_wins(void **state)
{
    (void)state;
    program_must("convert planar2 --output walk.json");
    assert_int_equal(rename("walk.json", "walk"), 0);
    program_must("info walk");
    assert_says("planar2");
    unlink("walk");
    assert_int_equal(program_shell("mkdir walk && limber info walk && rmdir walk"), 0);
    assert_says("289 keys");
}

static void what_has_no_effect_is_refused(void **state)
{
    (void)state;
    program_refuses("info walk --unit cm", "--unit has no effect with a built-in motion");
    program_refuses("info walk --root fixed", "does not move freely");
    program_refuses("check walk --model human --contacts nowhere.json", "nowhere.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_listed_and_described),
        cmocka_unit_test(nothing_is_wrong_with_it),
        cmocka_unit_test(it_is_converted_and_retargeted),
        cmocka_unit_test(a_file_of_its_name_wins),
        cmocka_unit_test(what_has_no_effect_is_refused),
    };
    return cmocka_run_group_tests(tests, program_start, program_stop);
}
