/*
 * draw.c - limber draw: a figure of one pose or several, or of a motion.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/maps.h"
#include "cli/work/solve.h"

#include <jansson.h>
#include <limber/figures/draw_reach.h>
#include <stdlib.h>
#include <string.h>

static text_option output_given;
static int tree_wanted, all_wanted, collision_wanted, ellipse_wanted;

/* How ellipsoids are drawn. */
typedef struct ellipse_look {
    double damping; /* 0: undamped alone */
} ellipse_look;

static const struct poptOption ellipse_options[] = {
    OPTION_FIELD("damping", FIELD_POSITIVE, ellipse_look, damping, "METRES",
                 "with --ellipse: also what damped least squares leaves of it, dashed"),
    OPTION_END,
};

static const struct poptOption solutions_options[] = {
    OPTION_SET("out-of-limits", lb_solutions_options, out_of_limits,
               "with --all: also solutions that break limits"),
    OPTION_COUNT("redundancy", lb_solutions_options, redundancy, 1, LB_SOLUTIONS_REDUNDANCY_MAX,
                 "N", "with --all, of redundant arms: values of the redundant joint; default: 16"),
    OPTION_END,
};

/* how strongly the first of several poses is drawn; the last one is drawn in full */
static const double faintest = 0.25;

/* an MJCF plane is a box of so many metres: beside it no robot is to be seen */
static const double ground_size = 100;

/* makes links look like what they collide with; returns how many shapes are meshes */
static int show_collisions(lb_link *links, int count)
{
    size_t all = 0;
    int meshes = 0;
    for (int i = 0; i < count; i++)
        all += (size_t)links[i].collision_count;
    lb_geometry *next = allocate_or_exit(all, sizeof *next);
    for (int i = 0; i < count; i++) {
        links[i].visuals = next;
        for (int k = 0; k < links[i].collision_count; k++) {
            const lb_geometry *shape = &links[i].collisions[k];
            meshes += shape->shape == LB_SHAPE_MESH;
            if (shape->shape == LB_SHAPE_MESH || shape->size.x < ground_size)
                *next++ = *shape;
        }
        links[i].visual_count = (int)(next - links[i].visuals);
    }
    return meshes;
}

/* the model as it collides */
static lb_model *model_of_collisions(const char *name, const lb_model *model)
{
    int count = lb_model_link_count(model), joint_count = lb_model_joint_count(model);
    lb_link *links = allocate_or_exit((size_t)count, sizeof *links);
    lb_joint *joints = allocate_or_exit((size_t)joint_count, sizeof *joints);
    lb_model *made = NULL;
    for (int i = 0; i < count; i++)
        links[i] = *lb_model_link(model, i);
    for (int j = 0; j < joint_count; j++)
        joints[j] = *lb_model_joint(model, j);
    int meshes = show_collisions(links, count);
    lb_model_source source = {.name = lb_model_name(model),
                              .root = lb_model_root(model),
                              .links = links,
                              .link_count = count,
                              .joints = joints,
                              .joint_count = joint_count,
                              .loops = lb_model_loop(model, 0),
                              .loop_count = lb_model_loop_count(model)};
    require(lb_model_build(&source, &program_memory, &made, why()));
    if (meshes > 0)
        remark("%s: --collision does not draw its %d meshes", name, meshes);
    return made;
}

/*
 * The velocity ellipsoids of the tip in the poses, each followed by the damped one if that is
 * wanted. `*count` is how many.
 */
static lb_ellipsoid *find_ellipsoids(const lb_model *model, const lb_drawing *drawing, int *count)
{
    ellipse_look look = {0};
    if (lb_model_loop_count(model) > 0)
        refuse("--ellipse: it is drawn of trees alone, and %s has loops", lb_model_name(model));
    options_read(ellipse_options, &look);
    lb_task task = select_given_task(model, LB_TASK_POSITION);
    lb_ellipsoid *found = allocate_or_exit(2 * (size_t)drawing->pose_count, sizeof *found);
    lb_state *state = state_or_exit(model);
    const lb_vec3 origin = {0, 0, 0};
    *count = 0;
    for (int i = 0; i < drawing->pose_count; i++) {
        lb_state_update(state, drawing->poses[i].q);
        lb_state_velocity_ellipsoid(state, task.tip, origin, 0, &found[(*count)++]);
        if (look.damping > 0)
            lb_state_velocity_ellipsoid(state, task.tip, origin, look.damping, &found[(*count)++]);
    }
    select_remark();
    if (lb_vec3_length(found->axes[0]) == 0)
        remark("--ellipse: no joint moves %s: its ellipsoid is a point",
               lb_model_link(model, task.tip)->name);
    return found;
}

