#!/bin/sh
# A task of a job array: the shard of its number, behind the $1 that former arrays have.
exec @HERE@/shard "$(($1 + SLURM_ARRAY_TASK_ID))"
