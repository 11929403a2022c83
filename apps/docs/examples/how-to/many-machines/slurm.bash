#!/bin/bash
# Submits what is missing of a job to Slurm, and then its products. Run it again after tasks have failed or were killed.
#   slurm.bash STORE [OPTION OF SBATCH]...
set -euo pipefail
store=$1
shift
here=$(dirname "$0")
# An index is below MaxArraySize, so a job with more tasks is several array jobs.
size=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 }')
arrays=$(dechirp job missing "$store" --slurm --array-size "$size")
after=()
while read -r offset indices; do
  [ -n "$offset" ] || continue
  id=$(sbatch --parsable --array="$indices" "$@" "$here/slurm-task.sbatch" "$store" "$offset")
  after+=("afterany:${id%%;*}")
done <<<"$arrays"
dependency=$(IFS=, && echo "${after[*]}")
sbatch --parsable ${dependency:+--dependency="$dependency"} "$@" "$here/slurm-assemble.sbatch" "$store"
