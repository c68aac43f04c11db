#!/bin/sh
# Measures @SHARDS@ shards on this machine, @AT_ONCE@ at a time, or on those of --sshlogin, and merges them.
set -eu
here=@HERE@
seq @SHARDS@ | parallel --jobs @AT_ONCE@ --retries 3 --joblog "$here/logs/tasks.tsv" @PASS@ \
    "'$here/shard' {} >>'$here/logs/{}.log' 2>&1"
exec "$here/merge"
