import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { verifyPersonFile } from "@outbound/domain/control/personFile/fileText.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { makeSealing } from "@outbound/domain/control/trail/Sealing.js"
import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import { Clock, Effect, type Layer, Option, Result, Stream } from "effect"
import type { Client } from "../../service/Client.js"
import type { ErasureOnStores } from "./erasure.js"
import { refusedBy, signIn } from "./controlSupport.js"
import { answerer, approved } from "./replyStories.js"
import { uploadedList } from "./uploadedList.js"
import { askLaunch, draft, ended, freshKey, launched, leadOf, ok, pass, SUITE } from "./stories.js"

export type PersonFilesOnStores = ErasureOnStores | PersonFiles | AlertStore | ApprovalStore | SealStore

const THEM = {
  email: "interested+filed@magic.test",
  first_name: "Ottilie",
  last_name: "Quast",
  company_name: "Quastworks"
}
const OTHER = { email: "silent+neighbour@magic.test", first_name: "Balthasar", custom: { boss: THEM.email } }

/** Two people get a message, one of whom answers and is answered. */
const story = Effect.gen(function* () {
  const client = yield* answerer()
  const { email } = THEM
  yield* client.call("verify_email", { email }, { key: freshKey() })
  yield* client.call("enrich", { person: { email } }, { key: freshKey() })
  const campaign_id = yield* launched(client, {
    recipients: [THEM, OTHER],
    sequence: [{ subject: "For {{company_name|you}}", body: "Hi {{first_name|there}}, one question." }]
  })
  yield* pass("2 seconds", "500 millis")
  const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
  const [{ reply_id }] = replies
  ok(yield* (yield* approved(client, reply_id, "Dear Ottilie, Thursday at 10 works.")).send())
  return { client, campaign_id, lead: yield* leadOf(client, campaign_id, email) }
})

const fileOf = ({ workspaceId }: Client, email: string) =>
  Effect.orDie(Effect.flatMap(PersonFiles, ({ makeFor }) => makeFor(workspaceId, email)))

const linkOf = ({ workspaceId }: Client, lead: string) =>
  Effect.map(Crypto, (crypto) => ({ workspaceId, token: `${lead}.${linkMac(crypto, workspaceId, lead)}` }))

