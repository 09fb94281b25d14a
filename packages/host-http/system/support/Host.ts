import { Data, Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { NODE_OPTIONS } from "@outbound/testkit/files/nodeOptions.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import type { Place } from "./Place.js"
import { OUTBOUND, Running } from "./Program.js"

/** A service that stops drains its calls and stops its database within this. */
const STOP_MILLIS_MAX = 60_000

/** A program that ended otherwise than it should have. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{
  readonly code: number | null
  readonly output: string
}> {
  override get message(): string {
    return `ended with ${this.code}:\n${this.output}`
  }
}

/** A service that listens. */
export interface Host {
  readonly port: number
  /** Where it listens. */
  readonly baseUrl: string
  /** What it is told to be its address, as if a proxy stood before it. */
  readonly publicUrl: string
  readonly pid: number
  readonly signal: (name: NodeJS.Signals) => void
  /** Its exit code, or the signal that ended it. */
  readonly ended: Effect.Effect<number | NodeJS.Signals | null>
}

const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("OUTBOUND_") && name !== "DATABASE_URL")
  )

const launch = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>): Running =>
  new Running(
    spawn(process.execPath, [OUTBOUND, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...inherited(), NODE_OPTIONS, ...environment }
    })
  )

const isRunning = ({ child }: Running): boolean => child.exitCode === null && child.signalCode === null

const stop = (program: Running): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!isRunning(program)) return Effect.void
    return Effect.promise(() => program.signal("SIGTERM")).pipe(
      Effect.timeoutOption(STOP_MILLIS_MAX),
      Effect.andThen(Effect.sync(() => isRunning(program) && program.child.kill("SIGKILL")))
    )
  })

const failed = ({ child, err, out }: Running): ProgramFailed =>
  new ProgramFailed({ code: child.exitCode, output: `${out}\n${err}` })

/** `outbound serve` in a process of its own, on a free port, until the scope closes. Fails when it ends instead. */
export const serve = (place: Place): Effect.Effect<Host, ProgramFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    const baseUrl = `http://127.0.0.1:${port}`
    const publicUrl = place.environment["OUTBOUND_BASE_URL"] ?? baseUrl
    const address = { OUTBOUND_PORT: String(port), OUTBOUND_BASE_URL: publicUrl, OUTBOUND_WORKERS: "1" }
    const program = yield* Effect.acquireRelease(
      Effect.sync(() => launch(["serve"], { ...address, ...place.environment })),
      stop
    )
    yield* Effect.tryPromise({
      try: () => program.said(`outbound is ready at ${publicUrl}`),
      catch: () => failed(program)
    })
    const { child } = program
    return {
      port,
      baseUrl,
      publicUrl,
      pid: child.pid ?? 0,
      signal: (name) => void child.kill(name),
      ended: Effect.promise(async () => {
        await program.ended
        return child.exitCode ?? child.signalCode
      })
    }
  })

/** Runs a command of the operator's to its end; the JSON object that it printed. */
export const operate = (
  place: Place,
  ...args: ReadonlyArray<string>
): Effect.Effect<Readonly<Record<string, unknown>>, ProgramFailed> =>
  Effect.suspend(() => {
    const program = launch([...args, "--json"], place.environment)
    return Effect.flatMap(
      Effect.promise(() => program.ended),
      ({ code, out }) =>
        code === 0 ? Effect.succeed(JSON.parse(out) as Readonly<Record<string, unknown>>) : failed(program)
    )
  })

/** `outbound check`: fails with the breaches that it finds. */
export const assertClean = (place: Place): Effect.Effect<void, ProgramFailed> => Effect.asVoid(operate(place, "check"))
