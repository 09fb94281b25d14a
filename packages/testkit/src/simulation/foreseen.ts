/** Campaigns in the sandbox that nobody answers: what left is held against what the forecast said, day by day. */
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { SCOPES } from "@outbound/domain/verbs/Policy.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, Random, References } from "effect"
import { TestClock } from "effect/testing"
import * as QuietClock from "../clock/QuietClock.js"
import { type Client, decide, makeKey, turn } from "../service/Client.js"
import { layerMemory } from "../service/Service.js"
import { Chance } from "./Chance.js"

/** Any hour of this year may be the first: the clocks of many zones change in it. */
const YEAR = Date.UTC(2027, 0, 1)
const HOUR = 3_600_000

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago"
]
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

const PEOPLE_MAX = 70
/** Campaigns that run already when the forecast is made. */
const OTHERS_MAX = 2
const MAILBOXES_MAX = 3
const STEPS_MAX = 3
const WAIT_DAYS_MAX = 4

/** A campaign that has not ended after so many turns of its host never will. */
const TURNS_MAX = 5_000

/** Windows begin at a quarter of an hour, in whatever zone. */
const QUARTER = HOUR / 4

export interface ForeseenRun {
  readonly seed: number
  readonly campaign: string
  readonly messages: number
  /** What the forecast did not say; null: it was right. */
  readonly broken: string | null
}

const resultOf = (client: Client, verb: VerbName, input: JsonObject, key: string = verb) =>
  Effect.map(client.call(verb, input, { key }), ({ result, text }) => {
    if (result === undefined) throw new Error(`${verb}: ${text}`)
    return result
  })

const mailbox = (workspaceId: string, mailboxId: string, nowMillis: number): Mailbox => ({
  workspaceId,
  mailboxId,
  kind: "purchased",
  operationId: null,
  domain: "acme.test",
  address: `ada-${mailboxId}@acme.test`,
  displayName: "Ada",
  state: "active",
  pauseReason: null,
  activeAtMillis: nowMillis,
  upkeepPaidUntilMillis: null,
  restsUntilMillis: null,
  ...UNDECLARED,
  createdAtMillis: nowMillis
})

/** A workspace with so many mailboxes. */
const sender = (mailboxes: number) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const ids = yield* Ids
    const sendings = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const ownerEmail = "owner@example.test"
    const { workspaceId } = yield* admin.createWorkspace({
      name: "Foreseen",
      ownerEmail,
      kind: "sandbox",
      credits: credits("1"),
      postalAddress: "1 Main Street, Springfield"
    })
    const nowMillis = yield* Clock.currentTimeMillis
    const made = Array.from({ length: mailboxes }, () => mailbox(workspaceId, ids.next(nowMillis), nowMillis))
    yield* atomically(sendings.insertMailboxes(made))
    return yield* makeKey(workspaceId, ownerEmail, { scopes: SCOPES })
  }).pipe(Effect.orDie)

const launch = (client: Client, campaign: JsonObject & { readonly name: string }, people: number) =>
  Effect.gen(function* () {
    const { name } = campaign
    const recipients = Array.from({ length: people }, (_, index) => ({ email: `silent+${name}-${index}@magic.test` }))
    const { campaign_id } = yield* resultOf(client, "create_campaign", { ...campaign, recipients }, name)
    const { days } = yield* resultOf(client, "forecast_campaign", { campaign_id })
    const asked = { campaign_id }
    const { approval_url, confirmation_token } = yield* resultOf(client, "launch_campaign", asked, `${name} 1`)
    yield* decide(client, approval_url, "approve")
    yield* resultOf(client, "launch_campaign", { ...asked, confirmation_token }, `${name} 2`)
    return { campaign_id, days }
  })

const campaignOf = (random: Chance) => {
  const pick = <A>(of: ReadonlyArray<A>): A => of[random.integer(of.length)] as A
  const days = DAYS.filter(() => random.integer(2) === 0)
  const start_hour = random.integer(24)
  return {
    mailboxes: 1 + random.integer(MAILBOXES_MAX),
    people: 1 + random.integer(PEOPLE_MAX),
    sequence: Array.from({ length: 1 + random.integer(STEPS_MAX) }, (_, step) =>
      step === 0 ? { subject: "Hello", body: "Hi" } : { body: "Again", wait_days: random.integer(WAIT_DAYS_MAX + 1) }
    ),
    schedule: {
      timezone: pick(ZONES),
      days: days.length === 0 ? [pick(DAYS)] : days,
      start_hour,
      end_hour: start_hour + 1 + random.integer(24 - start_hour)
    }
  }
}

