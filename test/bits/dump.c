/*
 * dump.c - writes embedded models as C, for machines without the libraries that read them.
 *
 *     dump MODEL... > models.c
 *
 * Numbers are written in hexadecimal, to the last bit; what is only looked at is left
 * out. The text defines `const lb_model_source bits_models[]`, ended by a nameless one.
 */
#include <limber/formats/load.h>
#include <stdio.h>

static void print_numbers(const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        const char *comma = i > 0 ? ", " : "";
        if (isinf(numbers[i]))
            printf("%s%sINFINITY", comma, numbers[i] < 0 ? "-" : "");
        else
            printf("%s%a", comma, numbers[i]);
    }
}

static void print_field(const char *name, const double *numbers, int count)
{
    printf("     .%s = %s", name, count > 1 ? "{" : "");
    print_numbers(numbers, count);
    printf("%s,\n", count > 1 ? "}" : "");
}

/* the four columns of a transform are each a struct of their own */
static void print_transform(const char *name, const lb_transform *t)
{
    const double *columns = &t->x.x;
    printf("     .%s = {", name);
    for (int i = 0; i < 4; i++) {
        printf("%s{", i > 0 ? ", " : "");
        print_numbers(columns + 3 * i, 3);
        printf("}");
    }
    printf("},\n");
}

static void print_joint(const lb_joint *joint)
{
    printf("    {.name = \"%s\", .parent = \"%s\", .child = \"%s\", .kind = %d, .locked = %d,\n",
           joint->name, joint->parent, joint->child, (int)joint->kind, joint->locked);
    print_transform("placement", &joint->placement);
    print_field("axis", &joint->axis.x, 3);
    print_field("axis2", &joint->axis2.x, 3);
    print_field("lower", joint->lower, 3);
    print_field("upper", joint->upper, 3);
    print_field("value", joint->value, LB_JOINT_MAX_NQ);
    if (joint->mimic)
        printf("     .mimic = \"%s\",\n", joint->mimic);
    const struct {
        const char *name;
        double value;
    } rest[] = {{"weight", joint->weight},
                {"multiplier", joint->multiplier},
                {"offset", joint->offset},
                {"velocity", joint->velocity},
                {"effort", joint->effort}};
    for (int i = 0; i < 5; i++)
        print_field(rest[i].name, &rest[i].value, 1);
    printf("    },\n");
}

static void print_link(const lb_link *link)
{
    printf("    {.name = \"%s\",\n", link->name);
    print_transform("data_offset", &link->data_offset);
    print_field("mass", &link->mass, 1);
    print_field("center", &link->center.x, 3);
    printf("    },\n");
}

/* the arrays that a model is made of */
static void print_parts(int number, const lb_model *model)
{
    printf("\nstatic const lb_link links_%d[] = {\n", number);
    for (int i = 0; i < lb_model_link_count(model); i++)
        print_link(lb_model_link(model, i));
    printf("};\n\nstatic const lb_joint joints_%d[] = {\n", number);
    for (int i = 0; i < lb_model_joint_count(model); i++)
        print_joint(lb_model_joint(model, i));
    printf("};\n");
}

/* the model's row in the table */
static void print_source(int number, const lb_model *model)
{
    printf("    {.name = \"%s\", .links = links_%d, .link_count = %d, .joints = joints_%d, "
           ".joint_count = %d,\n",
           lb_model_name(model), number, lb_model_link_count(model), number,
           lb_model_joint_count(model));
    lb_transform root = lb_model_root(model);
    print_transform("root", &root);
    printf("    },\n");
}

static bool print_each(int count, char **names, void (*print)(int number, const lb_model *model))
{
    for (int i = 1; i < count; i++) {
        lb_model *model;
        lb_error error;
        if (lb_load(names[i], NULL, &model, &error) != LB_OK) {
            fprintf(stderr, "dump: %s\n", error.message);
            return false;
        }
        print(i, model);
        lb_model_release(model);
    }
    return true;
}

int main(int count, char **names)
{
    printf("#include <limber/limber.h>\n");
    bool done = print_each(count, names, print_parts);
    printf("\nextern const lb_model_source bits_models[];\n"
           "const lb_model_source bits_models[] = {\n");
    done = print_each(count, names, print_source) && done;
    printf("    {.name = 0},\n};\n");
    return done ? 0 : 1;
}
