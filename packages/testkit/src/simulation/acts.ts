/** What may happen next: clients, people, workers, the clock, providers and death. Each act is one step of a run. */
import { makeExpirySweep } from "@outbound/domain/calls/approvals/Expiry.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Clock, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../providers/Faulty.js"
import type { Answered } from "../service/Client.js"
import { Faults } from "../service/Service.js"
import { type Asked, SENDING, type Tenant, type Waiting, type World } from "./World.js"

const SEQUENCE = [
  { variants: ["Hello", "Good morning"].map((subject) => ({ subject, body: subject })) },
  { body: "Again", wait_days: 2 }
]

/** Few people, so that campaigns meet. The sandbox's world decides how each of them reacts. */
const PEOPLE = ["silent+a", "silent+b", "interested", "not_interested", "unsubscribe", "bounce", "out_of_office"].map(
  (name) => `${name}@magic.test`
)

const VERIFIERS = ["valid", "invalid", "risky", "unavailable", "slow"].map((name) => `${name}@magic.test`)

/** Data sources that misbehave, by the sandbox's names. */
const SOURCES = ["sandbox_probe", "sandbox_probe_deep", "sandbox_contacts_index", "sandbox_contacts_broad"]

const BREAKS = "breaks"

const BEHAVIOURS: ReadonlyArray<readonly [name: string, behaviour: Behaviour]> = [
  ["answers", Behaviour.Answer()],
  ["fails", Behaviour.Fail({ reason: "transient" })],
  ["is late", Behaviour.Late({ after: "20 seconds" })],
  ["never answers", Behaviour.Never()],
  ["acts twice", Behaviour.Twice()],
  ["acts and loses its answer", Behaviour.ActThenFail({ reason: "unknown_outcome" })],
  ["talks nonsense", Behaviour.Garbage()],
  [BREAKS, Behaviour.Die({ defect: new Error("the adapter broke") })]
]

/** A source that says at once that it can't did nothing. */
const NOTHING_LEFT = "fails"

const somePeople = (world: World): ReadonlyArray<string> => PEOPLE.filter(() => world.int(3) === 0)

const fresh = (world: World): string => `key-${(world.keys += 1)}`

/** Sends it, and holds the answer against what the key answered before. */
const send = (world: World, tenant: Tenant, asked: Asked) =>
  Effect.gen(function* () {
    const { body, key, verb } = asked
    const answer = yield* world.run(tenant.client.call(verb, body as JsonObject, { key }))
    const said = Option.match(answer, {
      onNone: () => "no answer",
      onSome: ({ error, status }) => error?.code ?? status
    })
    yield* world.say(`${verb} ${key}: ${said}`)
    if (Option.isSome(answer)) {
      const { error } = answer.value
      // Whatever fails, a client hears why. Only a host that died says nothing.
      if (error?.code === "internal") yield* world.fail([`${verb} ${key} answered internal`])
      yield* world.fail(world.oracle.answered(keyOf(tenant, asked), JSON.stringify([verb, body]), answer.value))
    }
    return answer
  })

/** Of a verb with approval, the call that asks and the call that confirms have a record each. */
const keyOf = ({ client }: Tenant, { body, key }: Asked): string =>
  [client.keyId, key, "confirmation_token" in body].join(" ")

const learn = (world: World, tenant: Tenant, asked: Asked, answer: Option.Option<Answered>): void => {
  if (Option.isNone(answer) || answer.value.status !== 200) return
  const { approval_url: url, campaign_id, confirmation_token, status } = answer.value.result
  if (asked.verb === "create_campaign") {
    if (tenant.campaigns.some(({ campaignId }) => campaignId === campaign_id)) return
    const people = (asked.body.recipients as ReadonlyArray<{ readonly email: string }>).map(({ email }) => email)
    tenant.campaigns.push({ campaignId: campaign_id, people: new Set(people) })
  }
  const campaignId = asked.body.campaign_id as string | undefined
  const campaign = tenant.campaigns.find((one) => one.campaignId === campaignId)
  if (campaignId === undefined || campaign === undefined) return
  const added = ((asked.body.leads ?? []) as ReadonlyArray<{ readonly email: string }>).map(({ email }) => email)
  if (status === "needs_confirmation") {
    if (tenant.approvals.some((one) => one.url === url)) return
    const confirmed = { verb: asked.verb, body: { ...asked.body, confirmation_token }, key: fresh(world) }
    tenant.approvals.push({ url, campaignId, shown: new Set([...campaign.people, ...added]), confirmed })
    return
  }
  for (const email of added) campaign.people.add(email)
}

