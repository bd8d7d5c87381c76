/*
 * describe_motion.c - what is in a file of motion, in words and as JSON.
 */
#include "cli/report/describe.h"

#include "cli/report/report.h"
#include "cli/report/results.h"

/* how something is known */
static const char *origin(bool recognised, bool given, const char *how)
{
    return recognised ? how : given ? "given" : "assumed";
}

static void describe_unit(const lb_bvh_info *info, FILE *stream)
{
    fprintf(stream, "unit: %.6g m", info->unit);
    if (*info->unit_name != '\0')
        fprintf(stream, " (%s)", info->unit_name);
    fprintf(stream, ", %s\n",
            origin(info->unit_recognised, info->unit_given, "by the size of the figure"));
}

static void describe_bvh(const lb_bvh *bvh, FILE *stream)
{
    lb_bvh_info info = lb_bvh_describe(bvh);
    fprintf(stream, "motion: %d frame%s of %.12g s", info.frames, info.frames == 1 ? "" : "s",
            info.frame_time);
    if (info.frames > 1)
        fprintf(stream, " (%.5g a second), together %.5g s", 1 / info.frame_time,
                (info.frames - 1) * info.frame_time);
    fprintf(stream, "; %d channels of %d joints\n", info.channels, info.joints);
    describe_unit(&info, stream);
    fprintf(stream, "up: %s, %s\n", lb_bvh_up_text(info.up),
            origin(info.up_recognised, info.up_given, "by the ground under the figure"));
    const char *how = info.rest_given ? "given" : "recognised";
    if (info.rest_frame && !info.rest_given && info.rest_index > 0)
        fprintf(stream,
                "frames 0 to %d are a filtered rest pose, %s; the motion begins with frame %d\n",
                info.rest_index, how, info.rest_index + 1);
    else if (info.rest_frame)
        fprintf(stream, "frame %d is a rest pose, %s; the motion begins with frame %d\n",
                info.rest_index, how, info.rest_index + 1);
}

/* ---- glTF --------------------------------------------------------------- */

/* names of nodes may be long; the map has one row for each bone */
static void describe_bones(const lb_gltf *gltf, FILE *stream)
{
    lb_gltf_info info = lb_gltf_describe(gltf);
    if (info.bones == 0)
        return;
    fprintf(stream, "humanoid: %s, %d bone%s\n", info.humanoid, info.bones,
            info.bones == 1 ? "" : "s");
    for (int i = 0; i < info.bones; i++) {
        lb_gltf_bone bone = lb_gltf_bone_at(gltf, i);
        fprintf(stream, "  %-24s  %s\n", bone.name,
                lb_model_link(lb_gltf_model(gltf), bone.link)->name);
    }
}

static void describe_gltf(const motion *c, FILE *stream)
{
    lb_gltf_info info = lb_gltf_describe(c->gltf);
    fprintf(stream, "figure: %d nodes, %d skin%s with %d joints\n", info.nodes, info.skins,
            info.skins == 1 ? "" : "s", info.skin_joints);
    fprintf(stream, "unit: %.6g m; up: %s\n", info.unit, lb_bvh_up_text(info.up));
    if (*info.generator != '\0') {
        fputs("written by: ", stream);
        print_foreign(stream, info.generator, 0);
        fputc('\n', stream);
    }
    fprintf(stream, "animations: %d\n", info.animations);
    for (int i = 0; i < info.animations; i++) {
        double begin, end;
        lb_gltf_animation_times(c->gltf, i, &begin, &end);
        fprintf(stream, "  %2d  ", i);
        print_foreign(stream, lb_gltf_animation_name(c->gltf, i), 24);
        fprintf(stream, "  %.5g .. %.5g s", begin, end);
        if (i == c->file->animation)
            fprintf(stream, ", %d keys as a clip", lb_clip_count(c->clip));
        fputc('\n', stream);
    }
    describe_bones(c->gltf, stream);
}

/* ---- built in ------------------------------------------------------------ */

/* times that were added up are even but for rounding */
#define EVEN 1e-6

static void describe_clip(const lb_clip *clip, FILE *stream)
{
    double rate = lb_clip_rate(clip, EVEN);
    fprintf(stream, "motion: %d keys", lb_clip_count(clip));
    if (rate > 0)
        fprintf(stream, ", %.5g a second", rate);
    fprintf(stream, ", together %.5g s\n", lb_clip_end(clip) - lb_clip_begin(clip));
}

static json_t *clip_json(const lb_clip *clip)
{
    return json_pack("{s:i, s:f, s:f, s:f}", "keys", lb_clip_count(clip), "rate",
                     lb_clip_rate(clip, EVEN), "begin", lb_clip_begin(clip), "end",
                     lb_clip_end(clip));
}

/* ---- any ---------------------------------------------------------------- */

bool describe_motion(const motion *c, FILE *stream)
{
    if (c->bvh != NULL)
        describe_bvh(c->bvh, stream);
    else if (c->gltf != NULL)
        describe_gltf(c, stream);
    else if (c->clip != NULL)
        describe_clip(c->clip, stream);
    return c->bvh != NULL || c->gltf != NULL || c->clip != NULL;
}

static json_t *bvh_json(const lb_bvh *bvh)
{
    lb_bvh_info info = lb_bvh_describe(bvh);
    return json_pack("{s:i, s:f, s:i, s:f, s:b, s:b, s:s, s:b, s:b, s:b, s:b, s:i}", "frames",
                     info.frames, "frame_time", info.frame_time, "channels", info.channels, "unit",
                     info.unit, "unit_recognised", info.unit_recognised, "unit_given",
                     info.unit_given, "up", lb_bvh_up_text(info.up), "up_recognised",
                     info.up_recognised, "up_given", info.up_given, "rest_frame", info.rest_frame,
                     "rest_given", info.rest_given, "rest_index", info.rest_index);
}

static json_t *gltf_json(const lb_gltf *gltf)
{
    lb_gltf_info info = lb_gltf_describe(gltf);
    json_t *animations = json_array(), *bones = json_object();
    for (int i = 0; i < info.animations; i++) {
        double begin, end;
        lb_gltf_animation_times(gltf, i, &begin, &end);
        append_json(animations,
                    json_pack("{s:s, s:f, s:f}", "name", lb_gltf_animation_name(gltf, i), "begin",
                              begin, "end", end));
    }
    for (int i = 0; i < info.bones; i++) {
        lb_gltf_bone bone = lb_gltf_bone_at(gltf, i);
        set_json(bones, bone.name,
                 json_string(lb_model_link(lb_gltf_model(gltf), bone.link)->name));
    }
    return json_pack("{s:i, s:i, s:i, s:f, s:s, s:s, s:o, s:s, s:o}", "nodes", info.nodes, "skins",
                     info.skins, "skin_joints", info.skin_joints, "unit", info.unit, "up",
                     lb_bvh_up_text(info.up), "generator", info.generator, "animations", animations,
                     "humanoid", info.humanoid, "bones", bones);
}

json_t *motion_json(const motion *c)
{
    return c->bvh != NULL    ? bvh_json(c->bvh)
           : c->gltf != NULL ? gltf_json(c->gltf)
           : c->clip != NULL ? clip_json(c->clip)
                             : NULL;
}
