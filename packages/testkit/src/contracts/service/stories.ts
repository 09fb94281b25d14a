import { assert } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { makeExpirySweep } from "@outbound/domain/calls/approvals/Expiry.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import { InterestMirror } from "@outbound/domain/outreach/interest/InterestMirror.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import { type Credits, credits } from "@outbound/domain/kernel/money/Credits.js"
import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import type { KillStore } from "@outbound/domain/control/KillStore.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Answered, type Client, decide, makeClient, turn } from "../../service/Client.js"
import { Behaviour } from "../../providers/Faulty.js"
import { noteCampaign } from "../../service/Leftovers.js"
import { resting } from "../../service/Rests.js"
import { Faults, type Service } from "../../service/Service.js"
import type { WorkspaceKind, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { patience } from "../../service/patience.js"

/** The service with the stores beneath it, for what the sweeps of a host need and for what no verb can bring about. */
export type ServiceOnStores =
  | Service
  | ApprovalStore
  | CampaignStore
  | ConsoleReads
  | KillStore
  | OwnMailboxStore
  | SendingStore
  | SuppressionStore
  | TrailStore
  | UnitOfWork
  | UserStore
  | WorkspaceStore

export const SUITE = { timeout: "180 seconds" } as const

export const SCOPES: ReadonlyArray<Scope> = [
  "data:read",
  "usage:read",
  "campaign:write",
  "campaign:launch",
  "assets:purchase",
  "trail:read"
]

export const SENDING = "sandbox_sending"

let keys = 0

/** An Idempotency-Key that nobody has used. */
export const freshKey = (): string => `story-${(keys += 1)}`

/** A fresh workspace, and a key with every scope that its stories need. */
export const member = (
  options: {
    readonly credits?: string
    readonly cap?: Credits
    readonly autonomy?: boolean
    readonly kind?: WorkspaceKind
  } = {}
) => makeClient({ scopes: SCOPES, ...options })

export const grant = (client: Client, amount: string) =>
  Effect.flatMap(Admin, (admin) => admin.grantCredits(client.workspaceId, credits(amount))).pipe(Effect.orDie)

export const ok = (answer: Answered): Answered => {
  assert.strictEqual(answer.status, 200, answer.text)
  return answer
}

/** The answer is this refusal, with these details among its own. */
export const refused = (
  answer: Answered,
  status: number,
  code: string,
  details: Readonly<Record<string, unknown>> = {}
): void => {
  assert.deepStrictEqual([answer.status, answer.error?.code], [status, code], answer.text)
  assert.deepInclude(answer.error?.details ?? {}, details, answer.text)
}

export const PURCHASE = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

/** Asks for a quote, has it approved and buys. */
export const buy = (client: Client, request: JsonObject = PURCHASE, key = freshKey()) =>
  Effect.gen(function* () {
    const quote = ok(yield* client.call("setup_sending", request))
    yield* decide(client, quote.result.approval_url, "approve")
    const confirmation_token = quote.result.confirmation_token as string
    return ok(yield* client.call("setup_sending", { ...request, confirmation_token }, { key }))
  })

const POLLS_MAX = 200

/** Lets time pass until the operation has ended. */
export const ended = (client: Client, operation_id: string) =>
  Effect.gen(function* () {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      const { result } = ok(yield* client.call("get_operation", { operation_id }))
      if (result.finished_at !== null) return result
      yield* TestClock.adjust("250 millis")
    }
    return assert.fail(`${operation_id} did not end`)
  })

/** A workspace that can send from as many mailboxes as `dailySends` need. */
export const sender = (dailySends = 25) =>
  Effect.gen(function* () {
    const client = yield* member()
    yield* grant(client, "200000")
    const bought = yield* buy(client, { ...PURCHASE, daily_sends: dailySends })
    yield* ended(client, bought.result.operation_id)
    return client
  })

export const SEQUENCE = [
  { subject: "Hello {{first_name|there}}", body: "Hi {{first_name|there}}" },
  { body: "Again", wait_days: 2 }
]

export const to = (...emails: ReadonlyArray<string>) => emails.map((email) => ({ email }))

/** The counts of a list, of which these differ from nothing. */
export const listCounts = (given: Readonly<Record<string, unknown>>) => ({
  verified: 0,
  unverified: 0,
  valid: 0,
  invalid: 0,
  catch_all_valid: 0,
  catch_all_unknown: 0,
  risky: 0,
  unknown: 0,
  role: 0,
  disposable: 0,
  free_mail: 0,
  oldest_verified_at: null,
  ...given
})

/** So many people who never react. */
export const silent = (count: number, tag = "s") =>
  to(...Array.from({ length: count }, (_, index) => `silent+${tag}${index}@magic.test`))

