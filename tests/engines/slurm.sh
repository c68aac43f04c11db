# Slurm, from Debian: a controller and two nodes on this machine, with munge, all below a folder of their own.

stop_slurm() {
    local folder=$out/slurm
    for file in "$folder"/slurmd-*.pid "$folder/slurmctld.pid" "$folder/munge.pid"; do
        [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null
    done
    pkill -f "^slurmstepd.*" 2>/dev/null || true
}

start_slurm() {
    local folder=$out/slurm host
    host=$(hostname -s)
    mkdir -p "$folder/state"
    sed -e "s#@FOLDER@#$folder#g" -e "s#@HOST@#$host#g" "$here/slurm.conf" >"$folder/slurm.conf"
    export SLURM_CONF=$folder/slurm.conf
    head -c 1024 /dev/urandom >"$folder/munge.key"
    chmod 600 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
        --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
    slurmctld
    for node in n1 n2; do slurmd -N "$node"; done
    await 30 "two nodes that are idle" sh -c 'sinfo --noheader --format=%T%D | grep -q idle2'
}

run_slurm() {
    [ "$(id -u)" = 0 ] || { echo "Slurm's daemons are started by root" >&2; exit 2; }
    install_debian slurmctld slurmd slurm-client munge
    slurmd -V
    trap stop_slurm EXIT
    start_slurm
    submit slurm >"$out/slurm/submit.log" 2>&1
    kill_worker slurm
    sleep 1
    ! is_merged slurm || { echo "there was nothing left to kill" >&2; exit 1; }
    # the node is lost, its shard is begun again elsewhere, and what it left behind may still be at work
    kill -9 "$(cat "$out/slurm/slurmd-n1.pid")"
    echo "  killed the daemon of node n1: kill -9"
    await 60 "that the node is missed" sh -c 'sinfo --noheader --Node --format="%N %T" | grep -q "n1 down"'
    rm -f "$out/slurm/slurmd-n1.pid"
    slurmd -N n1
    compare slurm
    stop_slurm
    trap - EXIT
}
