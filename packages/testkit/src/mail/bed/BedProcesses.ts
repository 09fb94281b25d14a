import { Data, Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { type BedLayout, paths } from "./BedLayout.js"

/** The bed can't start; the message is for the person who runs the tests. */
export class BedUnavailable extends Data.TaggedError("BedUnavailable")<{ readonly says: string }> {
  override get message(): string {
    return this.says
  }
}

const START_MILLIS_MAX = 60_000
const STOP_MILLIS_MAX = 60_000
const POLL_MILLIS = 50
const LOG_CHARS_MAX = 4_000

/** Where Debian puts programs for administrators, which are not on everybody's path. */
const SYSTEM_PATH = `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin`

const isThere = (program: string): boolean =>
  SYSTEM_PATH.split(":").some((folder) => folder !== "" && existsSync(join(folder, program)))

/** Fails where the servers are not installed, or can't be started by this account. */
export const requireServers: Effect.Effect<void, BedUnavailable> = Effect.suspend(() => {
  const missing = ["postfix", "dovecot"].filter((program) => !isThere(program))
  if (missing.length > 0) {
    const says = `The mail test bed needs ${missing.join(" and ")}, which this machine does not have. On Debian: apt-get install postfix dovecot-imapd (".ci/run" does it).`
    return Effect.fail(new BedUnavailable({ says }))
  }
  return process.getuid?.() === 0
    ? Effect.void
    : Effect.fail(new BedUnavailable({ says: "The mail test bed needs root: Postfix starts for nobody else." }))
})

/** A zombie is gone: where the machine's first process buries nobody, it stays for ever. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))
  } catch {
    return false
  }
}

const waitFor = (what: string, millisMax: number, holds: () => Promise<boolean> | boolean): Effect.Effect<void> =>
  Effect.promise(async () => {
    const end = Date.now() + millisMax
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`${what} not within ${millisMax} ms`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS))
    }
  })

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port })
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

/** Runs a program to its end; fails with the end of its log. A server that it leaves behind keeps no pipe of ours. */
const run = (program: string, args: ReadonlyArray<string>, log: string): Effect.Effect<void, BedUnavailable> =>
  Effect.callback((resume) => {
    const failed = (why: string) => {
      const said = existsSync(log) ? readFileSync(log, "utf8").slice(-LOG_CHARS_MAX) : ""
      resume(Effect.fail(new BedUnavailable({ says: `${program} ${args.join(" ")} ${why}\n${said}` })))
    }
    spawn(program, [...args], { env: { ...process.env, PATH: SYSTEM_PATH }, stdio: "ignore", detached: true })
      .once("error", ({ message }) => failed(message))
      .once("exit", (code) => (code === 0 ? resume(Effect.void) : failed(`ended with ${code}`)))
  })

const pidIn = (file: string): number | null => {
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8").trim()) : 0
  return Number.isInteger(pid) && pid > 1 && isAlive(pid) ? pid : null
}

/** One server of the bed: itself alone is ever signalled, by the pid that it wrote into the bed's own directory. */
export interface BedServer {
  readonly start: Effect.Effect<void, BedUnavailable>
  /** In order: what it has taken it keeps. Nothing where it does not run. */
  readonly stop: Effect.Effect<void>
}

/** Gone with what it had started: while one of those lives, the next server can't have the ports. */
const stopBy = (name: string, pidFile: string, ports: ReadonlyArray<number>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const pid = pidIn(pidFile)
    if (pid === null) return Effect.void
    try {
      process.kill(pid, "SIGTERM")
    } catch {
      // It ended by itself.
    }
    const isGone = async () => !isAlive(pid) && !(await Promise.all(ports.map(answers))).includes(true)
    return waitFor(`${name} did not stop`, STOP_MILLIS_MAX, isGone)
  })

export const postfix = (layout: BedLayout): BedServer => {
  const at = paths(layout)
  const { smtp, strict, submission, submissions } = layout.ports
  return {
    start: Effect.andThen(
      run("postfix", ["-c", at.postfix, "start"], at.postfixLog),
      waitFor("Postfix did not answer", START_MILLIS_MAX, () => answers(submissions))
    ),
    stop: stopBy("Postfix", join(at.postfixQueue, "pid", "master.pid"), [smtp, strict, submission, submissions])
  }
}

export const dovecot = (layout: BedLayout): BedServer => {
  const at = paths(layout)
  return {
    start: Effect.andThen(
      run("dovecot", ["-c", at.dovecotConfig], at.dovecotLog),
      waitFor("Dovecot did not answer", START_MILLIS_MAX, () => answers(layout.ports.imaps))
    ),
    stop: stopBy("Dovecot", join(at.dovecot, "run", "master.pid"), [layout.ports.imap, layout.ports.imaps])
  }
}
