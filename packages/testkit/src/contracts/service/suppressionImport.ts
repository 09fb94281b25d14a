import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import {
  IMPORT_BATCH_MAX,
  listedAddresses,
  SuppressionImport,
  UNUSABLE_LISTED_MAX
} from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Effect, type Layer, Stream } from "effect"
import type { Client } from "../../service/Client.js"
import { colleague, refusedBy, signIn } from "./controlSupport.js"
import { answer, answered, answerer } from "./replyStories.js"
import {
  deliveries,
  draft,
  launch,
  launched,
  leadOf,
  member,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const takeOver = (client: Client, text: string, dryRun = false) =>
  Effect.orDie(
    Effect.flatMap(SuppressionImport, ({ takeFor }) =>
      takeFor(client.workspaceId, Stream.fromIterable(listedAddresses(text)), { dryRun })
    )
  )

const suppressedIn = (client: Client, ...emails: ReadonlyArray<string>) =>
  Effect.map(
    draft(client, { recipients: to(...emails) }),
    ({ result }) => result.suppressed_reasons as Readonly<Record<string, number>>
  )

/** Owners bring along whom they never write to (contract: campaigns, suppression). */
export const suppressionImportContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`import of suppressions (${name})`, (it) => {
    it.effect("every row is added, known, or reported as unusable; everyone on the list is blocked from then on", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const list = "ann@a.test\n ANN@A.test \nnobody\n\nbob@b.test\n<b@c.test\n"
        const foreseen = {
          rows: 5,
          added: 2,
          known: 1,
          unusable: 2,
          unusableRows: [
            { line: 3, reason: '"nobody" is not an email address: it has no "@"' },
            { line: 6, reason: '"<b@c.test" is not an email address: it has a sign before its "@" that no address has' }
          ],
          leadsRemoved: 0
        }
        assert.deepStrictEqual(yield* takeOver(client, list, true), { dryRun: true, ...foreseen })
        assert.deepStrictEqual(yield* suppressedIn(client, "ann@a.test", "eve@e.test"), {})
        assert.deepStrictEqual(yield* takeOver(client, list), { dryRun: false, ...foreseen })
        assert.deepInclude(yield* takeOver(client, list), { added: 0, known: 3, unusable: 2 })
        assert.deepStrictEqual(yield* suppressedIn(client, "Ann@a.test", "bob@b.test", "eve@e.test"), {
          platform_blocked: 2
        })
        const stranger = yield* member()
        assert.deepStrictEqual(yield* suppressedIn(stranger, "ann@a.test"), {})
      })
    )

    it.effect("people leave the campaigns that run in that moment; those nobody approved yet at their launch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [gone, stays] = ["silent+gone@magic.test", "silent+stays@magic.test"]
        const running = yield* launched(client, { recipients: to(gone, stays) })
        const { result } = yield* draft(client, {
          name: "Later",
          recipients: to("silent+draft@magic.test", "s@s.test")
        })
        const campaign_lead_id = yield* leadOf(client, running, gone)
        const foreseen = yield* takeOver(client, `${gone}\nsilent+draft@magic.test`, true)
        assert.deepInclude(foreseen, { added: 2, leadsRemoved: 1 })
        assert.deepInclude(yield* takeOver(client, `${gone}\nsilent+draft@magic.test`), { added: 2, leadsRemoved: 1 })
        const [removed, ...more] = yield* trailOf(client, { campaign_id: running, kind: "removed" })
        assert.isEmpty(more)
        assert.strictEqual(removed?.campaign_lead_id, campaign_lead_id)
        assert.deepStrictEqual(removed?.detail, { reason: "platform_blocked" })
        yield* pass("5 seconds")
        const reached = (yield* deliveries(running)).map((message) => message.to.address)
        assert.notInclude(reached, gone)
        assert.include(reached, stays)
        const done = yield* launch(client, result.campaign_id)
        assert.strictEqual(done.result.leads_suppressed_at_launch, 1)
      })
    )

    it.effect("who is on the list is not answered in a thread either, and stays on it when they are erased", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const email = "interested@magic.test"
        const { reply_id } = yield* answered(client)
        yield* takeOver(client, email)
        refused(yield* answer(client, reply_id), 409, "suppressed_recipient", { suppressed_reason: "platform_blocked" })
        const erasure = yield* Erasure
        const other = yield* member()
        yield* takeOver(other, email)
        const report = yield* erasure.eraseFor(other.workspaceId, email)
        assert.deepInclude(report, { known: false, suppressed: true })
        assert.deepStrictEqual(yield* suppressedIn(other, email), { platform_blocked: 1 })
      })
    )

    it.effect("a list of any length is taken over batch by batch; one that breaks off goes on", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { takeFor } = yield* SuppressionImport
        const count = IMPORT_BATCH_MAX * 2 + 500
        const rows = Array.from({ length: count }, (_, index) => ({ line: index + 1, address: `p${index}@a.test` }))
        const broken = Stream.concat(Stream.fromIterable(rows.slice(0, IMPORT_BATCH_MAX + 1)), Stream.fail("broken"))
        const failure = yield* Effect.flip(takeFor(client.workspaceId, broken, { dryRun: false }))
        assert.strictEqual(failure, "broken")
        const whole = Stream.fromIterable([...rows, { line: count + 1, address: "P1@a.test" }])
        const report = yield* takeFor(client.workspaceId, whole, { dryRun: false })
        assert.deepInclude(report, { rows: count + 1, unusable: 0 })
        assert.strictEqual(report.added + report.known, count + 1)
        assert.isAtMost(report.added, count - IMPORT_BATCH_MAX)
        assert.deepInclude(yield* takeFor(client.workspaceId, whole, { dryRun: false }), { added: 0, known: count + 1 })
      })
    )

    it.effect("of unusable rows the first are named, and all are counted", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const count = UNUSABLE_LISTED_MAX + IMPORT_BATCH_MAX
        const report = yield* takeOver(client, "x\n".repeat(count))
        assert.deepInclude(report, { rows: count, added: 0, unusable: count })
        assert.lengthOf(report.unusableRows, UNUSABLE_LISTED_MAX)
      })
    )

    it.effect("is an owner's to do", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { take } = yield* SuppressionImport
        const owner = yield* signIn(client.ownerEmail)
        const other = yield* colleague(owner)
        const list = Stream.fromIterable(listedAddresses("ann@a.test"))
        yield* refusedBy("owner_required", take(other, list, { dryRun: true }))
        assert.deepInclude(yield* take(owner, list, { dryRun: false }), { added: 1 })
      })
    )
  })
}
