/**
 * A process that owns a data directory, for tests that kill it. Arguments: the data directory and the state directory.
 * Prints one line of JSON when its server is ready or was refused, and lets go of the server on SIGTERM.
 */
import { Effect } from "effect"
import { start } from "../../src/postgres/embedded/EmbeddedPostgres.js"

const [dataDir = "", stateDir = ""] = process.argv.slice(2)

const print = (line: object) => Effect.sync(() => process.stdout.write(`${JSON.stringify(line)}\n`))

/** Install the listener before printing: the reader of that line may send the signal at once. */
const told = new Promise<void>((resolve) => {
  // The program that runs this file exits on the signal; a service of ours does not.
  process.removeAllListeners("SIGTERM")
  process.once("SIGTERM", () => resolve())
})

await start({ dataDir, stateDir, log: () => Effect.void }).pipe(
  Effect.tap(({ port, url, adopted }) => print({ port, url, adopted })),
  Effect.andThen(Effect.promise(() => told)),
  Effect.scoped,
  Effect.catch(({ reason, message }) => print({ reason, message })),
  Effect.runPromise
)