static void draw_poses(const lb_model *model, const pose_list *given, lb_drawing *drawing,
                       const char *path)
{
    int shown = figure_shown(given->count);
    lb_drawing_pose *poses = allocate_or_exit((size_t)shown, sizeof *poses);
    for (int i = 0; i < shown; i++) {
        size_t which = (size_t)figure_pick(given->count, i);
        poses[i].q = given->q + which * (size_t)lb_model_nq(model);
        poses[i].strength = shown == 1 ? 1 : faintest + (1 - faintest) * i / (shown - 1);
    }
    if (shown < given->count)
        remark("%d of %d poses are drawn, evenly spaced", shown, given->count);
    drawing->poses = poses;
    drawing->pose_count = shown;
    if (ellipse_wanted)
        drawing->ellipsoids = find_ellipsoids(model, drawing, &drawing->ellipsoid_count);
    figure_draw(model, drawing, path);
}

/* the pose, and as ghosts all others that have the tip in the same place */
static void draw_all(const lb_model *model, const pose_list *given, lb_drawing *drawing,
                     const char *path)
{
    lb_solutions_options wanted = lb_solutions_options_default();
    if (given->count != 1)
        refuse("--all: one pose is wanted, there are %d", given->count);
    options_read(solutions_options, &wanted);
    lb_task task = select_given_task(model, LB_TASK_POSE);
    lb_state *state = state_or_exit(model);
    lb_state_update(state, given->q);
    lb_mobility mobility = lb_task_mobility(state, &task, NULL);
    // of arms too simple for any pose the tip's place alone
    if (mobility.velocities < mobility.constraints)
        task.kind = LB_TASK_POSITION;
    lb_transform place = lb_state_transform(state, task.base, task.tip);
    target_list target = {.targets = &place, .count = 1, .kind = task.kind};
    solutions_draw(model, &task, &target, given, solutions_options, &wanted, drawing, path);
    select_remark();
}

/* ---- maps --------------------------------------------------------------- */

static text_option slice_given, shell_given;
static name_option field_given = {
    .names = (const char *const[]){"reached", "solutions", "manipulability", "limit_margin", NULL}};
/* the same in their order, and what the scale of colours says */
static const struct {
    map_field field;
    const char *says;
} drawn[] = {{MAP_REACHED, "orientations reached"},
             {MAP_SOLUTIONS, "solutions of all orientations"},
             {MAP_MANIPULABILITY, "largest manipulability"},
             {MAP_LIMIT_MARGIN, "largest margin to the limits"}};

static const struct poptOption map_options[] = {
    OPTION_TEXT("slice", slice_given, "AXIS=METRES",
                "of a map: one slice across x, y or z there; default: two through the first joint"),
    OPTION_TEXT("shell", shell_given, "LEAST",
                "of a map: the cells of at least that number (of reached: a share of 1) as a body, "
                "cut open"),
    OPTION_NAME("field", field_given, "NAME",
                "of a map: reached, solutions, manipulability or limit_margin, if it has that; "
                "default: reached"),
    OPTION_END,
};

/* "y=0.1" */
static void read_slice(const char *text, lb_reach_drawing *drawing)
{
    static const char axes[] = "xyz";
    const char *axis = strchr(axes, text[0]);
    if (text[0] == '\0' || axis == NULL || text[1] != '=')
        refuse("--slice: \"%s\" is not AXIS=METRES, as in y=0.1", text);
    drawing->view = LB_REACH_SLICE;
    drawing->axis = (int)(axis - axes);
    drawing->at = argument_number("--slice", text + 2, 0);
}

static lb_reach_drawing read_map_options(const lb_drawing *given)
{
    const char *slice = option_text(slice_given), *shell = option_text(shell_given);
    lb_reach_drawing drawing = lb_reach_drawing_default();
    drawing.title = given->title;
    drawing.azimuth = given->azimuth;
    drawing.elevation = given->elevation;
    if (slice != NULL && shell != NULL)
        refuse("--slice and --shell cannot both be given");
    if (shell != NULL)
        drawing.view = LB_REACH_SHELL;
    if (slice != NULL)
        read_slice(slice, &drawing);
    drawing.least = argument_number("--shell", shell, drawing.least);
    return drawing;
}

static double *list_values(const map_file *map, map_field field)
{
    double *values = allocate_or_exit(map_file_cells(map), sizeof *values);
    double unit = field == MAP_REACHED ? map->grid.orientations : 1;
    for (size_t i = 0; i < map_file_cells(map); i++)
        values[i] = !map_file_is_decided(map, i) ? -1
                    : map_file_value(map, i, MAP_REACHED) == 0
                        ? NAN
                        : map_file_value(map, i, field) / unit;
    return values;
}

