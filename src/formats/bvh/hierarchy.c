/*
 * hierarchy.c - the HIERARCHY of a BVH file: joints, offsets and channel lists.
 *
 * A flat loop over words with the open joint as its state: no recursion, however deep it goes.
 * Arrays grow with what is there, never by a count that the file states.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* What is being read. */
typedef struct reading {
    lb_bvh *bvh;
    text_scan *scan;
    lb_error *error;
    int open; /* the joint between whose braces the scan is, -1: none */
    size_t joint_room, channel_room;
    size_t name_size;
} reading;

/* ---- arrays that grow --------------------------------------------------- */

static bvh_joint *add_joint(reading *r)
{
    size_t count = (size_t)r->bvh->joint_count;
    bvh_joint *made = memory_grow(&r->bvh->allocator, r->bvh->joints, count, &r->joint_room,
                                  count + 1, sizeof *made);
    if (made == NULL)
        return NULL;
    r->bvh->joints = made;
    made = &r->bvh->joints[r->bvh->joint_count++];
    *made = (bvh_joint){.parent = r->open, .channel = r->bvh->channels, .q = -1};
    made->depth = r->open >= 0 ? r->bvh->joints[r->open].depth + 1 : 0;
    return made;
}

static bool add_channel(reading *r, lb_bvh_channel kind)
{
    size_t count = (size_t)r->bvh->channels;
    unsigned char *kinds =
        memory_grow(&r->bvh->allocator, r->bvh->kinds, count, &r->channel_room, count + 1, 1);
    if (kinds == NULL)
        return false;
    r->bvh->kinds = kinds;
    r->bvh->kinds[r->bvh->channels++] = (unsigned char)kind;
    return true;
}

/* ---- messages ----------------------------------------------------------- */

/* the open joint in words, for the beginning of a message */
static const char *open_name(const reading *r, char text[TEXT_SHOWN])
{
    const bvh_joint *joint = &r->bvh->joints[r->open];
    text_word word = {joint->name, joint->name_size, joint->line};
    return text_word_show(word, text);
}

/* what is not a number where one is wanted */
static lb_status refuse_number(const reading *r, text_word word, const char *fault,
                               const char *what)
{
    char name[TEXT_SHOWN], text[TEXT_SHOWN];
    return lb_error_set(r->error, LB_SYNTAX_ERROR, word.line, "joint '%s': %s: '%s' %s",
                        open_name(r, name), what, text_word_show(word, text), fault);
}

/* ---- joints ------------------------------------------------------------- */

static lb_status open_joint(reading *r, text_word keyword)
{
    char text[TEXT_SHOWN];
    bool is_end = text_word_is(keyword, "end"), is_root = text_word_is(keyword, "root");
    const bvh_joint *parent = r->open >= 0 ? &r->bvh->joints[r->open] : NULL;
    if (is_root != (parent == NULL) || (parent != NULL && parent->is_end))
        return lb_error_set(r->error, LB_SYNTAX_ERROR, keyword.line,
                            "%s %s; a ROOT has JOINTs, and these have JOINTs and End Sites",
                            text_word_show(keyword, text),
                            parent == NULL   ? "is outside of any ROOT"
                            : parent->is_end ? "is inside of an End Site"
                                             : "is inside of another joint");
    text_word name = text_scan_rest(r->scan);
    if (name.size == 0)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, keyword.line,
                            "the %s has no name; write it behind the word on the same line",
                            text_word_show(keyword, text));
    text_word brace = text_scan_word(r->scan);
    if (!text_word_is(brace, "{"))
        return lb_error_set(r->error, LB_SYNTAX_ERROR, brace.line, "'{' is wanted, not '%s'",
                            text_word_show(brace, text));
    bvh_joint *made = add_joint(r);
    TRY(require_memory(r->error, made));
    // the text's own bytes until all names are known
    if (is_end)
        name = (text_word){r->bvh->joints[r->open].name, r->bvh->joints[r->open].name_size, 0};
    made->name = name.text;
    made->name_size = name.size;
    made->is_end = is_end;
    made->line = keyword.line;
    r->name_size += name.size;
    r->open = r->bvh->joint_count - 1;
    return LB_OK;
}

static lb_status close_joint(reading *r, int line)
{
    char text[TEXT_SHOWN];
    if (r->open < 0)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, line, "a '}' closes no joint; remove it");
    const bvh_joint *joint = &r->bvh->joints[r->open];
    if (!joint->placed)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, line, "%s '%s' has no OFFSET",
                            joint->is_end ? "the End Site of" : "joint", open_name(r, text));
    r->open = joint->parent;
    return LB_OK;
}

static lb_status read_offset(reading *r, int line)
{
    char text[TEXT_SHOWN];
    double numbers[3];
    bvh_joint *joint = &r->bvh->joints[r->open];
    if (joint->placed)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, line, "joint '%s' has two OFFSETs",
                            open_name(r, text));
    for (int i = 0; i < 3; i++) {
        text_word word = text_scan_word(r->scan);
        const char *fault = text_word_number(word, &numbers[i]);
        if (fault == NULL && fabs(numbers[i]) > LB_LENGTH_MAX)
            fault = "is beyond 1e15";
        if (fault != NULL)
            return refuse_number(r, word, fault, "OFFSET");
    }
    joint->offset = lb_vec3_make(numbers[0], numbers[1], numbers[2]);
    joint->placed = true;
    return LB_OK;
}

