import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import * as Logging from "../../src/main/Logging.js"

describe("a service's log", () => {
  it.effect("has each line once, in the service's own format, though the program has a logger too", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const usual = yield* Console.Console
      const kept = (line: unknown) => void lines.push(String(line))
      const console: Console.Console = { ...usual, error: kept, log: kept }
      yield* Effect.logInfo("Applied the migrations.").pipe(
        Effect.provide(Logging.layer("Info", "json")),
        Effect.provide(Logging.layer("Warn", "logfmt")),
        Effect.provideService(Console.Console, console)
      )
      assert.lengthOf(lines, 1)
      assert.strictEqual(JSON.parse(lines[0] ?? "").message, "Applied the migrations.")
    })
  )
})