/** One person's file holds all of theirs and nothing of anybody else (contract: trail, one person's file). */
export const personFileContract = <E>(name: string, service: Layer.Layer<PersonFilesOnStores, E>) => {
  describeLayer(service, SUITE)(`one person's file (${name})`, (it) => {
    it.effect(
      "keeps the file and the line that brought an address, with the lead, in the file, and by kind on the approval",
      () =>
        Effect.gen(function* () {
          const client = yield* answerer()
          const { takeFor } = yield* DirectoryImport
          const [uploaded, imported, given] = ["silent+up@magic.test", "silent+own@magic.test", "silent+api@magic.test"]
          const table = `Email\nnobody@nowhere.test\n${uploaded}\n`
          const list = yield* uploadedList(client, table, "C:\\Lists\\Fair 2026.csv")
          yield* ended(client, list.result.operation_id)
          const rows = Stream.fromIterable([{ line: 5, cells: { email: imported, full_name: "Olga Own" } }])
          yield* Effect.orDie(takeFor(client.workspaceId, { kind: "people", rows, file: "own.csv", dryRun: false }))
          const drafted = yield* draft(client, { recipients: [uploaded, imported, given].map((email) => ({ email })) })
          const { campaign_id } = drafted.result
          const { approval_url } = (yield* askLaunch(client, campaign_id)).result
          const { find } = yield* ApprovalStore
          const asked = Option.getOrThrow(yield* Effect.orDie(find(client.workspaceId, approval_url.split("/").at(-1))))
          assert.deepInclude(asked.approval.snapshot, {
            origins: [
              { kind: "listed", people: 2 },
              { kind: "given", people: 1 }
            ]
          })
          const { leads } = ok(yield* client.call("list_leads", { campaign_id })).result
          const expected = [
            [uploaded, "listed", "verify_emails", "Fair 2026.csv", 3],
            [imported, "listed", "directory_import", "own.csv", 5],
            [given, "given", "create_campaign", null, null]
          ] as const
          for (const [email, kind, how, file, line] of expected) {
            const lead = (leads as ReadonlyArray<{ readonly email: string; readonly origin: object }>).find(
              (one) => one.email === email
            )
            assert.deepInclude(lead?.origin, { kind, how, file, line }, email)
            const { origins } = yield* fileOf(client, email)
            assert.deepInclude(origins[0], { how, file, line })
          }
        })
    )

    it.effect("of several calls that named an address the first one brought it", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const email = "silent+twice@magic.test"
        const verify = Effect.suspend(() => client.call("verify_email", { email }, { key: freshKey() }))
        const first = ok(yield* verify)
        yield* pass("1 second")
        ok(yield* verify)
        const { campaign_id } = (yield* draft(client, { recipients: [{ email }] })).result
        const [lead] = ok(yield* client.call("list_leads", { campaign_id })).result.leads
        assert.deepInclude(lead.origin, { how: "verify_email", request_id: first.svc.request_id })
      })
    )

    it.effect("says where the address came from, what was sent, answered and approved, and names nobody else", () =>
      Effect.gen(function* () {
        const { campaign_id, client } = yield* story
        const file = yield* fileOf(client, THEM.email.toUpperCase())
        assert.strictEqual(file.email, THEM.email)
        const hows = file.origins.map(({ how }) => how)
        for (const how of ["verify_email", "enrich", "create_campaign"]) assert.include(hows, how)
        assert.isTrue(file.origins.every(({ at, by }) => at !== null && by !== null))
        const { answers, calls, events, leads, messages, replies, shown, suppressions, verdicts } = file.sections
        assert.lengthOf(leads, 1)
        assert.deepInclude(leads[0], { campaign_id, first_name: "Ottilie", company_name: "Quastworks" })
        assert.isNotNull(leads[0]?.approved_at)
        assert.lengthOf(messages, 1)
        assert.deepInclude(messages[0], { subject: "For Quastworks", text: "Hi Ottilie, one question.", state: "sent" })
        assert.isNotEmpty(replies[0]?.body_text)
        assert.deepInclude(answers[0], { body_text: "Dear Ottilie, Thursday at 10 works." })
        assert.isNotEmpty(shown)
        assert.includeMembers(
          events.map(({ kind }) => kind),
          ["admitted", "sent", "reply"]
        )
        assert.deepStrictEqual(
          suppressions.map(({ source }) => source),
          ["reply"]
        )
        assert.isAtLeast(calls.length, 3)
        assert.deepStrictEqual(
          verdicts.map(({ status }) => status),
          ["valid"]
        )
        assert.include(file.text, `"checks":["`)
        assert.isNotEmpty(file.found)
        for (const other of [OTHER.email, "neighbour", "Balthasar"]) assert.notInclude(file.text, other)

        // The neighbour's file says nothing of them but what the neighbour's own fields say.
        const next = yield* fileOf(client, OTHER.email)
        assert.lengthOf(next.sections.messages, 1)
        for (const theirs of ["Ottilie", "Quastworks", "Thursday"]) assert.notInclude(next.text, theirs)
      })
    )

    it.effect("is verified without a database, with the seals that cover its events", () =>
      Effect.gen(function* () {
        const { client } = yield* story
        yield* pass("2 minutes", "10 seconds")
        yield* Effect.flatMap(makeSealing, (seal) => Effect.orDie(seal))
        const { sections, text } = yield* fileOf(client, THEM.email)
        const { sha256Hex } = yield* Crypto
        const verified = Result.getOrThrow(verifyPersonFile(sha256Hex, text))
        assert.strictEqual(verified.workspaceId, client.workspaceId)
        assert.strictEqual(verified.events, sections.events.filter(({ seal }) => seal !== null).length)
        assert.isAbove(verified.events, 2)
        assert.isTrue(Result.isFailure(verifyPersonFile(sha256Hex, text.replace("Ottilie", "Odettie"))))
      })
    )

    it.effect("is for owners; nobody else's address, and no other workspace, is in it", () =>
      Effect.gen(function* () {
        const { client } = yield* story
        const files = yield* PersonFiles
        const owner = yield* signIn(client.ownerEmail)
        assert.strictEqual((yield* Effect.orDie(files.make(owner, THEM.email))).sections.leads.length, 1)
        const member = { ...owner, role: "member" as const }
        yield* refusedBy("owner_required", files.make(member, THEM.email))
        const stranger = yield* answerer()
        const nothing = yield* fileOf(stranger, THEM.email)
        assert.isTrue(Object.values(nothing.sections).every((rows) => rows.length === 0))
      })
    )

    it.effect("behind the link of a message stands the same; a request reaches the owners, once", () =>
      Effect.gen(function* () {
        const { client, lead } = yield* story
        const files = yield* PersonFiles
        const alerts = yield* AlertStore
        const link = yield* linkOf(client, lead)
        const behind = Option.getOrThrow(yield* Effect.orDie(files.behind(link)))
        const file = yield* fileOf(client, THEM.email)
        assert.deepStrictEqual(behind.origins, file.origins)
        const { events, leads, messages, suppressions } = file.sections
        assert.deepStrictEqual(behind.sections, { events, leads, messages, suppressions })
        const forged = { ...link, token: `${link.token.slice(0, -1)}${link.token.endsWith("A") ? "B" : "A"}` }
        assert.isTrue(Option.isNone(yield* Effect.orDie(files.behind(forged))))
        assert.isFalse(yield* Effect.orDie(files.ask(forged, "access")))

        const open = Effect.flatMap(signIn(client.ownerEmail), (owner) => Effect.orDie(files.asked(owner)))
        const raised = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          Effect.orDie(alerts.causes("person_asked", nowMillis, 100))
        ).pipe(Effect.map((found) => found.filter(({ workspaceId }) => workspaceId === client.workspaceId)))
        const askedAtMillis = yield* Clock.currentTimeMillis
        for (let again = 0; again < 3; again += 1) {
          assert.isTrue(yield* Effect.orDie(files.ask(link, "access")))
          yield* pass("1 second")
        }
        // It has waited since the first time, however often they ask.
        assert.deepInclude((yield* open)[0], { email: THEM.email, ask: "access", campaignLeadId: lead, askedAtMillis })
        assert.lengthOf(yield* open, 1)
        assert.deepStrictEqual(
          (yield* raised).map(({ says, subject }) => ({ says, subject })),
          [{ says: "access", subject: `${lead}/access` }]
        )
        yield* Effect.orDie(files.make(yield* signIn(client.ownerEmail), THEM.email))
        assert.isEmpty(yield* open)
        assert.isEmpty(yield* raised)
      })
    )

    it.effect("who asks to be erased is not written to again, and the request ends with the erasure", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const campaign_id = yield* launched(client, {
          recipients: [{ email: OTHER.email }],
          sequence: [{ subject: "Hello", body: "Hi" }]
        })
        const lead = yield* leadOf(client, campaign_id, OTHER.email)
        const files = yield* PersonFiles
        const link = yield* linkOf(client, lead)
        assert.isTrue(yield* Effect.orDie(files.ask(link, "erasure")))
        const { sections } = yield* fileOf(client, OTHER.email)
        assert.deepStrictEqual(
          sections.suppressions.map(({ source }) => source),
          ["unsubscribe"]
        )
        const owner = yield* signIn(client.ownerEmail)
        assert.lengthOf(yield* Effect.orDie(files.asked(owner)), 1)
        yield* Effect.orDie(Effect.flatMap(Erasure, ({ eraseFor }) => eraseFor(client.workspaceId, OTHER.email)))
        assert.isEmpty(yield* Effect.orDie(files.asked(owner)))
        assert.isTrue(Option.isNone(yield* Effect.orDie(files.behind(link))))
      })
    )
  })
}
