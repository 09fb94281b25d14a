import { Context, Effect, Layer } from "effect"

/** The rounds that every host runs beside answering calls. Each locks what it takes and skips what another host holds. */
export const ROUND_NAMES = [
  "approvals",
  "calls",
  "completion",
  "forbidden",
  "interest",
  "judging",
  "letters",
  "mail",
  "mailboxes",
  "notices",
  "payments",
  "seals",
  "sequences",
  "upkeep",
  "vendors",
  "webhooks",
  "windows"
] as const

export type RoundName = (typeof ROUND_NAMES)[number]

/** Tells a round when there may be something for it to do, so that an idle host doesn't look. */
export class WorkSignals extends Context.Service<
  WorkSignals,
  {
    /**
     * Call it after a round that found nothing. It returns when the round may find something, but not before
     * `restMillis`: when rows that it looks for were written, or when the first of them is due. It may return for
     * nothing, and never misses a due row by more than about a minute, whatever happens to a signal.
     */
    readonly rest: (round: RoundName, restMillis: number) => Effect.Effect<void>
  }
>()("@outbound/domain/kernel/ports/WorkSignals") {}

/** Looks each time, for stores that can't signal. */
export const polling: Layer.Layer<WorkSignals> = Layer.succeed(WorkSignals, {
  rest: (_round, restMillis) => Effect.sleep(restMillis)
})