/* ---- channels ----------------------------------------------------------- */

/* LB_BVH_CHANNEL_COUNT for what is none */
static lb_bvh_channel find_channel(text_word word)
{
    static const char *const names[] = {"xposition", "yposition", "zposition",
                                        "xrotation", "yrotation", "zrotation"};
    for (int i = 0; i < LB_BVH_CHANNEL_COUNT; i++)
        if (text_word_is(word, names[i]))
            return (lb_bvh_channel)i;
    return LB_BVH_CHANNEL_COUNT;
}

static lb_status read_channel(reading *r, double stated)
{
    char name[TEXT_SHOWN], text[TEXT_SHOWN];
    bvh_joint *joint = &r->bvh->joints[r->open];
    text_word word = text_scan_word(r->scan);
    lb_bvh_channel kind = find_channel(word);
    if (kind == LB_BVH_CHANNEL_COUNT)
        return lb_error_set(
            r->error, LB_SYNTAX_ERROR, word.line,
            "joint '%s': CHANNELS states %.0f, but after %d there is '%s', which is "
            "no channel; correct the count or the list",
            open_name(r, name), stated, joint->channels, text_word_show(word, text));
    for (int i = 0; kind <= LB_BVH_Z_POSITION && i < joint->channels; i++)
        if (r->bvh->kinds[joint->channel + i] == kind)
            return lb_error_set(r->error, LB_SYNTAX_ERROR, word.line,
                                "joint '%s': the channel %s is listed twice", open_name(r, name),
                                lb_bvh_channel_text(kind));
    TRY(require_memory(r->error, add_channel(r, kind)));
    joint->channels++;
    return LB_OK;
}

/* more channels than any rotation and position take, few enough that each list is short */
enum { MOST_CHANNELS = 64 };

static lb_status read_channels(reading *r, int line)
{
    char text[TEXT_SHOWN];
    double stated;
    bvh_joint *joint = &r->bvh->joints[r->open];
    text_word word = text_scan_word(r->scan);
    const char *fault = text_word_number(word, &stated);
    if (fault == NULL && (stated != floor(stated) || stated < 0 || stated > MOST_CHANNELS))
        fault = "is not a count from 0 to 64";
    if (fault != NULL)
        return refuse_number(r, word, fault, "CHANNELS");
    if (joint->channels > 0 || joint->is_end)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, line,
                            joint->is_end ? "the End Site of '%s' has CHANNELS; make it a JOINT"
                                          : "joint '%s' has two lists of CHANNELS",
                            open_name(r, text));
    joint->channel = r->bvh->channels;
    while (joint->channels < stated)
        TRY(read_channel(r, stated));
    return LB_OK;
}

/* ---- names -------------------------------------------------------------- */

/* copies the names out of the text; those of End Sites are their parents' */
static lb_status keep_names(reading *r)
{
    lb_bvh *bvh = r->bvh;
    bvh->names = memory_take(&bvh->allocator, r->name_size + (size_t)bvh->joint_count, 1);
    TRY(require_memory(r->error, bvh->names));
    char *at = bvh->names;
    for (int i = 0; i < bvh->joint_count; i++) {
        bvh_joint *joint = &bvh->joints[i];
        if (joint->is_end) {
            joint->name = bvh->joints[joint->parent].name;
            continue;
        }
        memcpy(at, joint->name, joint->name_size);
        joint->name = at;
        at += joint->name_size + 1;
    }
    return LB_OK;
}

/* ---- the hierarchy ------------------------------------------------------ */

/* one item between the braces of the open joint, or a ROOT */
static lb_status read_item(reading *r, text_word word)
{
    char text[TEXT_SHOWN];
    if (text_word_is(word, "root") || text_word_is(word, "joint") || text_word_is(word, "end"))
        return open_joint(r, word);
    if (text_word_is(word, "}"))
        return close_joint(r, word.line);
    if (r->open >= 0 && text_word_is(word, "offset"))
        return read_offset(r, word.line);
    if (r->open >= 0 && text_word_is(word, "channels"))
        return read_channels(r, word.line);
    if (word.size == 0)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, word.line,
                            "the file ends before its MOTION; it is not complete");
    return lb_error_set(r->error, LB_SYNTAX_ERROR, word.line, "'%s' is not known here; %s",
                        text_word_show(word, text),
                        r->open < 0 ? "a ROOT or MOTION is wanted"
                                    : "OFFSET, CHANNELS, JOINT, End Site or '}' is wanted");
}

lb_status bvh_read_hierarchy(lb_bvh *bvh, text_scan *scan, lb_error *error)
{
    char text[TEXT_SHOWN];
    reading r = {.bvh = bvh, .scan = scan, .error = error, .open = -1};
    text_word word = text_scan_word(scan);
    if (!text_word_is(word, "hierarchy"))
        return lb_error_set(error, LB_SYNTAX_ERROR, word.line,
                            "a BVH file begins with the word HIERARCHY, not '%s'",
                            text_word_show(word, text));
    for (word = text_scan_word(scan); !(r.open < 0 && text_word_is(word, "motion"));
         word = text_scan_word(scan)) {
        TRY(read_item(&r, word));
    }
    if (bvh->joint_count == 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, word.line, "there is no ROOT before MOTION");
    return keep_names(&r);
}
