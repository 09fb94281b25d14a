import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ControlRefused } from "@outbound/domain/control/Control.js"
import { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, type Layer, Option, Schema, Stream } from "effect"
import type { Client } from "../../service/Client.js"
import { TestRows } from "../../memory/Hooks.js"
import { colleague, growStale, refusedBy, signIn } from "./controlSupport.js"
import { answer, answerer, approved } from "./replyStories.js"
import {
  draft,
  freshKey,
  launched,
  leadOf,
  member,
  ok,
  pass,
  refused,
  type ServiceOnStores,
  SUITE,
  trailOf
} from "./stories.js"

export type ErasureOnStores = ServiceOnStores | ErasureStore | SuppressionStore | TestRows | Inbound | CampaignStore

const PERSON = { email: "interested@magic.test", first_name: "Ottilie", last_name: "Quast", company_name: "Quastworks" }
const BODY = "Dear Ottilie, Thursday at 10 works."

const erase = (client: Client, email: string) =>
  Effect.orDie(Effect.flatMap(Erasure, (erasure) => erasure.eraseFor(client.workspaceId, email)))

const hashIn = (client: Client, email: string) =>
  Effect.map(Crypto, (crypto) => addressHashOf(crypto, client.workspaceId, email))

/** Nothing that is stored names them. */
const assertGone = (...texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text) =>
    Effect.flatMap(TestRows, (rows) =>
      Effect.map(rows.standing(text), (standing) => assert.deepStrictEqual(standing, [], text))
    )
  )

const decodes = <A, I>(schema: Schema.Codec<A, I>, value: unknown) =>
  assert.isTrue(Schema.is(Schema.toEncoded(schema))(value), JSON.stringify(value))