/* "panda: what panda_hand reaches, seen from panda_link0", in the texts of the map's description */
static void title_map(const map_file *map, char *title, size_t size)
{
    const char *model = "", *tip = "", *base = "";
    json_t *root = json_loadb(map->description, map->size, 0, NULL);
    json_unpack(root, "{s?s, s?s, s?s}", "model", &model, "tip", &tip, "base", &base);
    snprintf(title, size,
             map->inverse ? "%s: where %s can stand, seen from %s"
                          : "%s: what %s reaches, seen from %s",
             model, map->inverse ? base : tip, map->inverse ? tip : base);
    json_decref(root);
}

/* a map has no poses, and slices have a size and a view of their own */
static void draw_map(const char *name, const char *path)
{
    char title[256];
    map_file map;
    if (tree_wanted || all_wanted || collision_wanted || ellipse_wanted)
        refuse("%s has no effect on a map", tree_wanted      ? "--tree"
                                            : all_wanted     ? "--all"
                                            : ellipse_wanted ? "--ellipse"
                                                             : "--collision");
    option_none_given(pose_options, "on a map");
    option_none_given(size_options, "on a map");
    lb_drawing given = figure_given(path);
    lb_reach_drawing drawing = read_map_options(&given);
    int which = argument_name("--field", &field_given, 0);
    require(map_file_read((const char *const[]){name}, 1, &map, why()));
    if (!map_file_has(&map, drawn[which].field))
        refuse("%s: the map has no %s; limber workspace --contents %s keeps it", name,
               field_given.names[which], field_given.names[which]);
    title_map(&map, title, sizeof title);
    drawing.grid = map.grid;
    drawing.quantity = drawn[which].says;
    drawing.share = drawn[which].field == MAP_REACHED;
    if (drawing.title == NULL)
        drawing.title = title;
    drawing.values = list_values(&map, drawn[which].field);
    require(lb_draw_reach(&drawing, path, why()));
    map_file_release(&map);
}

/* ---- the command -------------------------------------------------------- */

/* of two options, or of an option and a motion, that each say what is drawn, one is too many */
static void check_subject(bool moves)
{
    const char *subject = moves ? "a motion" : tree_wanted ? "--tree" : NULL;
    const char *other = all_wanted              ? "--all"
                        : moves && tree_wanted  ? "--tree"
                        : collision_wanted != 0 ? "--collision"
                        : ellipse_wanted != 0   ? "--ellipse"
                                                : NULL;
    if (subject != NULL && other != NULL)
        refuse("%s cannot be given with %s", other, subject);
}

/* options without effect on what is drawn of a model: its poses, all solutions of one, its tree */
static void check_effects(void)
{
    const struct {
        bool used;
        const struct poptOption *table;
        const char *where;
    } rows[] = {{false, motion_options, "without --motion FILE"},
                {false, capture_options, "without a motion: --frames N"},
                {all_wanted || ellipse_wanted, link_options, "without --all or --ellipse"},
                {all_wanted, solutions_options, "without --all"},
                {ellipse_wanted, ellipse_options, "without --ellipse"},
                {!tree_wanted, pose_options, "with --tree"},
                {!tree_wanted, size_options, "with --tree"},
                {!tree_wanted, view_options, "with --tree"}};
    if (all_wanted && ellipse_wanted)
        refuse("--ellipse cannot be given with --all");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].used)
            option_none_given(rows[i].table, rows[i].where);
}

/* a pose whose loops do not close is no bad input */
static int draw_model(const char *name, const char *path)
{
    lb_drawing drawing = figure_given(path);
    const lb_model *model = select_model(name);
    if (collision_wanted)
        model = model_of_collisions(name, model);
    pose_list poses = poses_given(model);
    if (!loops_close_all(model, &poses, true))
        return EXIT_UNREACHED;
    if (tree_wanted)
        require(lb_draw_tree(model, drawing.title, path, why()));
    else
        (all_wanted ? draw_all : draw_poses)(model, &poses, &drawing, path);
    return EXIT_DONE;
}

