#!/bin/bash
# Makes what is missing of a job as an array job of Slurm, then its products. Run it again after tasks failed.
job=${1:?usage: slurm.sh STORE}
tasks=$(dechirp job missing "$job" --slurm)
if [ -n "$tasks" ]; then
  array=$(sbatch --parsable --job-name dechirp --array="$tasks" --requeue --wrap "dechirp job task '$job'")
  after="--dependency=afterok:$array"
fi
sbatch --job-name dechirp-assemble $after --wrap "dechirp job assemble '$job'"
