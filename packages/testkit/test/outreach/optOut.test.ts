import { assert, it } from "@effect/vitest"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ofLead, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { type CampaignLead, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { type OptOut, suppress as makeSuppress } from "@outbound/domain/outreach/optOut/Suppress.js"
import * as UnsubscribeLive from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { type SuppressionSource, SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, Layer } from "effect"
import { leadOf } from "../../src/contracts/campaignFixtures.js"
import { addressHashOf, freshId, givenWorkspace, hashOf, NOON } from "../../src/contracts/fixtures.js"
import { givenLaunched, givenMailboxes } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

/** The same hash of an address as that of the stores' stories. */
const crypto = {
  mac: (_purpose: string, text: string) => addressHashOf(text.slice(0, text.indexOf("\n")), text.split("\n")[1] ?? ""),
  sha256Hex: hashOf
} as unknown as Crypto["Service"]

const layer = Layer.mergeAll(memory, TestIds.layer, Layer.succeed(Crypto, crypto))

const ANN = "ann@acme.test"

/** A workspace with one campaign to each list of people, and what is done and told when one of them says no. */
const given = (lists: ReadonlyArray<ReadonlyArray<string>>, campaign: object = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const suppressions = yield* SuppressionStore
    const trail = yield* TrailStore
    const vendors = yield* VendorStore
    const woken: Array<ReadonlyArray<string>> = []
    const suppress = yield* makeSuppress.pipe(
      Effect.provideService(VendorStore, {
        ...vendors,
        wake: (_workspaceId, campaignIds) => Effect.sync(() => void woken.push([...campaignIds]))
      })
    )
    const { workspaceId } = yield* givenWorkspace()
    const mailboxes = yield* givenMailboxes(workspaceId, 1)
    const campaigns = yield* Effect.forEach(lists, (emails) =>
      givenLaunched(workspaceId, mailboxes, emails, { campaign: { launchedAtMillis: NOON, ...campaign } })
    )
    const now = (list: number, person: number) =>
      leadOf(workspaceId, campaigns[list]?.leads[person]?.campaignLeadId ?? "").pipe(Effect.orDie)
    const says = (lead: CampaignLead, optOut: Partial<OptOut> = {}) =>
      atomically(
        suppress(
          {
            lead,
            sources: ["reply"],
            event: "reply",
            reason: "reply",
            common: { ...ofLead(lead), source: "provider_poll", requestId: null },
            ...optOut
          },
          NOON
        )
      )
    const sources = (email: string) => suppressions.sourcesOf(workspaceId, addressHashOf(workspaceId, email))
    const told = Effect.map(
      trail.page({
        workspaceId,
        campaignId: null,
        email: null,
        kinds: [],
        sinceMillis: null,
        untilMillis: null,
        limit: 100,
        after: null
      }),
      (events) => events.toReversed()
    )
    return { campaigns, now, says, sources, told, woken, workspaceId }
  })

const story = <E>(name: string, body: Effect.Effect<void, E, Effect.Services<ReturnType<typeof given>>>) =>
  it.effect(name, () => Effect.provide(body, layer))

story(
  "who says no to one campaign leaves the others, and the vendors of all of them are told",
  Effect.gen(function* () {
    const { campaigns, now, says, sources, told, woken } = yield* given([[ANN, "bob@acme.test"], [ANN]])
    const { left } = yield* says(yield* now(0, 0))
    assert.deepStrictEqual(
      left.map(({ campaignLeadId }) => campaignLeadId),
      [campaigns[1]?.leads[0]?.campaignLeadId]
    )
    assert.deepStrictEqual([(yield* now(0, 0)).state, (yield* now(0, 0)).nextAtMillis], ["replied", null])
    assert.strictEqual((yield* now(1, 0)).state, "removed")
    assert.strictEqual((yield* now(0, 1)).state, "ready", "a colleague said nothing")
    assert.deepStrictEqual([...(yield* sources(ANN))], ["reply"])
    assert.sameMembers(
      [...new Set(woken[0])],
      campaigns.map(({ campaign }) => campaign.campaignId)
    )
    const [one = "", other = ""] = campaigns.map(({ campaign }) => campaign.campaignId)
    assert.deepStrictEqual(
      (yield* told).map(({ campaignId, detail, kind }) => [kind, campaignId, detail]),
      [
        ["suppressed", one, {}],
        ["stop", one, { reason: "reply" }],
        ["removed", other, { reason: "opted_out" }]
      ]
    )
  })
)

