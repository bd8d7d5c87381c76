/*
 * tips.c - the tips that a model's user most likely means.
 */
#include "base/memory.h"
#include "base/text.h"
#include "model/layout.h"

#include <limber/model.h>

#include <string.h>

/* What is known of each link. */
typedef struct link_facts {
    int moving;   /* joints between it and the root that move by themselves */
    int last;     /* the last of them, -1: none */
    int joints;   /* that meet at it, its own and those of children */
    int loops;    /* likewise */
    int branches; /* children that have a moving joint at or below them */
    bool moves;   /* it or a link below it is moved by its own joint */
    bool looks;   /* it or a link above it is called as a head is */
    double reach; /* metres from the root along the joints */
    double below; /* the same from here to the farthest link below */
} link_facts;

/* ---- by name -------------------------------------------------------------- */

/* a letter in lower case */

/* whether a name begins as a word does, small or large */
static bool begins_as(const char *name, const char *word)
{
    for (; *word != '\0'; name++, word++)
        if (letter_lowered(*name) != *word)
            return false;
    return true;
}

/* the word, or anything and the word behind an underscore */
static bool is_called(const char *name, const char *word)
{
    size_t length = strlen(name), size = strlen(word);
    bool whole = length == size, behind = length > size && name[length - size - 1] == '_';
    return (whole || behind) && begins_as(name + length - size, word);
}

/* has a part, by underscores, that begins as a head's name does */
static bool is_head(const char *name)
{
    for (const char *part = name; part != NULL; part = strchr(part, '_')) {
        part += *part == '_';
        if (begins_as(part, "head") || begins_as(part, "neck") || begins_as(part, "gaze"))
            return true;
    }
    return false;
}

/* ---- facts ------------------------------------------------------------------ */

static void gather_down(const lb_model *model, link_facts *facts)
{
    facts[0].last = -1;
    for (int i = 1; i < lb_model_link_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i - 1);
        const link_facts *parent = &facts[lb_model_parent(model, i)];
        bool moves = joint->kind != LB_JOINT_FIXED;
        bool own = moves && joint->mimic == NULL;
        facts[i].moving = parent->moving + own;
        facts[i].last = own ? i - 1 : parent->last;
        facts[i].moves = moves;
        facts[i].looks = parent->looks || is_head(lb_model_link(model, i)->name);
        facts[i].reach = parent->reach + lb_vec3_length(joint->placement.p);
    }
}

static void gather_up(const lb_model *model, link_facts *facts)
{
    // children have higher indices than their parents
    for (int i = lb_model_link_count(model) - 1; i > 0; i--) {
        link_facts *parent = &facts[lb_model_parent(model, i)];
        double below = facts[i].below + facts[i].reach - parent->reach;
        parent->branches += facts[i].moves;
        parent->moves = parent->moves || facts[i].moves;
        parent->below = fmax(parent->below, below);
    }
}

/* ---- tools ------------------------------------------------------------------ */

/* links of a tool's name that something moves; none where there are more than anyone has tools */
static int find_tools(const lb_model *model, const link_facts *facts, int tips[LB_DEFAULT_TIPS])
{
    static const char *const words[] = {"tool0", "tcp",          "ee_link",
                                        "ee",    "end_effector", "end_effector_link"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        int count = 0;
        for (int i = 1; i < lb_model_link_count(model); i++) {
            if (facts[i].moving == 0 || !is_called(lb_model_link(model, i)->name, words[w]))
                continue;
            if (count < LB_DEFAULT_TIPS)
                tips[count] = i;
            count++;
        }
        if (count > 0 && count <= LB_DEFAULT_TIPS / 2)
            return count;
    }
    return 0;
}

/* ---- by the loops --------------------------------------------------------- */

/* how many joints and loops meet at each link that something moves; whether a link that moves has
   neither child nor loop */
static bool count_meetings(const lb_model *model, link_facts *facts)
{
    bool free = false;
    for (int i = 0; i < model->loop_count; i++)
        if (model->loops[i].kind != LB_LOOP_COUPLING) {
            facts[model->loop_layouts[i].first].loops++;
            facts[model->loop_layouts[i].second].loops++;
        }
    for (int i = 1; i < lb_model_link_count(model); i++) {
        bool leaf = lb_model_first_child(model, i) < 0;
        free = free || (leaf && facts[i].loops == 0 && facts[i].moving > 0);
        if (lb_model_joint(model, i - 1)->kind != LB_JOINT_FIXED) {
            facts[i].joints++;
            facts[lb_model_parent(model, i)].joints++;
        }
    }
    return free;
}

/*
 * The platform of a parallel robot: the one link that more joints and loops meet at than at any
 * other, three at least; LB_NO_LINK: there is none.
 */
