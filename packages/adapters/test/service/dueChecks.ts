import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { NoticeStore } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { WebhookStore } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { RoundName } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { InterestSyncStore } from "@outbound/domain/outreach/interest/InterestSyncStore.js"
import { SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Clock, Context, Effect, Layer } from "effect"
import { LibraryPool } from "../../src/postgres/PgPool.js"
import { WING_LOOKS } from "../wings/looks.js"
import { Dues } from "./Dues.js"

/** How long the statement before may be older than the one that finds something, by the database's clock. */
const BETWEEN_MILLIS = 1_000

/** The methods by which rounds look for work, and whose work it is. */
const LOOKS = [
  [ApprovalStore, { lockExpired: "approvals" }],
  [CampaignStore, { lockDone: "completion" }],
  [InterestSyncStore, { lockDue: "interest" }],
  [NoticeStore, { claim: "notices", end: "notices" }],
  [ReadingStore, { unclassified: "judging" }],
  [ReplyStore, { lockInbox: "mail" }],
  [SandboxLetters, { take: "letters" }],
  [
    SendingStore,
    {
      claimDue: "mail",
      lockClosedWindows: "windows",
      lockForbiddenDue: "forbidden",
      lockStaleClaims: "sequences",
      lockUpkeepDue: "upkeep",
      lockUpkeepPaused: "upkeep",
      lockWaitedOut: "sequences"
    }
  ],
  [VendorStore, { takeTurns: "vendors" }],
  [WebhookStore, { claim: "webhooks" }],
  ...WING_LOOKS
] as const

type Statement = (...args: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>, unknown, unknown>

/** A host at rest looks at the due times again after this at the latest. */
const REST_MILLIS = 60_000

/** What a look that found nothing left behind. */
interface Rest {
  readonly fromMillis: number
  readonly untilMillis: number
  readonly signals: number
}

/** The time that a look is about: a test may ask about a later one than now. */
const latestOf = (args: ReadonlyArray<unknown>, nowMillis: number): number =>
  Math.max(nowMillis, ...args.filter((arg) => typeof arg === "number"))

/** Counts the signals of each round. Its answer includes those of every transaction that has ended. */
const listening = Effect.gen(function* () {
  const pool = yield* Effect.flatMap(LibraryPool, ({ open }) => open(1))
  const client = yield* Effect.acquireRelease(
    Effect.promise(() => pool.connect()),
    (connected) => Effect.sync(() => connected.release(true))
  )
  const counts = new Map<string, number>()
  client.on("notification", ({ payload = "" }) => {
    for (const name of payload.split(",")) counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  yield* Effect.promise(() => client.query("LISTEN outbound_work"))
  const { writes } = yield* Dues
  let heard: number | null = null
  return (round: RoundName) =>
    Effect.promise(async () => {
      const now = writes()
      if (now === null || now !== heard) await client.query("SELECT 1")
      heard = now
      return counts.get(round) ?? 0
    })
})

/**
 * The stores, with a check around each look of a round. Where it finds something, the due times had said so; and if it
 * found nothing shortly before, a signal came since, or what it found is due by now. So each suite that runs rounds
 * over them shows that a host at rest misses nothing.
 */
export const withDueChecks = <Stores, E, R>(stores: Layer.Layer<Stores, E, R>) =>
  Layer.flatMap(stores, (context) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const dues = yield* Dues
        const signalsOf = yield* listening
        const checked = (round: RoundName, look: Statement): Statement => {
          let rest: Rest | null = null
          return (...args) =>
            Effect.gen(function* () {
              const nowMillis = latestOf(args, yield* Clock.currentTimeMillis)
              // The database tells by its own clock what is due soon, so signals need a virtual time in its past.
              const signals = nowMillis < Date.now() ? yield* signalsOf(round) : null
              const isAsleep =
                rest !== null &&
                rest.signals === signals &&
                rest.untilMillis > nowMillis &&
                nowMillis - rest.fromMillis < REST_MILLIS
              // A host at rest does not look: whatever the due times say by now, there must be nothing.
              if (isAsleep) {
                const found = yield* look(...args)
                if (found.length === 0) return found
                return yield* Effect.die(new Error(`${round} found something that nobody signalled`))
              }
              const inMillis = yield* dues.inMillis(round, nowMillis)
              const found = yield* look(...args)
              rest =
                found.length > 0 || signals === null
                  ? null
                  : { fromMillis: nowMillis, untilMillis: nowMillis + inMillis, signals }
              if (found.length > 0 && inMillis > BETWEEN_MILLIS) {
                return yield* Effect.die(new Error(`${round} found something that was due in ${inMillis} ms`))
              }
              return found
            })
        }
        let all: Context.Context<never> = context as Context.Context<never>
        for (const [tag, looks] of LOOKS) {
          const key = tag as unknown as Context.Key<never, Record<string, Statement>>
          const store = Context.getUnsafe(all, key)
          const watched = Object.entries(looks).map(([name, round]) => [name, checked(round, store[name] as Statement)])
          all = Context.add(all, key, { ...store, ...Object.fromEntries(watched) })
        }
        return all as Context.Context<Stores>
      })
    )
  )