const ask = (world: World, tenant: Tenant, verb: Asked["verb"], body: Asked["body"]) =>
  Effect.gen(function* () {
    const asked: Asked = { verb, body, key: fresh(world) }
    tenant.asked.push(asked)
    learn(world, tenant, asked, yield* send(world, tenant, asked))
  })

const create = (world: World, tenant: Tenant) => {
  const recipients = [world.pick(PEOPLE), ...somePeople(world)].map((email) => ({ email }))
  return ask(world, tenant, "create_campaign", { name: "c", sequence: SEQUENCE, recipients })
}

/** The client tries it again, or takes its key for something else. */
const again = (world: World, tenant: Tenant) =>
  Effect.gen(function* () {
    const asked = world.pick(tenant.asked)
    if (asked === undefined) return
    const isOther = world.int(4) === 0
    const sent = isOther ? { ...asked, verb: "verify_email" as const, body: { email: "other@magic.test" } } : asked
    learn(world, tenant, sent, yield* send(world, tenant, sent))
  })

/** Two clients send the same at once. */
const twice = (world: World, tenant: Tenant) =>
  Effect.gen(function* () {
    const asked: Asked = { verb: "verify_email", body: { email: world.pick(VERIFIERS) }, key: fresh(world) }
    tenant.asked.push(asked)
    const call = tenant.client.call(asked.verb, asked.body as JsonObject, { key: asked.key })
    const answers = yield* world.run(Effect.all([call, call], { concurrency: 2 }))
    yield* world.say(`verify_email ${asked.key} twice at once`)
    for (const answer of Option.getOrElse(answers, () => [])) {
      yield* world.fail(world.oracle.answered(keyOf(tenant, asked), JSON.stringify([asked.verb, asked.body]), answer))
    }
  })

const idOf = ({ url }: Waiting): string => url.slice(url.lastIndexOf("/") + 1)

/** A person signs in, opens the page, and decides on what it shows. */
const decide = (world: World, tenant: Tenant, waiting: Waiting, decision: "approve" | "decline") =>
  Effect.gen(function* () {
    const console = yield* Console
    const approvalId = idOf(waiting)
    if (decision === "approve") world.oracle.approved(approvalId, waiting.campaignId, waiting.shown)
    const done = yield* world.run(
      Effect.result(
        Effect.gen(function* () {
          const link = yield* console.makeSignInLink(tenant.client.ownerEmail)
          const { signedIn } = Option.getOrThrow(yield* console.signIn(link))
          const shown = Option.getOrThrow(yield* console.approval(tenant.client.workspaceId, approvalId))
          return yield* console.decide(signedIn, approvalId, decision, shown.approval.snapshotDigest)
        })
      )
    )
    yield* world.say(
      `a person wants to ${decision} ${approvalId}: ${Option.match(done, { onNone: () => "no answer", onSome: ({ _tag }) => _tag })}`
    )
  })

const askLaunch = (world: World, tenant: Tenant) =>
  Effect.suspend(() => {
    const campaign = world.pick(tenant.campaigns)
    if (campaign === undefined) return create(world, tenant)
    return ask(world, tenant, "launch_campaign", { campaign_id: campaign.campaignId })
  })

const decideOne = (world: World, tenant: Tenant) =>
  Effect.gen(function* () {
    if (tenant.approvals.length === 0) yield* askLaunch(world, tenant)
    const waiting = world.pick(tenant.approvals)
    if (waiting === undefined) return
    yield* decide(world, tenant, waiting, world.int(4) === 0 ? "decline" : "approve")
    tenant.asked.push(waiting.confirmed)
    learn(world, tenant, waiting.confirmed, yield* send(world, tenant, waiting.confirmed))
  })

/** Confirms what nobody may have decided, or with the token of another campaign. */
const confirmOne = (world: World, tenant: Tenant) =>
  Effect.gen(function* () {
    const waiting = world.pick(tenant.approvals)
    const other = world.pick(tenant.campaigns)
    if (waiting === undefined) return
    const { confirmed } = waiting
    const isOther = other !== undefined && world.int(3) === 0
    const sent = isOther
      ? { ...confirmed, body: { ...confirmed.body, campaign_id: other.campaignId }, key: fresh(world) }
      : confirmed
    learn(world, tenant, sent, yield* send(world, tenant, sent))
  })

