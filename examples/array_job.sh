#!/bin/sh
# array_job.sh - one task of an array job of Slurm: its part of all captures on all robots.
#
#     sbatch --array=1-40 --cpus-per-task=8 array_job.sh CAPTURES ROBOT.urdf [ROBOT.urdf ...]
#
# Submitted again after an end of any kind, it goes on. Without Slurm, by hand or by ssh:
#
#     SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=40 sh array_job.sh CAPTURES ROBOT.urdf
set -eu
captures=$1
shift
for robot; do
    set -- "$@" --to "$robot"
    shift
done
limber retarget "$captures"/*.bvh "$@" --output 'motions/{model}/{clip}.npz' \
    --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}"
