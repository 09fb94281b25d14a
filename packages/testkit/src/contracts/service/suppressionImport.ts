import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { listedAddresses, type ListedRow } from "@outbound/domain/control/suppressionImport/listedRows.js"
import {
  IMPORT_BATCH_MAX,
  MISTAKES_LISTED_MAX,
  SuppressionImport
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

/** A row with one address. */
const row = (line: number, email: string): ListedRow => ({
  line,
  emails: [email],
  domains: [],
  mistakes: [],
  notes: [],
  isEmpty: false,
  written: [email]
})

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
        const list = "ann@a.test\n ANN@A.test \nnobody\n\nbob@b.test\nB <b@c.test>, x@y\n"
        const foreseen = {
          rows: 5,
          added: 2,
          known: 1,
          empty: 0,
          unusable: 2,
          people: 3,
          domains: 0,
          leadsRemoved: 0
        }
        const reports = [yield* takeOver(client, list, true), yield* takeOver(client, list, true)]
        for (const { mistakes, notes, ...counts } of reports) {
          assert.deepStrictEqual(counts, { dryRun: true, ...foreseen })
          assert.isEmpty(notes)
          assert.deepStrictEqual(
            mistakes.map(({ column, line, value }) => [line, column, value]),
            [
              [3, "Column 1", "nobody"],
              [6, "Column 1", "x@y"]
            ]
          )
          for (const { reason, remedy } of mistakes) {
            assert.include(reason, "is not an email address: it has")
            assert.include(remedy, "ann@acme.com")
          }
        }
        assert.deepStrictEqual(yield* suppressedIn(client, "ann@a.test", "eve@e.test"), {})
        assert.deepInclude(yield* takeOver(client, list), { dryRun: false, ...foreseen })
        assert.deepInclude(yield* takeOver(client, list), { added: 0, known: 3, unusable: 2, people: 0 })
        assert.deepStrictEqual(yield* suppressedIn(client, "Ann@a.test", "bob@b.test", "b@c.test", "eve@e.test"), {
          platform_blocked: 3
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
        const rows = Array.from({ length: count }, (_, index) => row(index + 1, `p${index}@a.test`))
        const broken = Stream.concat(Stream.fromIterable(rows.slice(0, IMPORT_BATCH_MAX + 1)), Stream.fail("broken"))
        const failure = yield* Effect.flip(takeFor(client.workspaceId, broken, { dryRun: false }))
        assert.strictEqual(failure, "broken")
        const whole = Stream.fromIterable([...rows, row(count + 1, "p1@a.test")])
        const report = yield* takeFor(client.workspaceId, whole, { dryRun: false })
        assert.deepInclude(report, { rows: count + 1, unusable: 0 })
        assert.strictEqual(report.added + report.known, count + 1)
        assert.isAtMost(report.added, count - IMPORT_BATCH_MAX)
        assert.deepInclude(yield* takeFor(client.workspaceId, whole, { dryRun: false }), { added: 0, known: count + 1 })
      })
    )

    it.effect("a domain bars everybody there; an address never becomes one, and no mail provider is barred", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const list = "email\n@acme-south.com\n*@acme-south.com\nacme-west.com\n@gmail.com\nmailto:ann@acme-east.com\n"
        const counts = { rows: 5, added: 3, known: 1, unusable: 1, people: 1, domains: 2 }
        assert.deepInclude(yield* takeOver(client, list, true), counts)
        const report = yield* takeOver(client, list)
        assert.deepInclude(report, counts)
        assert.include(report.mistakes[0]?.reason ?? "", '"gmail.com" can\'t be barred as a whole')
        const people = [
          "a@acme-south.com",
          "b@mail.acme-west.com",
          "ann@acme-east.com",
          "bob@acme-east.com",
          "c@gmail.com"
        ]
        const reasons = yield* suppressedIn(client, ...people)
        assert.strictEqual(
          Object.values(reasons).reduce((sum, one) => sum + one, 0),
          3
        )
        assert.deepInclude(yield* takeOver(client, list), { added: 0, known: 4, people: 0, domains: 0 })
      })
    )

    it.effect("a dry run foresees who leaves their campaigns: each once, whichever rows and batches name them", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { takeFor } = yield* SuppressionImport
        const [gone, at] = ["silent+gone@magic.test", "a@other.test"]
        yield* launched(client, { recipients: to(gone, at, "b@other.test", "silent+stays@magic.test") })
        const others = Array.from({ length: IMPORT_BATCH_MAX }, (_, index) => row(index + 3, `p${index}@a.test`))
        const last = IMPORT_BATCH_MAX + 3
        const whole = [
          row(1, gone),
          { ...row(2, "other.test"), emails: [], domains: ["other.test"] },
          ...others,
          row(last, gone),
          row(last + 1, at)
        ]
        const take = (dryRun: boolean) => takeFor(client.workspaceId, Stream.fromIterable(whole), { dryRun })
        const foreseen = yield* take(true)
        assert.deepInclude(foreseen, { leadsRemoved: 3, known: 1, people: IMPORT_BATCH_MAX + 2, domains: 1 })
        assert.deepStrictEqual({ ...(yield* take(false)), dryRun: true }, foreseen)
      }).pipe(Effect.orDie)
    )

    it.effect("every row that was left out is handed on, as it was written, and what could be taken of it was", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { takeFor } = yield* SuppressionImport
        const rows = listedAddresses("name,email\nAnn,ann@a.test; b@\nBob,\n,\nCid,cid@a.test\n")
        const left: Array<string> = []
        const report = yield* Effect.orDie(
          takeFor(client.workspaceId, Stream.fromIterable(rows), {
            dryRun: false,
            leftOut: (some) =>
              Effect.sync(() => {
                for (const one of some) left.push(`${one.row.line}:${one.row.written.join("|")}`)
              })
          })
        )
        assert.deepInclude(report, { rows: 4, added: 1, known: 0, empty: 1, unusable: 2, people: 2 })
        assert.deepStrictEqual(left, ["2:Ann|ann@a.test; b@", "3:Bob|"])
      })
    )

    it.effect("of unusable rows the first are named, and all are counted", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const count = MISTAKES_LISTED_MAX + IMPORT_BATCH_MAX
        const report = yield* takeOver(client, "x\n".repeat(count))
        assert.deepInclude(report, { rows: count, added: 0, unusable: count })
        assert.lengthOf(report.mistakes, MISTAKES_LISTED_MAX)
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