story(
  "a no that is said again changes nothing and is told once; another kind of no is told",
  Effect.gen(function* () {
    const { now, says, told } = yield* given([[ANN]])
    yield* says(yield* now(0, 0))
    const before = yield* told
    const { left } = yield* says(yield* now(0, 0))
    assert.isEmpty(left)
    assert.deepStrictEqual(yield* told, before)
    yield* says(yield* now(0, 0), { sources: ["reply", "unsubscribe"], reason: "unsubscribe" })
    assert.deepStrictEqual(
      (yield* told).slice(before.length).map(({ detail, kind }) => [kind, detail]),
      [
        ["suppressed", {}],
        ["stop", { reason: "unsubscribe" }]
      ]
    )
  })
)

story(
  "who says no a first time, and was suppressed by a list before, is told to have stopped",
  Effect.gen(function* () {
    const { now, says, told, workspaceId } = yield* given([[ANN]])
    const { atomically } = yield* UnitOfWork
    const known = {
      workspaceId,
      addressHash: addressHashOf(workspaceId, ANN),
      source: "reply",
      atMillis: NOON
    } as const
    yield* atomically((yield* SuppressionStore).add(known))
    yield* says(yield* now(0, 0))
    assert.deepStrictEqual(
      (yield* told).map(({ kind }) => kind),
      ["suppressed", "stop"]
    )
  })
)

story(
  "who answers from another address is left alone there too, in every campaign, and that is told once",
  Effect.gen(function* () {
    const PRIVATE = "ann@home.test"
    const { now, says, sources, told } = yield* given([[ANN], [PRIVATE]])
    yield* says(yield* now(0, 0), { writer: `Ann <${PRIVATE}>`.slice(5, -1) })
    assert.deepStrictEqual([...(yield* sources(PRIVATE))], ["reply"])
    assert.strictEqual((yield* now(1, 0)).state, "removed")
    const events = yield* told
    const ofWriter = events.filter(({ email }) => email === PRIVATE)
    assert.deepStrictEqual(
      ofWriter.map(({ campaignId, detail, kind }) => [kind, campaignId === null, detail]),
      [
        ["suppressed", true, { reason: "answered_for" }],
        ["removed", false, { reason: "opted_out" }]
      ]
    )
    yield* says(yield* now(0, 0), { writer: PRIVATE })
    assert.deepStrictEqual(yield* told, events)
  })
)

story(
  "who writes from the address that was written to, or from none that can be read, is nobody else",
  Effect.gen(function* () {
    const { now, says, told } = yield* given([[ANN]])
    for (const writer of [ANN.toUpperCase(), "", "nobody"]) yield* says(yield* now(0, 0), { writer })
    assert.deepStrictEqual(
      (yield* told).map(({ detail, kind }) => [kind, detail]),
      [
        ["suppressed", {}],
        ["stop", { reason: "reply" }]
      ]
    )
  })
)

story(
  "a writer gets a source that is only for those who are suppressed already, if they are, and not otherwise",
  Effect.gen(function* () {
    const { now, says, sources, workspaceId } = yield* given([[ANN]])
    const { atomically } = yield* UnitOfWork
    const also = { writer: "bob@home.test", ifSuppressed: true, sources: ["not_interested"] } as const
    yield* says(yield* now(0, 0), also)
    assert.isEmpty(yield* sources("bob@home.test"))
    const of = { workspaceId, addressHash: addressHashOf(workspaceId, "bob@home.test"), atMillis: NOON }
    yield* atomically((yield* SuppressionStore).add({ ...of, source: "reply" }))
    yield* says(yield* now(0, 0), also)
    const found: ReadonlyArray<SuppressionSource> = yield* sources("bob@home.test")
    assert.sameMembers([...found], ["reply", "not_interested"])
  })
)

story(
  "of a person who was erased no address is written down, not even the one that they write from",
  Effect.gen(function* () {
    const { now, says, sources, told } = yield* given([[ANN]])
    yield* says({ ...(yield* now(0, 0)), email: "" }, { writer: "ann@home.test" })
    assert.deepStrictEqual([...(yield* sources("ann@home.test"))], ["reply"])
    const [writer] = (yield* told).filter(({ detail }) => detail["reason"] === "answered_for")
    assert.strictEqual(writer?.kind, "suppressed")
    assert.isNull(writer?.email)
  })
)