/** A draft; what is not said is the usual. */
export const draft = (client: Client, body: JsonObject, key = freshKey()) =>
  Effect.map(client.call("create_campaign", { name: "Story", sequence: SEQUENCE, ...body }, { key }), (answer) => {
    const { result } = ok(answer)
    if (result.campaign_id !== undefined)
      noteCampaign({ workspaceId: client.workspaceId, campaignId: result.campaign_id })
    return answer
  })

export const askLaunch = (client: Client, campaign_id: string, key = freshKey()) =>
  Effect.map(client.call("launch_campaign", { campaign_id }, { key }), ok)

/** Asks, approves, launches. */
export const launch = (client: Client, campaign_id: string, key = freshKey()) =>
  Effect.gen(function* () {
    const asked = yield* askLaunch(client, campaign_id, key)
    yield* decide(client, asked.result.approval_url, "approve")
    const { confirmation_token } = asked.result
    return ok(yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key }))
  })

/** A campaign to these people, launched. Its id. */
export const launched = (client: Client, body: JsonObject) =>
  Effect.gen(function* () {
    const { result } = yield* draft(client, body)
    yield* launch(client, result.campaign_id)
    return result.campaign_id as string
  })

/** What the hosts sweep beside sending and reading. */
export const sweeps = Effect.gen(function* () {
  const expiry = yield* makeExpirySweep
  const completion = yield* makeCompletionSweep
  const interest = yield* InterestMirror
  const all = [resting("approvals", expiry), resting("completion", completion), resting("interest", interest.round)]
  while ((yield* Effect.all(all)).some((found) => found > 0)) yield* Effect.yieldNow
}).pipe(Effect.orDie)

/** Everything a host's workers do, until nothing is left to do now. */
export const work = Effect.andThen(turn, sweeps)

/** Lets time pass, the workers at their work in every step of it. */
export const pass = (duration: Duration.Input, step: Duration.Input = "1 second") =>
  Effect.gen(function* () {
    const steps = Math.ceil(Duration.toMillis(duration) / Duration.toMillis(step))
    yield* work
    for (let index = 0; index < steps; index += 1) {
      yield* TestClock.adjust(step)
      yield* work
    }
  })

/** Runs what waits for a provider, time passing until it has ended. */
export const drive = <A, E, R>(client: Client, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (const isPatient = patience(); isPatient();) {
      if (fiber.pollUnsafe() !== undefined) break
      yield* TestClock.adjust("5 seconds")
      yield* client.call("get_usage")
    }
    assert.isTrue(fiber.pollUnsafe() !== undefined, "it still waits for its provider")
    return yield* Fiber.join(fiber)
  })

export interface Event {
  readonly id: string
  readonly kind: string
  readonly observed_at: string
  readonly source: string
  readonly campaign_id: string | null
  readonly campaign_lead_id: string | null
  readonly reply_id: string | null
  readonly request_id: string | null
  readonly operation_id: string | null
  readonly email?: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The trail, oldest first, all pages of it. */
export const trailOf = (client: Client, filter: JsonObject = {}) =>
  Effect.gen(function* () {
    const events: Array<Event> = []
    let cursor: string | null = null
    do {
      const page: Answered = ok(
        yield* client.call("get_trail", { limit: 200, ...filter, ...(cursor === null ? {} : { cursor }) })
      )
      events.push(...page.result.events)
      cursor = page.result.next_cursor
    } while (cursor !== null)
    return events.reverse()
  })

export const kindsOf = (events: ReadonlyArray<Event>): ReadonlyArray<string> => events.map(({ kind }) => kind)

/** What reached the sending provider for a campaign, in order. */
export const deliveries = (campaignId: string) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    return (yield* faults.calls(SENDING)).flatMap(({ method, request }) => {
      const message = request as OutgoingMessage
      return method === "deliver" && message.campaignId === campaignId ? [message] : []
    })
  })

/** The sending provider behaves so for what runs within, and well again afterwards. */
export const whileSending =
  (behaviour: Behaviour) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Faults> =>
    Effect.flatMap(Faults, (faults) =>
      Effect.andThen(faults.behave(SENDING, behaviour), effect).pipe(
        Effect.ensuring(faults.behave(SENDING, Behaviour.Answer()))
      )
    )

/** The person's lead in a campaign, as the trail names it. */
export const leadOf = (client: Client, campaign_id: string, email: string) =>
  Effect.map(trailOf(client, { campaign_id, email, kind: "admitted" }), ([event]) => {
    assert.isNotNull(event?.campaign_lead_id)
    return event?.campaign_lead_id as string
  })
