/** The operator's program. It loads only what the command needs. */
import { Cause, Effect, Exit } from "effect"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { type Actions, STDIN_CHARS_MAX } from "./commands/Actions.js"
import { exitCodeOf, failureWords } from "./commands/failureWords.js"
import { program } from "./commands/program.js"
import { partOf } from "./main/cluster/part.js"
import * as Logging from "./main/Logging.js"
import { runningOn } from "./main/RunningService.js"
import { WING_ACTIONS } from "./wings/actions.js"
import { archives } from "./wings/archives.js"
import { assertOrdinaryClock, inTimeOf, openTestClock } from "./main/testClock/TestClock.js"

const load = <A>(part: () => Promise<A>): Effect.Effect<A> => Effect.promise(part)

/** A stopped service exits with 0; a stopped command does not. */
let isService = false

const actions: Actions = {
  ...WING_ACTIONS,
  running: (dataDir) => runningOn(dataDir)?.url,
  serve: (config, isTestClock) => {
    isService = true
    const part = partOf(process.env)
    if (isTestClock) {
      return Effect.gen(function* () {
        const movable = yield* openTestClock(config)
        const { start } = yield* load(() => import("./main/Start.js"))
        // A clock that is moved is one process's, and a day of a sequence takes a day by it.
        return yield* start({ ...config, sandboxDayMillis: DAY_MILLIS }, null, movable)
      })
    }
    const serving =
      config.workers > 1 && part === null
        ? Effect.flatMap(
            load(() => import("./main/cluster/Primary.js")),
            ({ serveByWorkers }) => serveByWorkers(config)
          )
        : Effect.flatMap(
            load(() => import("./main/Start.js")),
            ({ start }) => start(config, part)
          )
    return Effect.andThen(assertOrdinaryClock(config), serving)
  },
  migrate: (config) =>
    Effect.flatMap(
      load(() => import("./main/Operator.js")),
      ({ migrateDatabase }) => migrateDatabase(config.database)
    ),
  archivedTrail: archives.lines,
  check: (config, what) =>
    Effect.flatMap(
      load(() => import("./main/Operator.js")),
      ({ checkDatabase }) => checkDatabase(config.database, what)
    ),
  backUp: (config, folder) =>
    Effect.flatMap(
      load(() => import("./main/Backups.js")),
      ({ makeBackup }) => makeBackup(config.database, folder)
    ),
  restore: (config, folder) =>
    Effect.flatMap(
      load(() => import("./main/Backups.js")),
      ({ restoreBackup }) => restoreBackup(config.database, folder)
    ),
  deleteWorkspace: (config, workspaceId, name) =>
    Effect.flatMap(
      load(() => import("./main/Deleting.js")),
      ({ removeWorkspace }) => removeWorkspace(config, workspaceId, name)
    ),
  rotateSecret: (config) =>
    Effect.flatMap(
      load(() => import("./main/Rotation.js")),
      ({ rotate }) => rotate(config.database)
    ),
  doctor: (config) =>
    Effect.flatMap(
      load(() => import("./main/doctor/doctor.js")),
      ({ examine }) => examine(config)
    ),
  providers: (config, asked) =>
    Effect.flatMap(
      load(() => import("./main/Providers.js")),
      ({ reportProviders }) => reportProviders(config, asked)
    ),
  readStdin: Effect.tryPromise(async () => {
    let text = ""
    for await (const chunk of process.stdin.setEncoding("utf8")) {
      text += chunk
      if (text.length > STDIN_CHARS_MAX) throw new Error("Standard input is too long for a secret")
    }
    return text
  }).pipe(Effect.mapError(({ cause }) => cause)),
  adopt: (config, work) =>
    Effect.flatMap(
      load(() => import("./main/Adoption.js")),
      ({ layer }) => Effect.provide(work, layer(config))
    ),
  operate: (config, work) =>
    Effect.flatMap(
      load(() => import("./main/Operator.js")),
      ({ layer }) => inTimeOf(config.database.dataDir)(Effect.provide(work, layer(config)))
    )
}

/** Under npx, Ctrl-C arrives twice: from the terminal and from npx. A second signal this soon is the copy. */
const DOUBLE_MILLIS = 1_000

const packageFile = new URL("../../package.json", import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { readonly version: string }

const run = program(
  actions,
  process.env,
  version
)(process.argv.slice(2)).pipe(
  // For short commands; the service sets its own level.
  Effect.provide(Logging.layer("Warn"))
)

const fiber = Effect.runFork(run)
let stopAskedAt: number | undefined
let stopCode = 0

/** The first signal stops in order; a second one exits at once. */
const stop = (signal: "SIGINT" | "SIGTERM"): void => {
  const now = performance.now()
  if (stopAskedAt === undefined) {
    stopAskedAt = now
    stopCode = 128 + constants.signals[signal]
    fiber.interruptUnsafe(fiber.id)
  } else if (now - stopAskedAt > DOUBLE_MILLIS) {
    process.stderr.write("Stopped before all work was finished.\n")
    process.exit(128 + constants.signals[signal])
  }
}
process.on("SIGINT", stop)
process.on("SIGTERM", stop)

// A closed output pipe is not an error, and could not be reported anyway.
const unread = (): void => {}
process.stdout.on("error", unread)
process.stderr.on("error", unread)

const broken = (error: unknown): void => {
  process.stderr.write(`Unexpected error outside of a call: ${Cause.pretty(Cause.die(error))}\n`)
  process.exitCode = 1
  fiber.interruptUnsafe(fiber.id)
}
process.on("uncaughtException", broken)
process.on("unhandledRejection", broken)

fiber.addObserver((exit) => {
  if (Exit.isFailure(exit)) {
    const words = failureWords(exit.cause)
    if (words !== null) process.stderr.write(`${words}\n`)
    if (!Cause.hasInterruptsOnly(exit.cause)) process.exitCode = exitCodeOf(exit.cause)
    else if (!isService && stopCode !== 0) process.exitCode = stopCode
  }
  process.exit()
})
