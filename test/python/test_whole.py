"""Each public function of the library is used by the module, or is left out for a reason."""

import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]

# functions that the module does without, by why it does
LEFT_OUT = {
    "vectors, quaternions and transforms are numpy's": """
        lb_sincos lb_sin lb_cos lb_atan2 lb_acos lb_wrap_angle lb_product
        lb_vec3_add lb_vec3_sub lb_vec3_scale lb_vec3_dot lb_vec3_cross lb_vec3_length
        lb_vec3_is_finite lb_vec3_normalize lb_vec3_perpendicular
        lb_quat_multiply lb_quat_conjugate lb_quat_rotate lb_quat_from_axis_angle lb_quat_exp
        lb_quat_log lb_quat_from_rpy lb_quat_to_rpy lb_quat_slerp lb_quat_swing_twist
        lb_transform_direction lb_transform_point lb_transform_multiply lb_transform_inverse
        lb_transform_between lb_transform_distance lb_transform_angle lb_transform_is_rigid""",
    "one at a time, of what arrays have many": """
        lb_random_next lb_random_unit lb_random_between lb_solutions_batch
        lb_two_bone_solve lb_state_model lb_state_configuration lb_state_transforms
        lb_state_transform lb_state_point lb_state_direction lb_state_traverse lb_state_jacobian lb_derive
        lb_state_jacobians lb_clip_generate lb_clip_begin lb_clip_end lb_contacts_at lb_bvh_row
        lb_reach_map_center lb_reach_map_target lb_reach_map_solve lb_planar_reach_point""",
    "names of enumerators, which the extension has from the same lists": """
        lb_body_kind_text lb_body_kind_find lb_check_unit lb_fidelity_unit lb_mesh_fit_text lb_mesh_fit_find
        lb_bvh_channel_text lb_bvh_up_text lb_root_text lb_robot_csv_text lb_outcome_text
        lb_reason_text lb_joint_kind_text lb_path_kind_text lb_on_jump_text lb_branch_end_text
        lb_servo_state_text
        lb_role_text lb_role_find lb_task_rows lb_robot_csv_rate""",
    "structs as their defaults, which the extension fills in": """
        lb_load_options_default lb_joint_default lb_link_default lb_dh_row_default
        lb_two_bone_default lb_retarget_pair_make""",
    "a file's path is read, and bytes of a model by Model.parse": """
        lb_load lb_load_memory lb_bvh_load_memory lb_gltf_load_memory lb_clip_json_load_memory
        lb_joint_limits_load_memory lb_contacts_load_memory lb_robot_csv_load_memory
        lb_robot_npz_load_memory lb_robot_npz_load_files lb_robot_npz_write_files
        lb_retarget_map_load lb_robot_csv_recognise""",
    "lb_motion_open and lb_motion_write do the same for every kind of file": """
        lb_bvh_clip lb_bvh_load lb_bvh_make lb_bvh_model lb_bvh_motion lb_bvh_options_default
        lb_bvh_release lb_bvh_rest_pose lb_bvh_write lb_clip_json_write
        lb_model_with_limits lb_motion_find lb_motion_has_figure lb_motion_recognise
        lb_robot_csv_options_default lb_robot_csv_write
        lb_robot_npz_write""",
    "for parsers other than the library's, as browsers have them": """
        lb_document_create lb_document_release lb_document_add lb_document_close
        lb_document_model lb_document_scene lb_document_srdf lb_document_joint_limits
        lb_clip_json_load_document lb_gltf_load_document lb_retarget_map_load_document
        lb_contacts_load_document lb_gltf_split""",
    "found in a tuple or a dict of Python": """
        lb_embedded_find lb_gltf_find_bone lb_gltf_find_animation lb_srdf_find_group
        lb_srdf_find_state lb_model_first_child lb_model_next_sibling lb_model_joint_mimic
        lb_model_tips lb_joint_limit_setting lb_gltf_link lb_gltf_joint
        lb_collision_body_shapes""",
    "models are made from text, dicts or tables": """
        lb_model_build""",
    "called by others that the module does use": """
        lb_rig_find lb_rig_soles lb_rig_contacts lb_gltf_looks_create lb_gltf_looks_release
        lb_planar_reach_get_patches""",
    "of shapes without a model, and the end of bones, which a sum has": """
        lb_geometry_distance lb_bones_end""",
    "the loops of files, and texts that tables.c has": """
        lb_assembly_outcome_text lb_loop_default lb_loop_kind_rows lb_loop_kind_text
        lb_four_bar_kind_text""",
    "what the program's help lists": """
        lb_method_capabilities lb_format_count lb_format_at lb_mesh_supported""",
}


def without_comments(text: str) -> str:
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"//.*", " ", text)
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", " ", text, flags=re.MULTILINE)


def declared(header: Path) -> set[str]:
    """The functions that a header declares, or defines inline."""
    text = without_comments(header.read_text()).replace('extern "C" {', " ")
    while "{" in text:  # the innermost bodies first
        text, count = re.subn(r"\{[^{}]*\}", ";", text)
        if count == 0:
            break
    statements = (" ".join(part.split()) for part in text.split(";"))
    found = (re.match(r"[^=(]*?\b(lb_\w+) ?\(", part) for part in statements if not part.startswith("typedef"))
    return {match.group(1) for match in found if match}


def public() -> set[str]:
    headers = sorted((PROJECT / "include" / "limber").rglob("*.h"))
    return set().union(*(declared(header) for header in headers))


def used() -> set[str]:
    # macros name some of them
    text = "".join(s.read_text() for s in sorted((PROJECT / "python" / "src").glob("*.[ch]")))
    return set(re.findall(r"\blb_\w+", re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)))


def left_out() -> list[str]:
    return [name for names in LEFT_OUT.values() for name in names.split()]


def test_headers_are_read_whole() -> None:
    # what shared libraries export, as docs/abi.txt lists it
    listed = re.findall(r"^function (lb_\w+):", (PROJECT / "docs" / "abi.txt").read_text(), re.MULTILINE)
    assert len(listed) > 300 and set(listed) <= public()


def test_each_function_is_used_or_left_out() -> None:
    missing = public() - used() - set(left_out())
    assert not missing, f"use them in python/src, or say in this file why not: {sorted(missing)}"


def test_nothing_is_left_out_in_vain() -> None:
    names = left_out()
    assert len(names) == len(set(names))
    assert set(names) <= public(), f"no such functions: {sorted(set(names) - public())}"
    assert not set(names) & used(), f"used after all: {sorted(set(names) & used())}"
