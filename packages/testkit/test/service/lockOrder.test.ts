import { assert, layer as describeLayer } from "@effect/vitest"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { CLAIM_STALE_MILLIS, OWN_CLAIM_STALE_MILLIS } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  campaign,
  ownPass,
  ownTurn,
  people,
  taken,
  team,
  whileServers
} from "../../src/contracts/service/ownStories.js"
import { freshKey, launch, leadOf, ok, SUITE } from "../../src/contracts/service/stories.js"
import {
  campaignAt,
  confirmed,
  liveWith,
  MONDAY,
  sentIn,
  strangers,
  VENDOR_ZONES,
  vendorPass,
  vendorTeam
} from "../../src/contracts/service/vendorStories.js"
import { MailBehaviour } from "../../src/mail/MemoryMail.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { quietMemory, over } from "../../src/service/Service.js"
import { makeFakeVendor } from "../../src/vendors/FakeVendor.js"

/** What takes a lock that it may have to wait for, by its place in the order of `SendingStore`. */
const PLACES: Readonly<Record<string, number>> = {
  "SendingStore.lockMessage": 2,
  "SendingStore.insertFailed": 2,
  "CampaignStore.lockLead": 3,
  "CampaignStore.lockPerson": 3,
  "CampaignStore.lockLeads": 3,
  "CampaignStore.stopCompany": 3,
  "SendingStore.lockMailbox": 4,
  "SendingStore.restMailbox": 4,
  "SendingStore.setReceiverRest": 4,
  "OwnMailboxStore.lockAddress": 4,
  "CreditStore.take": 5,
  "CampaignStore.lockActive": 6,
  "CampaignStore.lock": 6,
  "VendorStore.lock": 7,
  "VendorStore.wake": 7,
  "VendorStore.wakeAll": 7
}

/** A launch holds a campaign that is not active: nobody who holds a lead waits for it. */
const APART: ReadonlySet<string> = new Set(["CampaignStore.lockLeads after CampaignStore.lock"])

/** What passes over what others hold: from then on it is held. */
const HOLDS: Readonly<Record<string, string>> = {
  "SendingStore.lockStaleClaims": "SendingStore.lockMessage"
}

/** The locks of each transaction, where one comes after another that it should come before. */
const outOfOrder = (operations: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  let held: Array<string> = []
  for (const operation of operations) {
    if (operation === "UnitOfWork.atomically") held = []
    const holds = HOLDS[operation]
    if (holds !== undefined) held.push(holds)
    const place = PLACES[operation]
    if (place === undefined || held.includes(operation)) continue
    const later = held.find((one) => (PLACES[one] ?? 0) > place)
    const breach = `${operation} after ${later}`
    if (later !== undefined && !APART.has(breach)) found.push(breach)
    held.push(operation)
  }
  return found
}

const REFUSE = { closing: [421, "connection"], busy: [451, "recipient"], login: [535, "login"] } as const

let events = 0

const arrives = (of: { readonly workspaceId: string; readonly inReplyTo: string }, given: Partial<InboundEvent>) =>
  Effect.gen(function* () {
    const inbound = yield* Inbound
    events += 1
    yield* inbound.receive([
      {
        ...of,
        provider: "test",
        providerEventId: `order-${events}`,
        kind: "reply",
        source: "provider_poll",
        messageId: null,
        fromEmail: "x@recipients.test",
        toEmail: null,
        subject: "Re: Hello",
        bodyText: "No.",
        bodyHtml: null,
        classification: null,
        bounce: null,
        receivedAtMillis: yield* Clock.currentTimeMillis,
        ...given
      }
    ])
  })

const watched = <A, E, R>(story: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const faults = yield* MemoryFaults
    const operations = yield* faults.watch(story)
    assert.isAbove(operations.filter((operation) => operation in PLACES).length, 3)
    assert.deepStrictEqual([...new Set(outOfOrder(operations))], [])
  })

describeLayer(quietMemory, SUITE)("locks", (it) => {
  it.effect("are taken in one order when servers fail", () =>
    watched(
      Effect.gen(function* () {
        for (const [word, [code, phase]] of Object.entries(REFUSE)) {
          const owner = yield* team(1)
          yield* campaign(owner, { recipients: people(3, word) })
          const reason = phase === "login" ? ("account" as const) : ("transient" as const)
          yield* whileServers(MailBehaviour.Refuse({ phase, code, status: null, reason }), ownPass("2 hours"))
        }
        for (const [kept, after] of [
          [true, CLAIM_STALE_MILLIS],
          [false, OWN_CLAIM_STALE_MILLIS]
        ] as const) {
          const owner = yield* team(1)
          yield* campaign(owner, { recipients: people(1, `lost-${kept}`) })
          yield* whileServers(MailBehaviour.Lose({ kept }), ownTurn)
          yield* TestClock.adjust(after + 60_000)
          yield* ownTurn
        }
      })
    )
  )

  it.effect("are taken in one order when answers, bounces and unsubscribes come in", () =>
    watched(
      Effect.gen(function* () {
        const owner = yield* team(1)
        const campaign_id = yield* campaign(owner, { recipients: people(25, "order") })
        yield* campaign(owner, { recipients: people(25, "order") })
        yield* campaign(owner, { recipients: people(1, "colleague"), stop_for_company: true })
        yield* ownPass("30 hours", "30 minutes")
        const { workspaceId } = owner.client
        const mails = (yield* taken(owner)).map(({ mail }) => mail)
        const about = (index: number) => ({ workspaceId, inReplyTo: mails[index]!.messageId })
        yield* arrives(about(0), {})
        yield* arrives(about(1), { kind: "bounce", bounce: { type: "hard", status: "5.1.1" } })
        yield* arrives(about(2), { kind: "bounce", bounce: { type: "soft", status: "4.2.2" } })
        yield* arrives(about(3), { kind: "complaint" })
        yield* ownTurn
        const unsubscribe = yield* Unsubscribe
        const [, , , token = ""] = new URL(mails[4]!.unsubscribeUrl ?? "").pathname.split("/")
        assert.isTrue(yield* unsubscribe.unsubscribe({ workspaceId, token }))
        const campaign_lead_id = yield* leadOf(owner.client, campaign_id, mails[5]!.to.address)
        const no = { campaign_lead_id, status: "not_interested" }
        ok(yield* owner.client.call("set_lead_status", no, { key: freshKey() }))
      }).pipe(Effect.orDie)
    )
  )
})

const fake = makeFakeVendor({ timezones: VENDOR_ZONES })

describeLayer(over(MemoryLayer.layer, liveWith(fake)), SUITE)("locks", (it) => {
  it.effect("are taken in one order where a vendor sends", () =>
    watched(
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam(1)
        const recipients = strangers(3)
        const both = [
          yield* confirmed(client, fake, { recipients }),
          yield* confirmed(client, fake, { recipients })
        ] as const
        for (const campaign_id of both) yield* launch(client, campaign_id)
        yield* vendorPass(fake, "2 minutes")
        const taken = both.filter((campaign_id) => sentIn(fake, campaign_id).length > 0)
        assert.lengthOf(taken, 1)
        const { ref } = campaignAt(fake, taken[0] ?? "")
        const nowMillis = yield* Clock.currentTimeMillis
        fake.world.end(ref, recipients[0]?.email ?? "", "bounced", nowMillis)
        fake.world.end(ref, recipients[1]?.email ?? "", "unsubscribed", nowMillis)
        fake.world.answer(ref, recipients[2]?.email ?? "", "No.", nowMillis)
        yield* vendorPass(fake, "2 minutes")
      })
    )
  )
})
