#!/bin/sh
# Submits @SHARDS@ shards as job arrays of at most 1000, which is what Slurm takes if nobody says otherwise, and the merge behind them.
set -eu
here=@HERE@
first=1
jobs=
while [ "$first" -le @SHARDS@ ]; do
    number=$((@SHARDS@ - first + 1))
    [ "$number" -le 1000 ] || number=1000
    job=$(sbatch --parsable --job-name=@STUDY@ --array="1-$number" --cpus-per-task=@JOBS@ --time=@MINUTES@ --requeue \
        --open-mode=append --output="$here/logs/%A_%a.log" @PASS@ "$here/array" "$((first - 1))")
    jobs="$jobs:${job%%;*}"
    first=$((first + number))
done
merge=$(sbatch --parsable --job-name=@STUDY@-merge --dependency="afterok$jobs" --requeue --open-mode=append \
    --output="$here/logs/merge.log" @PASS@ "$here/merge")
echo "submitted job ${jobs#:} and the merge behind it, job ${merge%%;*}"