story(
  "an answer ends what their company gets where the campaign says so; a bounce says nothing of the company",
  Effect.gen(function* () {
    const { now, says, told } = yield* given([["ann@acme.test", "bob@acme.test", "cy@else.test"]], {
      stopForCompany: true
    })
    yield* says(yield* now(0, 0), { sources: ["hard_bounce"], event: "bounce", reason: "hard_bounce" })
    assert.strictEqual((yield* now(0, 1)).state, "ready")
    yield* says(yield* now(0, 0), { event: "reply" })
    assert.deepStrictEqual([(yield* now(0, 1)).state, (yield* now(0, 2)).state], ["removed", "ready"])
    assert.deepStrictEqual(
      (yield* told).filter(({ kind }) => kind === "removed").map(({ detail, email }) => [email, detail]),
      [["bob@acme.test", { reason: "company_answered" }]]
    )
  })
)

story(
  "who writes from a mailbox that everybody may have stands for no company",
  Effect.gen(function* () {
    const { now, says } = yield* given([["ann@gmail.com", "bob@gmail.com"]], { stopForCompany: true })
    yield* says(yield* now(0, 0))
    assert.strictEqual((yield* now(0, 1)).state, "ready")
  })
)

story(
  "what else belongs to it is done before the vendors are woken, and falls with it",
  Effect.gen(function* () {
    const { now, says, sources, told, woken, workspaceId } = yield* given([[ANN]])
    const { atomically } = yield* UnitOfWork
    const order: Array<string> = []
    const suppress = yield* makeSuppress.pipe(
      Effect.provideService(VendorStore, {
        ...(yield* VendorStore),
        wake: () => Effect.sync(() => void order.push("wake"))
      })
    )
    const lead = yield* now(0, 0)
    const optOut = {
      lead,
      sources: ["reply"],
      event: "reply",
      reason: "reply",
      common: { ...ofLead(lead), source: "system" }
    } as const
    const campaigns = yield* CampaignStore
    const failed = suppress(
      optOut,
      NOON,
      Effect.suspend(() => {
        order.push("also")
        return Effect.die(new Error("the store broke"))
      })
    )
    yield* Effect.exit(atomically(failed))
    assert.deepStrictEqual(order, ["also"])
    assert.isEmpty(yield* sources(ANN))
    assert.isEmpty(yield* told)
    assert.strictEqual((yield* campaigns.firstLeads(workspaceId, lead.campaignId, ["ready"], 9)).length, 1)
    yield* says(lead)
    assert.lengthOf(woken, 1)
  })
)

story(
  "the link of a message unsubscribes whom it was sent to, once, and is told once; no other link does anything",
  Effect.gen(function* () {
    const { now, sources, told, workspaceId } = yield* given([[ANN], [ANN]])
    const unsubscribing = yield* Effect.provide(Unsubscribe, UnsubscribeLive.layer)
    const linkTo = (campaignLeadId: string, of = workspaceId) => ({
      workspaceId: of,
      token: `${campaignLeadId}.${linkMac(crypto, of, campaignLeadId)}`
    })
    const lead = yield* now(0, 0)
    const link = linkTo(lead.campaignLeadId)
    const forged = { ...link, token: link.token.replace(/.$/, (last) => (last === "A" ? "B" : "A")) }
    assert.deepStrictEqual([unsubscribing.isGenuine(link), unsubscribing.isGenuine(forged)], [true, false])
    assert.isFalse(yield* unsubscribing.unsubscribe(forged))
    // We made it once, and nobody is behind it any more.
    assert.isFalse(yield* unsubscribing.unsubscribe(linkTo(freshId())))
    assert.isEmpty(yield* told)
    assert.isTrue(yield* unsubscribing.unsubscribe(link))
    assert.deepStrictEqual([(yield* now(0, 0)).state, (yield* now(1, 0)).state], ["unsubscribed", "removed"])
    assert.deepStrictEqual([...(yield* sources(ANN))], ["unsubscribe"])
    const events = yield* told
    assert.deepStrictEqual(
      events.map(({ campaignId, email, kind, source }) => [kind, source, email, campaignId === lead.campaignId]),
      [
        ["unsubscribe", "system", ANN, true],
        ["suppressed", "system", ANN, true],
        ["stop", "system", ANN, true],
        ["removed", "system", ANN, false]
      ]
    )
    assert.isTrue(yield* unsubscribing.unsubscribe(link))
    assert.deepStrictEqual(yield* told, events)
  })
)