static int find_platform(const lb_model *model, const link_facts *facts)
{
    int most = 2, found = LB_NO_LINK;
    for (int i = 1; i < lb_model_link_count(model); i++) {
        int meeting = facts[i].joints + facts[i].loops;
        if (meeting > most)
            found = i;
        else if (meeting == most)
            found = LB_NO_LINK;
        most = meeting > most ? meeting : most;
    }
    return found;
}

/* ---- by the tree ---------------------------------------------------------- */

/* the end of the arm that a leaf belongs to: itself, or the link that carries it as a finger */
static int end_of_arm(const lb_model *model, const link_facts *facts, int leaf)
{
    int end = leaf;
    for (int i = leaf; i > 0; i = lb_model_parent(model, i))
        if (facts[i].branches > 1 && facts[i].moving > 0 && 3 * facts[i].below <= facts[i].reach)
            end = i;
    return end;
}

/* whether a leaf is attached to an arm before the arm's last link */
static bool is_on_the_way(const link_facts *facts, int end)
{
    return facts[end].branches == 0 && facts[end].last >= 0 &&
           facts[facts[end].last + 1].branches > 0;
}

/* adds an end that is moved by other joints than those before it */
static int add_end(const link_facts *facts, int end, int *tips, int count)
{
    for (int i = 0; i < count; i++)
        if (facts[tips[i]].last == facts[end].last)
            return count;
    tips[count] = end;
    return count + 1;
}

/* the leaves that are ends; those that loops hold are none where others are free */
static int find_leaves(const lb_model *model, const link_facts *facts, bool free, int *leaves)
{
    int all = lb_model_tips(model, leaves), count = 0;
    for (int i = 0; i < all; i++)
        if (!free || facts[leaves[i]].loops == 0)
            leaves[count++] = leaves[i];
    return count;
}

/* the first of those that most joints move, then all that are moved by such a share of these; in
   `ends`, beside which there is room for as many */
static int find_ends(const lb_model *model, const link_facts *facts, bool free, double share,
                     int *ends)
{
    int *tips = ends + lb_model_link_count(model);
    int leaves = find_leaves(model, facts, free, ends), first = 0, count = 0;
    for (int i = 0; i < leaves; i++) {
        ends[i] = end_of_arm(model, facts, ends[i]);
        if (facts[ends[i]].moving > facts[ends[first]].moving)
            first = i;
    }

    tips[count++] = ends[first];
    for (int i = 0; i < leaves; i++)
        if (facts[ends[i]].moving >= share * facts[ends[first]].moving &&
            facts[ends[i]].moving > 0 && !facts[ends[i]].looks && !is_on_the_way(facts, ends[i]))
            count = add_end(facts, ends[i], tips, count);
    memcpy(ends, tips, (size_t)count * sizeof *ends);
    return count;
}

lb_status model_find_ends(const lb_model *model, const lb_allocator *memory, int *ends, int *count)
{
    size_t links = (size_t)lb_model_link_count(model);
    link_facts *facts = memory_take(memory, links, sizeof *facts);
    if (facts != NULL) {
        gather_down(model, facts);
        gather_up(model, facts);
        *count = find_ends(model, facts, count_meetings(model, facts), 0, ends);
    }
    memory_release(memory, facts);
    return facts != NULL ? LB_OK : LB_OUT_OF_MEMORY;
}

lb_status lb_model_default_tips(const lb_model *model, const lb_allocator *allocator,
                                int tips[LB_DEFAULT_TIPS], int *count)
{
    if (model == NULL || tips == NULL || count == NULL)
        return LB_INVALID_ARGUMENT;
    lb_allocator memory = memory_allocator(allocator);
    size_t links = (size_t)lb_model_link_count(model);
    link_facts *facts = memory_take(&memory, links, sizeof *facts);
    int *ends = memory_take(&memory, 2 * links, sizeof *ends);
    *count = 0;
    if (facts && ends) {
        gather_down(model, facts);
        gather_up(model, facts);
        bool free = count_meetings(model, facts);
        *count = find_tools(model, facts, tips);
        if (*count == 0 && !free && (tips[0] = find_platform(model, facts)) != LB_NO_LINK)
            *count = 1;
        if (*count == 0) {
            *count = find_ends(model, facts, free, 0.5, ends);
            *count = *count < LB_DEFAULT_TIPS ? *count : LB_DEFAULT_TIPS;
            memcpy(tips, ends, (size_t)*count * sizeof *tips);
        }
    }
    memory_release(&memory, ends);
    memory_release(&memory, facts);
    return *count > 0 ? LB_OK : LB_OUT_OF_MEMORY;
}