/** One round of each worker. */
export const workers = (world: World) =>
  Effect.gen(function* () {
    const dispatcher = yield* Dispatcher
    const inbox = yield* Inbox
    const journal = yield* CallJournal
    const expiry = yield* makeExpirySweep
    const completion = yield* makeCompletionSweep
    const rounds: ReadonlyArray<readonly [name: string, round: Effect.Effect<number, unknown>]> = [
      ["inbox", inbox.round],
      ["dispatcher", dispatcher.round],
      ["sweep of messages", dispatcher.sweep],
      ["sweep of approvals", expiry],
      ["sweep of campaigns", completion],
      ["sweep of calls", journal.sweep]
    ]
    for (const [name, round] of rounds) {
      const found = yield* world.run(Effect.result(round))
      const count = Option.match(found, {
        onNone: () => "cut off",
        onSome: (end) => (end._tag === "Success" ? String(end.success) : "failed")
      })
      if (count !== "0") yield* world.say(`${name}: ${count}`)
    }
  })

const misbehave = (world: World) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    const isSending = world.int(2) === 0
    // A source that breaks is answered `internal`, rightly.
    const among = isSending ? BEHAVIOURS : BEHAVIOURS.filter(([name]) => name !== BREAKS)
    const [name, behaviour] = world.pick(among) as (typeof BEHAVIOURS)[number]
    const source = isSending ? SENDING : (world.pick(SOURCES) as string)
    if (isSending) world.mayHaveLeft = name !== NOTHING_LEFT
    yield* faults.behave(source, behaviour)
    yield* world.say(`${source} ${name} from now on`)
  })

const PASSING = [100, 1_000, 3_000, 60_000, 3_600_000, 86_400_000]

const pass = (world: World) =>
  Effect.gen(function* () {
    const millis = world.pick(PASSING) ?? 0
    yield* TestClock.adjust(millis)
    yield* world.say(`${millis} ms pass`)
  })

const JUMPS = [-90_000, -18_000_000, -3_456_000_000, 18_000_000, 3_456_000_000]

/** The clock jumps; the host looks at it with its next round. */
const jump = (world: World, look: Effect.Effect<void, unknown>) =>
  Effect.gen(function* () {
    const millis = world.pick(JUMPS) ?? 0
    yield* TestClock.setTime((yield* Clock.currentTimeMillis) + millis)
    yield* world.say(`the clock jumps by ${millis} ms`)
    yield* world.run(Effect.ignore(look))
  })

const kill = (world: World, tenant: Tenant) =>
  Effect.gen(function* () {
    const answer = yield* world.run(tenant.guard.call("kill", { reason: "enough" }, { key: fresh(world) }))
    yield* world.say(`kill: ${Option.match(answer, { onNone: () => "no answer", onSome: ({ status }) => status })}`)
  })

/** One act, by chance. */
export const act = (world: World, look: Effect.Effect<void, unknown>) => {
  const tenant = world.pick(world.tenants) as Tenant
  const campaign = world.pick(tenant.campaigns)
  const chance = world.int(100)
  if (chance < 10) return ask(world, tenant, "verify_email", { email: world.pick(VERIFIERS) })
  if (chance < 14) return ask(world, tenant, "enrich", { person: { email: "email-only@magic.test" } })
  if (chance < 18) return twice(world, tenant)
  if (chance < 26) return again(world, tenant)
  if (chance < 32) return create(world, tenant)
  if (chance < 38) return askLaunch(world, tenant)
  if (chance < 42 && campaign !== undefined) {
    const leads = [{ email: world.pick(PEOPLE) }]
    return ask(world, tenant, "add_leads", { campaign_id: campaign.campaignId, leads })
  }
  if (chance < 57) return decideOne(world, tenant)
  if (chance < 60) return confirmOne(world, tenant)
  if (chance < 76) return workers(world)
  if (chance < 84) return pass(world)
  if (chance < 90) return misbehave(world)
  if (chance < 92) return jump(world, look)
  if (chance < 93) return world.int(3) === 0 ? kill(world, tenant) : pass(world)
  const uses = world.int(25)
  return Effect.andThen(
    Effect.sync(() => world.dieAfter(uses)),
    world.say(`the host dies after ${uses} more uses of a store`)
  )
}
