/** Identifies processes. Pids are reused; a pid together with its process's start time is unique. */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

const linux = process.platform === "linux"

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * When the process started, for comparison only (clock ticks since boot on Linux); `undefined`: no such process. A
 * zombie counts as gone: it holds nothing, and in a container whose first process doesn't reap, it stays forever.
 */
export const startOf = (pid: number): string | undefined => {
  if (linux) {
    const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
    if (stat === undefined) return undefined
    // The command name is in parentheses and may contain anything, even parentheses and spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19]
  }
  const listed = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" })
  const [state = "", ...started] = listed.status === 0 ? listed.stdout.trim().split(/\s+/) : []
  return state === "" || state.startsWith("Z") ? undefined : started.join(" ")
}

/** The namespace in which our pids are valid: this boot, and on Linux this pid namespace. */
export const namespace: string = linux
  ? `${attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())} ${attempt(() => readlinkSync("/proc/self/ns/pid"))}`
  : hostname()

const cwdOf = (pid: number): string | "hidden" | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "hidden" : undefined
  }
}

/**
 * The data directory on a PostgreSQL server's command line, which everyone may read. Its helper processes rewrite
 * theirs.
 */
const clusterArgumentOf = (pid: number): string | undefined => {
  const words = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.split("\0") ?? []
  const flag = words.indexOf("-D")
  return flag < 0 ? undefined : words[flag + 1]
}

/** Whether the process is the PostgreSQL server of the cluster. Linux only. */
export const servesCluster = (pid: number, cluster: string): boolean =>
  startOf(pid) !== undefined && (clusterArgumentOf(pid) === cluster || cwdOf(pid) === cluster)

const usesCluster = (pid: number, cluster: string): boolean => {
  const cwd = cwdOf(pid)
  if (cwd !== "hidden") return cwd === cluster
  // Root without the right to trace (usual in containers) can't see it, so a process that may be ours counts as ours.
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? ""
  if (!stat.includes("(postgres)")) return false
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  return [cluster, undefined].includes(clusterArgumentOf(pid) ?? clusterArgumentOf(parent))
}

/** PostgreSQL processes of the cluster, orphans included: their working directory is its data directory. Linux only. */
export const processesOn = (cluster: string): ReadonlyArray<number> =>
  !linux
    ? []
    : readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .filter((pid) => startOf(pid) !== undefined && usesCluster(pid, cluster))

/** Whether the pid is in use, zombies included, by a process that we may signal. */
export const isTaken = (pid: number): boolean => attempt(() => process.kill(pid, 0)) ?? false

/** Signals the process with this pid and start time, and no other. */
export const signal = (pid: number, start: string, name: NodeJS.Signals): void => {
  if (startOf(pid) === start) attempt(() => process.kill(pid, name))
}
