import { locate } from "@outbound/adapters/postgres/embedded/Location.js"
import { processesOn } from "@outbound/adapters/postgres/embedded/Processes.js"
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { killAll } from "../../../adapters/test/support/processes.js"

export const root = fileURLToPath(new URL("../../../..", import.meta.url))
export const OUTBOUND = join(root, "packages/outbound/bin/outbound.mjs")
const LOOP = join(root, "packages/examples/dist/src/loop/main.js")
const READY_MILLIS_MAX = 240_000

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** What still runs where the tests end in the middle, as after a time-out. A service stops its database with itself. */
const children = new Set<ChildProcess>()
process.once("exit", () => children.forEach((child) => child.kill("SIGTERM")))

/** A process of ours, and what it has said. */
export class Running {
  out = ""
  err = ""
  readonly ended: Promise<Ended>

  constructor(readonly child: ChildProcess) {
    children.add(child)
    child.once("exit", () => children.delete(child))
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.out += text))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.err += text))
    this.ended = new Promise((resolve) => child.on("close", (code) => resolve({ code, out: this.out, err: this.err })))
  }

  /** Waits until the process has said it; fails when it ends before. */
  said(text: string, millisMax = READY_MILLIS_MAX): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why} before it said "${text}":\n${this.out}\n${this.err}`))
      const timer = setTimeout(() => fail("time was over"), millisMax)
      const look = () => {
        if (!this.out.includes(text) && !this.err.includes(text)) return
        clearTimeout(timer)
        resolve()
      }
      this.child.stdout?.on("data", look)
      this.child.stderr?.on("data", look)
      void this.ended.then(() => {
        clearTimeout(timer)
        fail("the process ended")
      })
      look()
    })
  }

  signal(name: NodeJS.Signals): Promise<Ended> {
    this.child.kill(name)
    return this.ended
  }
}

/** Our environment without what would configure a service of ours. */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(OUTBOUND_|DATABASE_URL$|INIT_CWD$)/.test(name)))

/** Runs a program in a folder. */
export const runningIn = (
  folder: string,
  command: string,
  args: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>> = {}
): Running =>
  new Running(
    spawn(command, args, { cwd: folder, env: { ...ownEnvironment(), ...extra }, stdio: ["ignore", "pipe", "pipe"] })
  )

/** A data directory of its own, with everything that is started on it. */
export class Home {
  readonly dataDir: string
  readonly folder: string
  private readonly started: Array<Running> = []

  private constructor(
    readonly port: number,
    folder: string
  ) {
    this.folder = folder
    this.dataDir = join(folder, "data")
  }

  static async make(): Promise<Home> {
    const folder = mkdtempSync(join(tmpdir(), "outbound-system-"))
    // Where the tests run as root, the database's own account must be able to walk through.
    chmodSync(folder, 0o755)
    return new Home(await freePort(), folder)
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  private run(program: string, args: ReadonlyArray<string>, extra: Readonly<Record<string, string>> = {}): Running {
    const running = runningIn(this.folder, process.execPath, [program, ...args], {
      OUTBOUND_DATA_DIR: this.dataDir,
      OUTBOUND_PORT: String(this.port),
      // Tests of one process each, unless they say otherwise.
      OUTBOUND_WORKERS: "1",
      ...extra
    })
    this.started.push(running)
    return running
  }

  outbound(args: ReadonlyArray<string>, extra?: Readonly<Record<string, string>>): Running {
    return this.run(OUTBOUND, args, extra)
  }

  loop(args: ReadonlyArray<string>, extra?: Readonly<Record<string, string>>): Running {
    return this.run(LOOP, args, extra)
  }

  async serve(extra?: Readonly<Record<string, string>>, flags: ReadonlyArray<string> = []): Promise<Running> {
    const running = this.outbound(["serve", ...flags], extra)
    await running.said("outbound is ready at")
    return running
  }

  /** A command's one JSON object. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test names what it reads
  async json(...args: ReadonlyArray<string>): Promise<any> {
    const { code, err, out } = await this.outbound([...args, "--json"]).ended
    if (code !== 0) throw new Error(`outbound ${args.join(" ")} ended with ${code}: ${err}`)
    return JSON.parse(out)
  }

  private get pidFile(): string {
    return join(locate(this.dataDir, undefined).cluster, "postmaster.pid")
  }

  get databasePid(): number | undefined {
    // A server that starts or stops makes and removes it meanwhile.
    try {
      return Number(readFileSync(this.pidFile, "utf8").split("\n")[0]) || undefined
    } catch {
      return undefined
    }
  }

  /** Ends whatever still runs, and removes the directory. */
  async close(): Promise<void> {
    for (const running of this.started) {
      if (running.child.exitCode === null && running.child.signalCode === null) await running.signal("SIGKILL")
    }
    killAll(processesOn(locate(this.dataDir, undefined).cluster))
    removeDirectory(this.folder)
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The key that the first start shows. */
export const shownKey = ({ out }: { readonly out: string }): string => /svc_key_[\w-]{43}/.exec(out)?.[0] ?? ""

export interface Called {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly body: any
}

/** One call over HTTP, as curl makes it. */
export const call = async (
  home: Home,
  apiKey: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {}
): Promise<Called> => {
  const response = await fetch(`${home.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: await response.json() }
}

/** Asks until the answer is as wished, for a bounded time. */
export const until = async <A>(
  ask: () => Promise<A>,
  wished: (answer: A) => boolean,
  millisMax: number
): Promise<A> => {
  const end = Date.now() + millisMax
  for (;;) {
    const answer = await ask()
    if (wished(answer)) return answer
    if (Date.now() > end) throw new Error(`not within ${millisMax} ms: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
