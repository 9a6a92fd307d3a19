#!/bin/bash
# Makes a Slurm cluster of this machine, for test/trainers/backends/slurm.test.ts. As root; ends with `… stop`.
#   apt-get install slurm-wlm munge
#   test/trainers/slurm-node.sh start /tmp/slurm-trial
#   SLURM_CONF=/tmp/slurm-trial/slurm.conf npx vitest run test/trainers/backends/slurm.test.ts
#   test/trainers/slurm-node.sh stop /tmp/slurm-trial
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 start|stop <folder>" >&2; exit 2; }
folder=$2
if [ "$1" = stop ]; then
  for one in slurmd slurmctld munged; do
    [ -f "$folder/$one.pid" ] && kill "$(cat "$folder/$one.pid")" || true
  done
  exit 0
fi
mkdir -p "$folder"/state "$folder"/spool
host=$(hostname -s)
cat > "$folder/slurm.conf" <<CONF
ClusterName=trial
SlurmctldHost=$host
AuthType=auth/munge
# A job that is put back waits this long.
AuthInfo=cred_expire=5
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPort=26817
SlurmdPort=26818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(free -m | awk '/Mem/{print int($2 * 0.8)}') State=UNKNOWN
PartitionName=trial Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
if ! munge -n > "$folder/token" 2> "$folder/munge.log"; then
  mkdir -p /run/munge
  chown -R munge /run/munge /var/log/munge /var/lib/munge /etc/munge
  su munge -s /bin/sh -c '/usr/sbin/munged'
  cp /run/munge/munged.pid "$folder/munged.pid"
fi
export SLURM_CONF=$folder/slurm.conf
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
for _ in $(seq 60); do
  sinfo --noheader --format=%T 2> "$folder/sinfo.log" | grep -q idle && { sinfo; exit 0; }
  sleep 1
done
cat "$folder"/*.log >&2
exit 1