static int run(const char *const *operands)
{
    const char *name = operands[0], *path = option_text(output_given);
    if (path == NULL)
        refuse("--output is missing: the figure's file, ending in .svg, .png or .pdf");
    bool moves = strip_wanted(name);
    if (!moves && map_file_is_array(name)) {
        draw_map(name, path);
        return EXIT_DONE;
    }
    option_none_given(map_options, "unless a map is drawn");
    check_subject(moves);
    if (!moves) {
        check_effects();
        return draw_model(name, path);
    }
    option_none_given(pose_options, "with a motion");
    strip_draw(name, path);
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_FLAG("tree", tree_wanted, "draw the tree of links and joints instead"),
    OPTION_TABLE(pose_options),
    OPTION_FLAG("all", all_wanted,
                "also draw every other configuration with the tip in this place, as ghosts"),
    OPTION_TABLE(solutions_options),
    OPTION_FLAG("ellipse", ellipse_wanted,
                "also draw the velocities that the tip has while the squares of the joints' "
                "velocities sum to 1"),
    OPTION_TABLE(ellipse_options),
    OPTION_TABLE(link_options),
    OPTION_FLAG("collision", collision_wanted,
                "draw the shapes with which links collide in place of their visuals; not meshes, "
                "nor the ground of an MJCF"),
    OPTION_TABLE(strip_options),
    OPTION_TABLE(map_options),
    OPTION_TEXT("output", output_given, "FIGURE",
                "the file; its ending (.svg, .png or .pdf) selects the format"),
    OPTION_TABLE(figure_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"the Panda at rest", "limber draw panda --output panda.svg"},
    {"an arm bent by degrees, as a picture of 1200 by 900 pixels",
     "limber draw planar3 --at \"joint_1=30 joint_2=45 joint_3=45\" --degrees \\\n"
     "        --size \"1200 900\" --output arm.png"},
    {"the shapes that the Panda collides with",
     "limber draw panda --collision --output shapes.svg"},
    {"three poses in one figure, the last in full",
     "printf 'shoulder,elbow\\n0,0\\n0.4,0.3\\n0.8,0.6\\n' |\n"
     "        limber draw planar2 --poses - --output poses.pdf"},
    {"the eight configurations of an arm with the tool in one place",
     "limber draw ur5 --all --output all.svg"},
    {"how fast the tip can move in each direction, and what damping leaves of it",
     "limber draw planar3 --at \"joint_1=20 joint_2=60 joint_3=40\" --degrees \\\n"
     "        --ellipse --damping 3 --output ellipse.svg"},
    {"a walk, side by side, with the times at which feet rest",
     "limber draw walk --output walk.svg"},
    {"two steps of it in one picture, with the path of a toe",
     "limber draw walk --overlay --frames 5 --end 1.2 --path left_toe \\\n"
     "        --output walk.png"},
    {"a motion above its retargeted copy, at equal times",
     "limber retarget walk --to human --output again.csv &&\n"
     "        limber draw walk --below human --below-motion again.csv \\\n"
     "        --output both.svg"},
    {"a cycle of the walk as a picture that moves",
     "limber draw walk --animate --begin 1.2 --end 2.4 --output moving.svg"},
    {"which link hangs from which, and by what kind of joint",
     "limber draw panda --tree --output tree.svg"},
    {"what a UR5 reaches, in two slices and as a body cut open",
     "limber workspace ur5 --grid 0.15 --orientations 72 --output drawn.npy &&\n"
     "    limber draw drawn.npy --output slices.svg &&\n"
     "    limber draw drawn.npy --shell 0.5 --output shell.svg"},
    {NULL, NULL},
};

const command command_draw = {
    COMMAND(draw),
    .synopsis = "MODEL [--at \"JOINT=VALUE ...\" | --poses IN.csv | --tree]\n"
                "--output FIGURE.(svg|png|pdf) [OPTION ...]\n"
                "CLIP [--overlay | --animate] --output FIGURE [OPTION ...]\n"
                "MAP.npy [--slice AXIS=METRES | --shell LEAST] --output FIGURE",
    .summary = "draw a model in one pose or several, a motion, or a map",
    .details = "Of many poses 24 are drawn, evenly spaced, from faint to full.\n\n"
               "--all draws a pose in full and every other solution for its tip as a ghost,\n"
               "labelled by branch, for the arms whose solutions limber ik --all lists.\n\n"
               "--ellipse draws the velocity ellipsoid, of planar arms an ellipse. Its semi-axes\n"
               "are as long as the singular values of the Jacobian of the tip's place; it is\n"
               "flat where the arm is singular. Those of several poses have one scale.\n\n"
               "A map of limber workspace --grid is drawn in slices, coloured by the share of\n"
               "orientations that are reached, with lines at a quarter, half and three quarters\n"
               "and a cross at the base; or with --shell as a body, a quarter of it cut out.\n\n"
               "With --frames the motion of MODEL is drawn, that of a capture (.bvh, .glb, a\n"
               "built-in name) or of --motion: moments side by side on one axis of time, or with\n"
               "--overlay in one picture. It is seen from the side unless it stays in its place.\n"
               "Dots mark points at rest on the ground, bars the times of rest. The ground has\n"
               "the slope on which the contacts of --contacts rest, or that of --ground-normal.\n"
               "--degrees is for --view, --at and --poses; a table of motion in degrees needs\n"
               "--source-degrees.\n\n"
               "--animate writes an SVG that moves, over and over, from --begin to --end.",
    .operands = 1,
};