/** A person's data goes, everywhere, and stays gone; what was done stays (contract: trail, erasure). */
export const erasureContract = <E>(name: string, service: Layer.Layer<ErasureOnStores, E>) => {
  describeLayer(service, SUITE)(`erasure (${name})`, (it) => {
    it.effect("of someone who was written to, answered and was answered, nothing is left but that they said no", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { email } = PERSON
        const verifyKey = freshKey()
        const enrichKey = freshKey()
        yield* client.call("verify_email", { email }, { key: verifyKey })
        yield* client.call("enrich", { person: { email } }, { key: enrichKey })
        const custom = { boss: "INTERESTED@magic.test" }
        const recipients = [PERSON, { email: "silent@magic.test", custom }]
        const campaign_id = yield* launched(client, { recipients, sequence: [{ subject: "Hello", body: "Hi" }] })
        const campaign_lead_id = yield* leadOf(client, campaign_id, email)
        yield* pass("2 seconds", "500 millis")
        const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
        assert.lengthOf(replies, 1)
        const { reply_id } = replies[0]
        const askKey = freshKey()
        const asked = ok(yield* answer(client, reply_id, { body_text: BODY }, askKey))
        const sendKey = freshKey()
        const confirmed = yield* approved(client, reply_id, BODY)
        ok(yield* confirmed.send(sendKey))
        const events = (yield* trailOf(client, { email })).length

        const report = yield* erase(client, email.toUpperCase())
        assert.deepInclude(report, { known: true, leads: 1, replies: 1, answers: 1, trail: true, suppressed: true })
        assert.isAbove(report.outcomes, 3)
        assert.isAbove(report.mentions, 2, "snapshots of approvals, and what is said of others")
        yield* assertGone(email, "Ottilie", "Quast", "works for me")

        const again = yield* erase(client, email)
        assert.deepInclude(again, { known: false, leads: 0, outcomes: 0, trail: false, suppressed: true })

        // What happened stays.
        const trail = yield* trailOf(client, { campaign_id })
        const theirs = trail.filter((event) => event.campaign_lead_id === campaign_lead_id)
        assert.strictEqual(theirs.filter(({ kind }) => kind === "erased").length, 1)
        assert.isAtLeast(theirs.length, events)
        assert.isTrue(theirs.every((event) => !("email" in event)))
        assert.isEmpty(yield* trailOf(client, { email }))

        // A repeat answers what is left.
        const verified = ok(yield* client.call("verify_email", { email }, { key: verifyKey }))
        assert.isTrue(verified.svc.replayed)
        assert.deepInclude(verified.result, { email: "", status: "valid" })
        decodes(verbs.verify_email.result, verified.result)
        const enriched = ok(yield* client.call("enrich", { person: { email } }, { key: enrichKey }))
        assert.isTrue(enriched.svc.replayed)
        assert.deepInclude(enriched.result.contact, { fingerprint: "erased", full_name: null, work_email: null })
        decodes(verbs.enrich.result, enriched.result)
        const previewed = ok(yield* answer(client, reply_id, { body_text: BODY }, askKey))
        assert.strictEqual(previewed.result.approval_url, asked.result.approval_url)
        assert.deepInclude(previewed.result.preview, { to_email: "", subject: "", body_text: "" })
        decodes(verbs.reply_to_thread.result, previewed.result)
        const sent = ok(yield* confirmed.send(sendKey))
        assert.isTrue(sent.svc.replayed)
        decodes(verbs.reply_to_thread.result, sent.result)
        const read = ok(yield* client.call("get_reply", { reply_id })).result
        assert.deepInclude(read, { from_email: "", body_text: "", body_status: "unavailable" })
        decodes(verbs.get_reply.result, read)
        refused(yield* answer(client, reply_id), 409, "reply_already_sent")

        // And they are never written to again.
        const next = yield* draft(client, { recipients: [PERSON, { email: "silent+2@magic.test" }] })
        assert.deepInclude(next.result, {
          leads_accepted: 1,
          leads_suppressed: 1,
          suppressed_reasons: { opted_out: 1 }
        })
      })
    )

    it.effect("who stands in the workspace's own directory is taken out of the workspace's own directory", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { takeFor } = yield* DirectoryImport
        const email = "Directory.Person@listed.test"
        const cells = { email, full_name: "Xaver Ypsilander", title: `Boss, ${email}` }
        const rows = Stream.succeed({ line: 2, cells })
        yield* Effect.orDie(takeFor(client.workspaceId, { kind: "people", rows, dryRun: false }))
        assert.deepInclude(yield* erase(client, email), { known: true, directory: 1, leads: 0, trail: false })
        yield* assertGone(email, "Ypsilander")
        assert.deepInclude(yield* erase(client, email), { known: false, directory: 0 })
      })
    )

    it.effect("who was only found is forgotten as well, by the address under which they were revealed later", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const findKey = freshKey()
        const search = { audience: "anybody", limit: 5 }
        const { leads } = ok(yield* client.call("find_leads", search, { key: findKey })).result
        const revealed: Array<{ readonly work_email: string; readonly full_name: string }> = []
        for (const { social_url } of leads) {
          const found = ok(yield* client.call("enrich", { person: { social_url } }, { key: freshKey() })).result
          if (typeof found.contact?.work_email === "string") revealed.push(found.contact)
        }
        const [person] = revealed
        if (person === undefined) return assert.fail("nobody of them has an address")
        const report = yield* erase(client, person.work_email)
        assert.deepInclude(report, { known: true, outcomes: 2, leads: 0, suppressed: false })
        yield* assertGone(person.work_email, person.full_name)
        const replay = ok(yield* client.call("find_leads", search, { key: findKey })).result
        decodes(verbs.find_leads.result, replay)
        assert.lengthOf(replay.leads, leads.length)
        assert.lengthOf(
          replay.leads.filter((lead: { fingerprint: string }) => lead.fingerprint === "erased"),
          1
        )
        const [known, ...more] = yield* trailOf(client, { kind: "erased" })
        assert.deepStrictEqual([known?.campaign_lead_id, more.length], [null, 0])
      })
    )

    it.effect("an erased person's open lead is removed, and nothing more is sent to them", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const email = "silent+gone@magic.test"
        const campaign_id = yield* launched(client, { recipients: [{ email }, { email: "silent+stays@magic.test" }] })
        const campaign_lead_id = yield* leadOf(client, campaign_id, email)
        yield* erase(client, email)
        yield* pass("10 seconds")
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const lead = yield* atomically(campaigns.lockLead(client.workspaceId, campaign_lead_id))
        assert.deepInclude(Option.getOrNull(lead), { state: "removed", email: "", nextAtMillis: null })
        const sent = yield* trailOf(client, { campaign_id, kind: "sent" })
        assert.isFalse(sent.some((event) => event.campaign_lead_id === campaign_lead_id))
      })
    )

    it.effect("what waits to be read is not read any more, but the no in it stands", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const email = "waits@recipients.test"
        const inbound = yield* Inbound
        yield* inbound.receive([
          {
            workspaceId: client.workspaceId,
            provider: "test",
            providerEventId: freshKey(),
            kind: "reply",
            source: "provider_poll",
            inReplyTo: "",
            messageId: null,
            fromEmail: "Waits@Recipients.test",
            toEmail: null,
            subject: "No",
            bodyText: "Do not write to me again",
            bodyHtml: null,
            classification: "unsubscribe",
            bounce: null,
            receivedAtMillis: (yield* Clock.currentTimeMillis) + 60_000
          }
        ])
        assert.deepInclude(yield* erase(client, email), { known: true, waiting: 1, suppressed: true })
        yield* assertGone(email, "Do not write to me again")
        const suppressions = yield* SuppressionStore
        const sources = yield* suppressions.sourcesOf(client.workspaceId, yield* hashIn(client, email))
        assert.deepStrictEqual([...sources], ["unsubscribe"])
      })
    )

    it.effect("an erasure that broke off goes on under the same request; one that is done begins another", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const email = "valid+broke-off@magic.test"
        yield* client.call("verify_email", { email }, { key: freshKey() })
        const store = yield* ErasureStore
        const { atomically } = yield* UnitOfWork
        const erasureId = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
        const begun = {
          workspaceId: client.workspaceId,
          erasureId,
          addressHash: yield* hashIn(client, email),
          requestedByUserId: null,
          requestedAtMillis: yield* Clock.currentTimeMillis,
          fingerprints: [],
          told: false,
          finishedAtMillis: null
        }
        yield* atomically(store.open(begun))
        const report = yield* erase(client, email)
        assert.deepInclude(report, { erasureId, known: true, outcomes: 1 })
        const done = Option.getOrThrow(yield* store.get(client.workspaceId, erasureId))
        assert.isNotNull(done.finishedAtMillis)
        assert.notStrictEqual((yield* erase(client, email)).erasureId, erasureId)
      })
    )

    it.effect("nobody else loses anything, in this workspace or another", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const stranger = yield* member()
        const email = "valid+neighbour@magic.test"
        const [theirs, other, elsewhere] = [freshKey(), freshKey(), freshKey()]
        const longer = `x${email}`
        yield* client.call("verify_email", { email }, { key: theirs })
        const kept = yield* client.call("verify_email", { email: longer }, { key: other })
        const away = yield* stranger.call("verify_email", { email }, { key: elsewhere })
        yield* erase(client, email)
        assert.deepStrictEqual(
          ok(yield* client.call("verify_email", { email: longer }, { key: other })).result,
          kept.result
        )
        assert.deepStrictEqual(
          ok(yield* stranger.call("verify_email", { email }, { key: elsewhere })).result,
          away.result
        )
      })
    )

    it.effect("somebody unknown is answered so, and no address is refused", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const report = yield* erase(client, "nobody-knows@example.test")
        assert.deepInclude(report, { known: false, leads: 0, trail: false, suppressed: false })
        assert.isEmpty(yield* trailOf(client, { kind: "erased" }))
        const erasure = yield* Erasure
        const mistaken = yield* Effect.flip(erasure.eraseFor(client.workspaceId, "no address"))
        assert.strictEqual("code" in mistaken ? mistaken.code : "", "invalid_request")
        const nowhere = yield* Effect.flip(erasure.eraseFor("018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70", "a@b.test"))
        assert.strictEqual("code" in nowhere ? nowhere.code : "", "not_found")
      })
    )

    it.effect("it is an owner's to do, who has signed in just now", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const erasure = yield* Erasure
        const owner = yield* signIn(client.ownerEmail)
        const other = yield* colleague(owner)
        yield* refusedBy("owner_required", erasure.erase(other, "a@b.test"))
        assert.isFalse((yield* erasure.erase(owner, "a@b.test")).known)
        yield* growStale
        const stale = yield* Effect.flip(erasure.erase(owner, "a@b.test"))
        assert.instanceOf(stale, ControlRefused)
        assert.strictEqual((stale as ControlRefused).reason, "reauthentication_required")
      })
    )
  })
}
