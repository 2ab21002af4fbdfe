#!/usr/bin/env bash
# The workflow on a real Slurm: slurmctld and two nodes (two slurmd on this host, each with one CPU), munge between them.
#
#   extras/sweep/test_cluster.sh [PROGRAM]      as root; PROGRAM is slidebench (default: build/bench/slidebench)
#
# A sweep is made on this machine alone, then once more over Slurm: there one job is killed, a node is drained, and the
# workflow itself is killed with its jobs under way and started again. Both must give the same bytes: no result twice,
# none missing. Everything stands in a folder of its own, which is removed, and all daemons end.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
program="$(realpath "${1:-$root/build/bench/slidebench}")"

fail() {
  echo "test_cluster.sh: $1" >&2
  exit 1
}
say() { echo "[$(date +%T)] $1"; }

[ "$(id -u)" -eq 0 ] || fail "needs root: slurmd starts jobs in the name of their owner"
for command in munged slurmctld slurmd sbatch snakemake; do
  PATH="$PATH:/usr/sbin" command -v "$command" >/dev/null || fail "no $command; scripts/install_deps.sh --sweeps installs it"
done
[ -x "$program" ] || fail "$program: no such program; build it first"

work="$(mktemp -d)"
chmod 755 "$work"
export PATH="$PATH:/usr/sbin" SLURM_CONF="$work/slurm.conf" PYTHONDONTWRITEBYTECODE=1
daemons=()
workflow=
clean_up() {
  status=$?
  [ -z "$workflow" ] || kill -KILL -- "-$workflow" 2>/dev/null || true
  scancel --user=root 2>/dev/null || true
  [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
  [ ${#daemons[@]} -eq 0 ] || wait "${daemons[@]}" 2>/dev/null || true
  if [ $status -ne 0 ]; then tail -n 20 "$work"/*.log >&2 || true; fi
  rm -rf "$work"
}
trap clean_up EXIT

# Waits up to a minute for a condition.
wait_for() {
  local what="$1"
  shift
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return; fi
    [ -z "$workflow" ] || kill -0 "$workflow" 2>/dev/null || fail "the workflow ended early: $(tail -n 5 "$work/cluster.log")"
    sleep 0.2
  done
  fail "waited in vain for $what"
}

start_slurm() {
  mkdir "$work/munge" "$work/state" "$work/node1" "$work/node2"
  dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
  chmod 700 "$work/munge"
  chmod 400 "$work/munge/key"
  local port=$((20000 + RANDOM % 20000))
  cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmctldPort=$port
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=2
SchedulerParameters=sched_interval=1,batch_sched_delay=1
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=4000
NodeName=node2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=4000
PartitionName=all Nodes=node1,node2 Default=YES State=UP MaxTime=60
CONF
  echo "CgroupPlugin=cgroup/v1" >"$work/cgroup.conf"
  munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --seed-file="$work/munge/seed" --log-file="$work/munge/log" >"$work/munged.log" 2>&1 &
  daemons+=($!)
  wait_for munge munge -n --socket="$work/munge/socket"
  slurmctld -D >"$work/slurmctld.out.log" 2>&1 &
  daemons+=($!)
  for node in node1 node2; do
    slurmd -D -N "$node" >"$work/$node.out.log" 2>&1 &
    daemons+=($!)
  done
  wait_for "two idle nodes" both_idle
}
both_idle() { [ "$(sinfo --noheader --format='%D' --states=idle)" = 2 ]; }

sweep_of() { # the configuration, with the folder that its results go into
  cat <<YAML
program: $program
out: $1
allow_dirty: true
traces:
  search: {kind: search, games: [$root/datasets/sample.pgn], arguments: [--positions, "2", --nodes, "4000"]}
simulate:
  traces: [search]
  methods: [magic_fancy, pext_split, hyperbola, kogge_stone]
  methods_a_job: 1
  pressures: [isolated, net1024]
  caches: [zen4, skylake]
  draws: 1
magics:
  - {variant: black, shards: 3, seconds: 4, start: $root/methods/magic/black_factors.hpp}
measure:
  traces: [search]
  machines: {one: node1, two: node2}
  arguments: [--workload, throughput, --method, pext_split, --profile, 2x3]
YAML
}
local_sweep() { # without the measurements, which differ from run to run by their nature
  mkdir -p "$work/run-local"
  sweep_of "$work/local" | sed '/^measure:/,$d' >"$work/local.yaml"
  (cd "$work/run-local" && snakemake -s "$here/Snakefile" --configfile "$work/local.yaml" -j2) >"$work/local.log" 2>&1
}
# Starts the workflow over Slurm, in a process group of its own.
start_workflow() {
  mkdir -p "$work/run-cluster"
  sweep_of "$work/cluster" >"$work/cluster.yaml"
  (cd "$work/run-cluster" && exec setsid snakemake -s "$here/Snakefile" --configfile "$work/cluster.yaml" \
    --profile "$here/slurm" --latency-wait 10) >>"$work/cluster.log" 2>&1 &
  workflow=$!
}
results() { find "$work/cluster" -name result.json 2>/dev/null | wc -l; }
at_least() { [ "$(results)" -ge "$1" ]; }
searching() { squeue --noheader --states=running --name=sweep-find --format=%i | head -1 | grep .; }
is_repeated() { grep -q "Trying to restart" "$work/cluster.log"; }

say "a sweep on this machine alone"
local_sweep
say "Slurm: a controller and two nodes"
start_slurm
sinfo
say "the same sweep over Slurm, with two measurements, each exclusive to a node"
start_workflow
wait_for "a search that runs" searching
victim="$(searching)"
say "killing job $victim, a search"
scancel --signal=KILL --full "$victim"
wait_for "the killed job to be noticed and repeated" is_repeated
say "draining node2 with $(squeue --noheader --nodelist=node2 | wc -l) jobs on it"
scontrol update NodeName=node2 State=DRAIN Reason=test
before=$(results)
wait_for "results while a node drains" at_least $((before + 2))
say "killing the workflow itself, with $(results) results and $(squeue --noheader | wc -l) jobs under way"
kill -KILL -- "-$workflow"
wait "$workflow" 2>/dev/null || true
workflow=
say "node2 returns; what Slurm still runs goes on, and the workflow is resumed"
scontrol update NodeName=node2 State=RESUME
(cd "$work/run-cluster" && snakemake -s "$here/Snakefile" --configfile "$work/cluster.yaml" --unlock) >>"$work/cluster.log" 2>&1
start_workflow
wait "$workflow" || fail "the workflow failed"
workflow=
say "done: $(results) results"

expected=$(($(find "$work/local" -name result.json | wc -l) + 2))
[ "$(results)" -eq "$expected" ] || fail "$(results) results instead of $expected"
for file in counters tables squares; do
  cmp "$work/local/merged/$file.csv" "$work/cluster/merged/$file.csv" || fail "$file.csv differs"
done
ids() { cut -d, -f1 "$1" | tail -n +2 | sort; }
[ -z "$(ids "$work/cluster/merged/costs.csv" | uniq -d)" ] || fail "a result is there twice"
missing="$(comm -23 <(ids "$work/local/merged/costs.csv") <(ids "$work/cluster/merged/costs.csv"))"
[ -z "$missing" ] || fail "missing: $missing"
left="$(find "$work/cluster" -name '*.part-*' -o -name '*.begun')"
say "left by killed jobs, read by nobody: ${left:-nothing}"
again="$( (cd "$work/run-cluster" && snakemake -s "$here/Snakefile" --configfile "$work/cluster.yaml" -j1 -n) 2>&1)"
grep -q "Nothing to be done" <<<"$again" || fail "a finished sweep would be made again: $again"
say "no result twice, none missing; counters.csv, tables.csv and squares.csv are the bytes of the sweep on one machine"
