/*
 * fuzz_contacts.c - files of contacts: refused with a message, or in order, written and read back
 * with equal points and spans. The ground under them has a normal, and a clip's own contacts of
 * the same points are within its time.
 */
#include "checks.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

/* what an editor would do next */
static void edit(lb_contacts *contacts, int point)
{
    int count;
    lb_error error;
    const lb_contact_span *spans = lb_contacts_spans(contacts, point, &count);
    if (count == 0)
        return;
    double begin = spans[0].begin, end = spans[count - 1].end;
    lb_contacts_cut(contacts, point, begin, begin + (end - begin) / 3, &error);
    fuzz_check_spans(contacts, point);
    lb_contacts_add(contacts, point, begin, end, &error);
    fuzz_check_spans(contacts, point);
    lb_contacts_shift(contacts, end, &error);
    fuzz_check_spans(contacts, point);
}

/* a figure that goes up and on for two seconds */
static lb_clip *make_clip(const lb_model *model)
{
    enum { MOST_NQ = 256, KEYS = 5 };
    double times[KEYS], keys[KEYS * MOST_NQ];
    size_t nq = (size_t)lb_model_nq(model);
    lb_clip *clip = NULL;
    FUZZ_CHECK(nq <= MOST_NQ);
    for (int i = 0; i < KEYS; i++) {
        times[i] = 0.5 * i;
        lb_configuration_neutral(model, &keys[(size_t)i * nq]);
        // the root: it stands for every other half second
        keys[(size_t)i * nq] += (i + 1) / 2;
        keys[(size_t)i * nq + 2] += 0.1 * ((i + 1) / 2);
    }
    lb_error error;
    FUZZ_CHECK(lb_clip_create(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR, NULL, &clip,
                              &error) == LB_OK);
    return clip;
}

static void check_on_clip(lb_contacts *contacts, const lb_clip *clip)
{
    lb_vec3 normal;
    lb_error error;
    if (lb_contacts_find_ground(contacts, clip, &normal, &error) == LB_OK)
        FUZZ_CHECK(fabs(lb_vec3_length(normal) - 1) < 1e-12 && normal.z >= 0.5 - 1e-12);
    if (lb_contacts_detect(contacts, clip, NULL, &error) != LB_OK)
        return;
    for (int i = 0; i < lb_contacts_count(contacts); i++) {
        int count;
        const lb_contact_span *spans = lb_contacts_spans(contacts, i, &count);
        fuzz_check_spans(contacts, i);
        FUZZ_CHECK(count == 0 || (spans[0].begin >= 0 && spans[count - 1].end <= 2));
    }
}

/* what all inputs have in common */
static lb_clip *common_clip(void)
{
    static lb_clip *clip;
    if (clip == NULL)
        clip = make_clip(fuzz_figure());
    return clip;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_contacts *contacts = NULL;
    lb_error error = {0};
    const lb_clip *clip = common_clip();
    const lb_model *model = lb_clip_model(clip);
    lb_status status = lb_contacts_load_memory("contacts.json", (const char *)data, size, model,
                                               NULL, &contacts, &error);
    FUZZ_CHECK((status == LB_OK) == (contacts != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (contacts != NULL) {
        fuzz_check_contacts(contacts, model);
        for (int i = 0; i < lb_contacts_count(contacts); i++)
            edit(contacts, i);
        check_on_clip(contacts, clip);
    }
    lb_contacts_release(contacts);
    return 0;
}
