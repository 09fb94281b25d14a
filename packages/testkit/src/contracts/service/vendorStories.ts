import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { InterestMirror } from "@outbound/domain/outreach/interest/InterestMirror.js"
import type { KillStore } from "@outbound/domain/control/KillStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { VendorRounds } from "@outbound/domain/outreach/sending/vendor/VendorRounds.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Clock, Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, makeKey } from "../../service/Client.js"
import { resting } from "../../service/Rests.js"
import type { FakeVendor } from "../../vendors/FakeVendor.js"
import { endsSoon, patience } from "../../service/patience.js"
import { draft, freshKey, launch, ok, SCOPES, type ServiceOnStores } from "./stories.js"

export type VendorService = ServiceOnStores | KillStore | VendorStore | VendorRounds

/** Live workspaces are sent for by this vendor alone. */
export const liveWith = (fake: FakeVendor): ProviderSet => ({ ...noProviders, sending: fake.provider })

/** A Monday, at noon. */
export const MONDAY = Date.UTC(2027, 0, 4, 12)

let workspaces = 0

/** A live workspace with mailboxes at the vendor. */
export const vendorTeam = (count = 2, scopes = [...SCOPES, "reply:send" as const]) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const sendings = yield* SendingStore
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    workspaces += 1
    const ownerEmail = `vendor-${workspaces}-${process.pid}@example.test`
    const { workspaceId } = yield* admin.createWorkspace({
      name: "Team",
      ownerEmail,
      kind: "live",
      credits: credits("300"),
      postalAddress: "1 Main Street, Springfield"
    })
    const client = yield* makeKey(workspaceId, ownerEmail, { scopes })
    const nowMillis = yield* Clock.currentTimeMillis
    const operationId = ids.next(nowMillis)
    const mailboxes = Array.from({ length: count }, (_, index): Mailbox => {
      const mailboxId = ids.next(nowMillis)
      return {
        workspaceId,
        mailboxId,
        kind: "purchased",
        operationId,
        domain: "try-acme.test",
        address: `m${index}-${mailboxId}@try-acme.test`,
        displayName: "Jo Doe",
        state: "active",
        pauseReason: null,
        activeAtMillis: nowMillis,
        upkeepPaidUntilMillis: nowMillis + 365 * DAY_MILLIS,
        restsUntilMillis: null,
        ...UNDECLARED,
        createdAtMillis: nowMillis
      }
    })
    yield* atomically(sendings.insertMailboxes(mailboxes))
    return { client, mailboxes }
  }).pipe(Effect.orDie)

export const TWO_STEPS = [
  { subject: "Hello {{first_name|there}}", body: "Hi {{first_name|there}}, {{custom.fact|well}}" },
  { body: "Again", wait_days: 2 }
]

let persons = 0

/** So many people whom nobody else names. */
export const strangers = (count: number) => {
  persons += 1
  return Array.from({ length: count }, (_, index) => ({ email: `p${persons}-${index}@people.test` }))
}

/** What hosts do beside answering, once. */
export const hostTurn = Effect.gen(function* () {
  const rounds = yield* VendorRounds
  const inbox = yield* Inbox
  const dispatcher = yield* Dispatcher
  const interest = yield* InterestMirror
  const completion = yield* makeCompletionSweep
  yield* resting("vendors", rounds.round)
  while ((yield* resting("mail", inbox.round)) > 0) yield* Effect.yieldNow
  yield* resting("mail", dispatcher.round)
  yield* resting("forbidden", dispatcher.takeOut)
  yield* resting("sequences", dispatcher.end)
  yield* resting("interest", interest.round)
  yield* resting("completion", completion)
}).pipe(Effect.orDie)

/** Runs what may wait for a vendor that says nothing: time passes while it does, and no other. */
export const patiently = <A, E, R>(fake: FakeVendor, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (const isPatient = patience(); isPatient();) {
      if (yield* endsSoon(fiber)) break
      if (fake.silent() > 0) yield* TestClock.adjust("16 seconds")
    }
    return yield* Fiber.join(fiber)
  })

/** Lets time pass, the vendor and a host at their work in every step of it. */
export const vendorPass = (fake: FakeVendor, duration: Duration.Input, step: Duration.Input = "10 seconds") =>
  Effect.gen(function* () {
    const steps = Math.ceil(Duration.toMillis(duration) / Duration.toMillis(step))
    yield* patiently(fake, hostTurn)
    for (let index = 0; index < steps; index += 1) {
      yield* TestClock.adjust(step)
      yield* fake.work
      yield* patiently(fake, hostTurn)
    }
  })

export const stateOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("add_leads", { campaign_id, finalize_incomplete: true }, { key: freshKey() }), (answer) =>
    String(ok(answer).result.state)
  )

/** A draft whose people the vendor has confirmed. */
export const confirmed = (client: Client, fake: FakeVendor, body: JsonObject) =>
  Effect.gen(function* () {
    const made = yield* draft(client, { sequence: TWO_STEPS, ...body })
    yield* vendorPass(fake, "1 minute")
    return made.result.campaign_id as string
  })

/** The same, launched, and sent from. */
export const atWork = (client: Client, fake: FakeVendor, body: JsonObject) =>
  Effect.gen(function* () {
    const campaign_id = yield* confirmed(client, fake, body)
    yield* launch(client, campaign_id)
    yield* vendorPass(fake, "1 minute")
    return campaign_id
  })

/** What the vendor has sent in a campaign of ours, whatever it calls it. */
export const sentIn = (fake: FakeVendor, campaign_id: string) => {
  const refs = fake.world.campaigns.filter(({ terms }) => terms.marker.includes(campaign_id)).map(({ ref }) => ref)
  return fake.world.sent.filter(({ ref }) => refs.includes(ref))
}

/** The campaign of ours at the vendor; there must be one. */
export const campaignAt = (fake: FakeVendor, campaign_id: string) => {
  const [found, ...more] = fake.world.campaigns.filter(({ terms }) => terms.marker.includes(campaign_id))
  assert.isDefined(found)
  assert.isEmpty(more, "it stands there twice")
  return found as NonNullable<typeof found>
}

/** Nobody got a step twice, and no step before the one before. */
export const assertOnce = (fake: FakeVendor, campaign_id: string): void => {
  const steps = sentIn(fake, campaign_id).map(({ email, step }) => `${email} ${step}`)
  assert.lengthOf(new Set(steps), steps.length)
}

export const leadIn = (workspaceId: string, campaignLeadId: string) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const { atomically } = yield* UnitOfWork
    return Option.getOrThrow(yield* atomically(campaigns.lockLead(workspaceId, campaignLeadId)))
  })

/** The campaign's state, and why it is paused. */
export const inState = (workspaceId: string, campaign_id: string) =>
  Effect.flatMap(CampaignStore, (campaigns) =>
    Effect.map(campaigns.get(workspaceId, campaign_id), (found) => {
      const { pauseReason, state } = Option.getOrThrow(found)
      return pauseReason === null ? state : `${state} ${pauseReason}`
    })
  )

/** Ends a campaign that its story needs no more, so that hosts leave it alone in the stories to come. */
export const retire = (workspaceId: string, campaign_id: string) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(
      Effect.gen(function* () {
        const campaign = Option.getOrThrow(yield* campaigns.lock(workspaceId, campaign_id))
        yield* campaigns.update({ ...campaign, state: "completed" })
      })
    )
    yield* hostTurn
  })

/** The few zones that the vendor of these stories knows. */
export const VENDOR_ZONES = ["Africa/Abidjan", "America/Boise", "America/Detroit", "Europe/Belgrade"]
