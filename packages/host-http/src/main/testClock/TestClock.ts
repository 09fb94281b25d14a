import { makeMovableClock, type MovableClock } from "@outbound/sandbox/clock/MovableClock.js"
import { Clock, Data, Effect } from "effect"
import { type OutboundConfig, SANDBOX } from "../../Config.js"
import { keepAhead, keptAhead } from "./KeptClock.js"

export class TestClockRefused extends Data.TaggedError("TestClockRefused")<{ readonly message: string }> {}

/** The clock of an installation for tests, where it was left. Refused beside providers of live workspaces. */
export const openTestClock = ({ database, providers }: Pick<OutboundConfig, "database" | "providers">) =>
  Effect.suspend((): Effect.Effect<MovableClock, TestClockRefused> => {
    if (providers !== SANDBOX) {
      const message = "--test-clock is for sandboxes alone: it can't be used with OUTBOUND_PROVIDERS."
      return Effect.fail(new TestClockRefused({ message }))
    }
    const ahead = keptAhead(database.dataDir) ?? 0
    keepAhead(database.dataDir, ahead)
    return Effect.succeed(makeMovableClock(ahead))
  })

/** Without the flag there is no going back to today: what was done in the future stays there. */
export const assertOrdinaryClock = ({ database }: Pick<OutboundConfig, "database">) =>
  Effect.suspend((): Effect.Effect<void, TestClockRefused> => {
    const ahead = keptAhead(database.dataDir)
    if (ahead === null) return Effect.void
    const message = `This installation has a clock of its own, ${Math.round(ahead / 1_000)} seconds ahead (test-clock.json in its data directory). Start it with --test-clock, or use another OUTBOUND_DATA_DIR.`
    return Effect.fail(new TestClockRefused({ message }))
  })

export const assertNoneLive = (workspaces: ReadonlyArray<{ readonly kind: string }>) =>
  workspaces.some(({ kind }) => kind === "live")
    ? Effect.fail(
        new TestClockRefused({ message: "--test-clock is for sandboxes alone, and there is a live workspace here." })
      )
    : Effect.void

/** Commands live in the time of the installation: a link that they make is as young as the service takes it for. */
export const inTimeOf =
  (dataDir: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const ahead = keptAhead(dataDir)
    return ahead === null ? work : Effect.provideService(work, Clock.Clock, makeMovableClock(ahead).clock)
  }
