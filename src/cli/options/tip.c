/*
 * tip.c - the tips that a model's user most likely means.
 */
#include "cli/options/tip.h"

#include "cli/output/report.h"

#include <stdlib.h>
#include <string.h>

/* What is known of each link. */
typedef struct link_facts {
    int moving;   /* joints between it and the root that move by themselves */
    int last;     /* the last of them, -1: none */
    int branches; /* children that have a moving joint at or below them */
    bool moves;   /* it or a link below it is moved by its own joint */
    double reach; /* metres from the root along the joints */
    double below; /* the same from here to the farthest link below */
} link_facts;

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

/* ---- by name -------------------------------------------------------------- */

/* the same letters, small or large */
static bool is_same(const char *name, const char *word)
{
    for (; *name != '\0' && *word != '\0'; name++, word++)
        if ((*name >= 'A' && *name <= 'Z' ? *name | 0x20 : *name) != *word)
            return false;
    return *name == *word;
}

/* the word, or anything and the word behind an underscore */
static bool is_called(const char *name, const char *word)
{
    size_t length = strlen(name), size = strlen(word);
    bool whole = length == size, behind = length > size && name[length - size - 1] == '_';
    return (whole || behind) && is_same(name + length - size, word);
}

/* links of a tool's name that something moves; none where there are more than anyone has tools */
static int find_tools(const lb_model *model, const link_facts *facts, int tips[TIP_ROOM])
{
    static const char *const words[] = {"tool0", "tcp",          "ee_link",
                                        "ee",    "end_effector", "end_effector_link"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        int count = 0;
        for (int i = 1; i < lb_model_link_count(model); i++) {
            if (facts[i].moving == 0 || !is_called(lb_model_link(model, i)->name, words[w]))
                continue;
            if (count < TIP_ROOM)
                tips[count] = i;
            count++;
        }
        if (count > 0 && count <= TIP_ROOM / 2)
            return count;
    }
    return 0;
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

/* adds an end that is moved by other joints than those before it */
static int add_end(const link_facts *facts, int end, int tips[TIP_ROOM], int count)
{
    for (int i = 0; i < count; i++)
        if (facts[tips[i]].last == facts[end].last)
            return count;
    if (count < TIP_ROOM)
        tips[count++] = end;
    return count;
}

static int find_ends(const lb_model *model, const link_facts *facts, int tips[TIP_ROOM])
{
    int leaves = lb_model_tips(model, NULL), first = 0, count = 0;
    int *ends = allocate_or_exit((size_t)leaves, sizeof *ends);
    lb_model_tips(model, ends);
    for (int i = 0; i < leaves; i++) {
        ends[i] = end_of_arm(model, facts, ends[i]);
        if (facts[ends[i]].moving > facts[ends[first]].moving)
            first = i;
    }

    // the first of those that most joints move, then all that are moved by half as many
    tips[count++] = ends[first];
    for (int i = 0; i < leaves; i++)
        if (2 * facts[ends[i]].moving >= facts[ends[first]].moving && facts[ends[i]].moving > 0)
            count = add_end(facts, ends[i], tips, count);
    free(ends);
    return count;
}

int tip_choices(const lb_model *model, int tips[TIP_ROOM])
{
    link_facts *facts = allocate_or_exit((size_t)lb_model_link_count(model), sizeof *facts);
    gather_down(model, facts);
    gather_up(model, facts);
    int count = find_tools(model, facts, tips);
    if (count == 0)
        count = find_ends(model, facts, tips);
    free(facts);
    return count;
}
