# HyperQueue, from the Python package index: a server with two workers of one core each.

start_hyperqueue() {
    "$environment/bin/python" "$here/cluster.py" "$out/hyperqueue/server" >>"$out/hyperqueue/server.log" 2>&1 &
    server=$!
    await 30 "a HyperQueue server" test -e "$out/hyperqueue/server/hq-current/access.json"
    sleep 1
}

run_hyperqueue() {
    environment=$PWD/target/engines
    [ -x "$environment/bin/python" ] || python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet "hyperqueue==0.27.0"
    "$environment/bin/python" -c 'import hyperqueue; print("HyperQueue", hyperqueue.get_version())'
    export PATH="$environment/bin:$PATH" HQ_SERVER_DIR="$out/hyperqueue/server"
    start_hyperqueue
    submit hyperqueue >"$out/hyperqueue/submit.log" 2>&1
    kill_worker hyperqueue
    sleep 2
    ! is_merged hyperqueue || { echo "there was nothing left to kill" >&2; exit 1; }
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    echo "  killed the server and its workers: kill -9"
    rm -rf "$out/hyperqueue/server"
    start_hyperqueue
    "$out/hyperqueue/sweep/submit" >>"$out/hyperqueue/submit.log" 2>&1
    compare hyperqueue
    kill "$server"
}