/** Lets the host work whenever something is due, until the campaign is over. */
const runToItsEnd = (client: Client, campaign_id: string) =>
  Effect.gen(function* () {
    const windows = yield* makeWindowSweep
    const completion = yield* makeCompletionSweep
    for (let turns = 0; turns < TURNS_MAX; turns += 1) {
      yield* windows
      yield* turn
      yield* completion
      const { next_due_at, state } = yield* resultOf(client, "get_campaign", { campaign_id })
      if (CampaignMachine.is.over(state)) return
      const nowMillis = yield* Clock.currentTimeMillis
      const quarterMillis = (Math.floor(nowMillis / QUARTER) + 1) * QUARTER
      // What is due and did not leave waits for another day, as a cap wants it.
      yield* TestClock.setTime(Math.max(quarterMillis, next_due_at === null ? 0 : Date.parse(next_due_at)))
    }
  }).pipe(Effect.orDie)

/** How many messages left, by UTC day and mailbox. */
const leftOf = (client: Client, campaign_id: string) =>
  Effect.gen(function* () {
    const counts: Record<string, number> = {}
    for (let cursor: string | null = null, more = true; more;) {
      const input: JsonObject = { campaign_id, kind: "sent", limit: 200, ...(cursor === null ? {} : { cursor }) }
      const { events, next_cursor } = yield* resultOf(client, "get_trail", input)
      for (const { detail, observed_at } of events) {
        const of = `${observed_at.slice(0, 10)} ${detail.mailbox}`
        counts[of] = (counts[of] ?? 0) + 1
      }
      cursor = next_cursor
      more = next_cursor !== null
    }
    return counts
  })

const differences = (said: Readonly<Record<string, number>>, left: Readonly<Record<string, number>>): string | null => {
  const wrong = [...new Set([...Object.keys(said), ...Object.keys(left)])]
    .toSorted()
    .filter((of) => said[of] !== left[of])
    .map((of) => `${of}: ${said[of] ?? 0} foreseen, ${left[of] ?? 0} left`)
  return wrong.length === 0 ? null : wrong.join("\n")
}

/** One campaign, all chance of which comes from the seed. */
export const simulateForeseen = (seed: number): Effect.Effect<ForeseenRun> =>
  Effect.suspend(() => {
    const random = new Chance(seed)
    const { mailboxes, people, ...asked } = campaignOf(random)
    const others = Array.from({ length: random.integer(OTHERS_MAX + 1) }, () => {
      const { mailboxes: _, ...other } = campaignOf(random)
      return other
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(YEAR + random.integer(365 * 24) * HOUR)
      const client = yield* sender(mailboxes)
      for (const [index, { people: many, ...other }] of others.entries()) {
        yield* launch(client, { ...other, name: `Other ${index}` }, many)
      }
      const { campaign_id, days } = yield* launch(client, { ...asked, name: "Foreseen" }, people)
      const said: Record<string, number> = {}
      for (const { date, mailbox: from, messages } of days) said[`${date} ${from}`] = messages
      yield* runToItsEnd(client, campaign_id)
      const left = yield* leftOf(client, campaign_id)
      const messages = Object.values(left).reduce((sum, count) => sum + count, 0)
      const missing = messages === people * asked.sequence.length ? null : `${messages} messages left`
      return { messages, broken: differences(said, left) ?? missing }
    }).pipe(
      Effect.scoped,
      Effect.provide(layerMemory),
      Effect.provideService(Random.Random, new Chance(seed)),
      Effect.withTracerEnabled(false),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.provide(QuietClock.layer(() => false, QuietClock.MEMORY_TURN)),
      Effect.map((found) => ({ seed, campaign: JSON.stringify({ people, mailboxes, ...asked, others }), ...found }))
    )
  })

/** The run as a person reads it. */
export const describeForeseen = ({ broken, campaign, seed }: ForeseenRun): string =>
  `seed ${seed}: ${broken ?? "as foreseen"}\n  ${campaign}`
