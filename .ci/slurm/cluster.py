"""A Slurm cluster on this machine: munged, slurmctld, and several nodes (slurmd -N), all on loopback.

Everything is in one directory, and nothing of the machine's own Slurm is used. The cluster runs as the current user.
"""

import os
import pathlib
import pwd
import signal
import socket
import subprocess
import time

# Short intervals, so that the controller notices within seconds that a node or a job is lost.
CONFIGURATION = """\
ClusterName=apitest
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket,cred_expire=3
CredType=cred/munge
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool-%n
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd-%n.pid
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=1,bf_interval=1,default_queue_depth=20
SlurmdParameters=config_overrides
SlurmdTimeout=4
BatchStartTimeout=2
MessageTimeout=5
KillWait=1
MinJobAge=600
ReturnToService=2
PropagateResourceLimits=NONE
NodeName={nodes} NodeHostname={host} NodeAddr=127.0.0.1 Port={node_ports} CPUs=2 RealMemory=2000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class ClusterError(Exception):
    """The cluster does not work, or not in time."""


def wait(condition, seconds, text):
    """Waits until a condition is true, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise ClusterError(f"{text} took more than {seconds} s")
        time.sleep(0.05)


def free_ports(count):
    """Returns free ports without a gap."""
    for first in range(21000, 29000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return range(first, first + count)
        except OSError:
            continue
        finally:
            for opened in sockets:
                opened.close()
    raise ClusterError("there are not enough free ports")


def processes():
    """Yields the id and the environment of each process of the user."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                with open(f"/proc/{entry.name}/environ", "rb") as file:
                    yield int(entry.name), file.read().split(b"\0")
            except OSError:
                continue


def kill(process):
    """Sends SIGKILL to a process, and returns whether it existed."""
    try:
        os.kill(process, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


class Cluster:
    """A running cluster. It ends, with all of its processes, when the context is left."""

    def __init__(self, directory, node_count):
        self.directory = pathlib.Path(directory)
        self.nodes = [f"node{number}" for number in range(1, node_count + 1)]
        # The configuration of this cluster distinguishes its processes from all others.
        self.mark = f"SLURM_CONF={self.directory}/slurm.conf".encode()
        self.environment = {**os.environ, "SLURM_CONF": f"{self.directory}/slurm.conf"}
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.daemons = []

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        ports = free_ports(len(self.nodes) + 1)
        for name in ["state", *[f"spool-{node}" for node in self.nodes]]:
            (self.directory / name).mkdir()
        (self.directory / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=self.user, directory=self.directory,
            controller_port=ports[0], nodes=f"node[1-{len(self.nodes)}]", node_ports=f"[{ports[1]}-{ports[-1]}]"))
        key = self.directory / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        # --force: the directories above may be writable for a group.
        self.launch(
            "munged", "--foreground", "--force", f"--socket={self.directory}/munge.socket", f"--key-file={key}",
            *[f"--{name}-file={self.directory}/munged.{name}" for name in ["pid", "log", "seed"]])
        wait((self.directory / "munge.socket").is_socket, 10, "the start of munged")
        self.launch("slurmctld", "-D")
        for node in self.nodes:
            self.start_node(node)
        wait(self.is_ready, 30, "the start of the nodes")

    def launch(self, name, *arguments, **environment):
        with open(self.directory / f"{name}.out", "ab") as output:
            process = subprocess.Popen(
                [self.program(name), *arguments], env={**self.environment, **environment}, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, cwd=self.directory, start_new_session=True)
        self.daemons.append(process)
        return process

    @staticmethod
    def program(name):
        return next((path for path in (f"/usr/sbin/{name}", f"/usr/bin/{name}") if os.path.exists(path)), name)

    def start_node(self, node):
        """Starts the daemon of a node. Its job steps inherit the name, which `kill_node` needs."""
        self.launch("slurmd", "-D", "-N", node, APITEST_NODE=node)

    def daemon(self, node):
        """Returns the id of the running daemon of a node, or None."""
        for process in self.daemons:
            if process.poll() is None and process.args[-1] == node:
                return process.pid
        return None

    def is_ready(self):
        """Whether every node can run jobs."""
        states = self.run("sinfo", "--noheader", "--Node", "--format=%N %T", check=False).split("\n")
        return sum(line.split()[-1] in ("idle", "mixed", "allocated") for line in states if line) == len(self.nodes)

    def run(self, *command, check=True, seconds=30, **options):
        """Runs a command of Slurm and returns its output."""
        for _ in range(3):
            result = subprocess.run(
                command, env=self.environment, capture_output=True, text=True, timeout=seconds, **options)
            if result.returncode == 0 or not check:
                return result.stdout.strip()
            # The controller is busy with a lost node.
            time.sleep(1)
        raise ClusterError(f"{' '.join(map(str, command))}: exit status {result.returncode}: {result.stderr}")

    # Processes

    def programs(self, name):
        """Returns the ids of the programs of jobs with a name, in order."""
        return sorted(
            process for process, environment in processes() if self.mark in environment and command(process) == name)

    def kill_node(self, node):
        """Kills everything on a node, as a loss of power does."""
        mark, job_mark = f"APITEST_NODE={node}".encode(), f"SLURMD_NODENAME={node}".encode()
        # The daemon first, so that it cannot start more. Then repeat until no process is left.
        daemon = self.daemon(node)
        if daemon:
            kill(daemon)
        for _ in range(20):
            found = [
                process for process, environment in processes()
                if self.mark in environment and (mark in environment or job_mark in environment)]
            if not any([kill(process) for process in found]):
                return
            time.sleep(0.02)
        raise ClusterError(f"{node} does not end")

    def repair(self):
        """Starts the nodes that do not run, and waits until they are ready."""
        for node in self.nodes:
            if self.daemon(node) is None:
                self.start_node(node)
        wait(self.is_ready, 60, "the repair of the nodes")

    def recover(self):
        """Cancels all jobs and repairs the nodes."""
        self.run("scancel", "--state=PENDING", "--user", self.user, check=False)
        self.run("scancel", "--user", self.user, check=False)
        self.repair()

    def stop(self):
        for node in self.nodes:
            self.kill_node(node)
        for process in reversed(self.daemons):
            if process.poll() is None:
                process.kill()
            process.wait(10)


def command(process):
    """Returns the name of a process's program."""
    try:
        return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""
