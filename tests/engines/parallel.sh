# GNU parallel, from Debian.

run_parallel() {
    install_debian parallel
    parallel --version | head -1
    submit parallel >"$out/parallel/submit.log" 2>&1 &
    local begun=$!
    kill_worker parallel
    # parallel itself and all that it started, as where a machine goes down
    await 60 "a worker of parallel" test -n "$(workers parallel)"
    sleep 1
    pkill -9 -f "perl.*parallel.*$out/parallel" || true
    pkill -9 -f "$out/parallel/sweep/shard" || true
    pkill -9 -f "^$out/parallel/sweep/clothlab" || true
    wait "$begun" || true
    echo "  killed parallel and all of its workers: kill -9"
    ! is_merged parallel || { echo "there was nothing left to kill" >&2; exit 1; }
    "$out/parallel/sweep/submit" >>"$out/parallel/submit.log" 2>&1
    compare parallel
}
