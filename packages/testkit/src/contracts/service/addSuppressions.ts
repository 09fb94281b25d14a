import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { SUPPRESSIONS_MAX } from "@outbound/domain/verbs/AddSuppressions.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Clock, Effect, type Layer } from "effect"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { Client } from "../../service/Client.js"
import { answer, answered, answerer, approved, suppressAs } from "./replyStories.js"
import {
  deliveries,
  draft,
  freshKey,
  launch,
  launched,
  leadOf,
  member,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const add = (client: Client, body: JsonObject, key = freshKey()) => client.call("add_suppressions", body, { key })

const COUNTS = { emails_added: 0, emails_known: 0, domains_added: 0, domains_known: 0, leads_removed: 0 }

/** People and companies that agents say are never to be emailed (contract: campaigns, suppression). */
export const addSuppressionsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`add_suppressions (${name})`, (it) => {
    it.effect("keeps people and everybody of a domain out of drafts, of this workspace alone", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const body = {
          emails: [" Ann@Person.test", "ann@person.test", "bob@person.test"],
          domains: ["https://www.Customer.test/about", "customer.test", "other.co.uk"],
          reason: "They are customers."
        }
        const key = freshKey()
        const first = ok(yield* add(client, body, key))
        const counts = { ...COUNTS, emails_added: 2, emails_known: 1, domains_added: 2, domains_known: 1 }
        assert.deepStrictEqual(first.result, counts)
        assert.strictEqual(first.svc.credits_charged, "0")
        assert.deepStrictEqual(ok(yield* add(client, body, key)).result, counts)
        refused(yield* add(client, { domains: ["else.test"] }, key), 409, "idempotency_conflict")
        const known = { ...COUNTS, emails_known: 3, domains_known: 3 }
        assert.deepStrictEqual(ok(yield* add(client, body)).result, known)

        const people = [
          "ann@person.test",
          "eve@person.test",
          "x@customer.test",
          "y@mail.customer.test",
          "z@ustomer.test"
        ]
        const { result } = yield* draft(client, { recipients: to(...people) })
        assert.deepInclude(result, { leads_accepted: 2, leads_suppressed: 3, suppressed_reasons: { opted_out: 3 } })
        const stranger = yield* member()
        assert.deepInclude((yield* draft(stranger, { recipients: to(...people) })).result, { leads_accepted: 5 })

        const told = yield* trailOf(client, { kind: "suppressed" })
        assert.sameDeepMembers(
          told.map(({ detail, email }) => ({ detail, email })),
          [
            { email: "ann@person.test", detail: { reason: body.reason } },
            { email: "bob@person.test", detail: { reason: body.reason } },
            { email: undefined, detail: { domain: "customer.test", reason: body.reason } },
            { email: undefined, detail: { domain: "other.co.uk", reason: body.reason } }
          ]
        )
      })
    )

    it.effect("keeps a person out under every spelling of their address, and takes all spellings as one person", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const ann = ["ann@spelled.test", '"ann"@spelled.test', '"a\\nn"@Spelled.test', "an\u200Bn@spelled.test"]
        const pat = ["pat.o'brien@spelled.test", "Pat.O\u2019Brien@spelled.test"]
        ok(yield* add(client, { emails: ["anne\u2011marie@spelled.test"] }))
        const bob = ['"bob"@spelled.test', "BOB@spelled.test", "\uFF42ob@spelled.test"]
        const added = ok(yield* add(client, { emails: ["<ann@spelled.test>", '"Ann"@spelled.test'] })).result
        assert.deepStrictEqual(added, { ...COUNTS, emails_added: 1, emails_known: 1 })
        const { result } = yield* draft(client, { recipients: to(...ann, ...bob, ...pat, "anne-marie@spelled.test") })
        assert.deepInclude(result, { leads_accepted: 2, leads_suppressed: 2, suppressed_reasons: { opted_out: 2 } })
      })
    )

    it.effect("keeps out whom an earlier release suppressed under a spelling that it took for somebody else", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { workspaceId } = client
        const [suppressions, crypto] = [yield* SuppressionStore, yield* Crypto]
        const { atomically } = yield* UnitOfWork
        for (const spelled of ['"ann.lee"@spelled.test', "pat.o\u2019brien@spelled.test"]) {
          const addressHash = addressHashOf(crypto, workspaceId, spelled)
          yield* atomically(suppressions.add({ workspaceId, addressHash, source: "unsubscribe", atMillis: 0 }))
        }
        const recipients = to("ann.lee@spelled.test", "pat.o'brien@spelled.test", "eve@spelled.test")
        const { result } = yield* draft(client, { recipients })
        assert.deepInclude(result, { leads_accepted: 1, leads_suppressed: 2, suppressed_reasons: { opted_out: 2 } })
      }).pipe(Effect.orDie)
    )

    it.effect("takes whom it covers out of running campaigns at once, and out of drafts at their launch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const running = yield* launched(client, {
          recipients: to("silent@magic.test", "a@gone.test", "b@mail.gone.test", "c@notgone.test")
        })
        yield* pass("1 second")
        const { result } = yield* draft(client, { name: "Later", recipients: to("d@gone.test", "e@stays.test") })
        const before = (yield* deliveries(running)).length
        const added = ok(yield* add(client, { emails: ["silent@magic.test"], domains: ["gone.test"] })).result
        assert.deepStrictEqual(added, { ...COUNTS, emails_added: 1, domains_added: 1, leads_removed: 3 })
        const removed = yield* trailOf(client, { campaign_id: running, kind: "removed" })
        assert.deepStrictEqual(
          removed.map(({ detail }) => detail),
          Array.from({ length: 3 }, () => ({ reason: "opted_out" }))
        )
        yield* pass("30 seconds")
        const after = (yield* deliveries(running)).slice(before).map(({ to: { address } }) => address)
        assert.deepStrictEqual([...new Set(after)], ["c@notgone.test"])
        const late = yield* launch(client, result.campaign_id)
        assert.strictEqual(late.result.leads_suppressed_at_launch, 1)
      })
    )

    it.effect("takes out whom it covers also where they were known: somebody may have been imported meanwhile", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign = yield* launched(client, {
          recipients: to("silent+known@magic.test", "x@known.test", "silent+other@magic.test")
        })
        // As when an import had looked before this was written: the suppression stands, and the leads came in.
        const suppressions = yield* SuppressionStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = client
        yield* suppressAs(client, "silent+known@magic.test", "added")
        const atMillis = yield* Clock.currentTimeMillis
        yield* atomically(suppressions.addDomains({ workspaceId, domains: ["known.test"], atMillis })).pipe(
          Effect.orDie
        )
        const body = { emails: ["silent+known@magic.test"], domains: ["known.test"] }
        const again = ok(yield* add(client, body)).result
        assert.deepStrictEqual(again, { ...COUNTS, emails_known: 1, domains_known: 1, leads_removed: 2 })
        yield* pass("30 seconds")
        const sent = new Set((yield* deliveries(campaign)).map((message) => message.to.address))
        assert.deepStrictEqual([...sent], ["silent+other@magic.test"])
      })
    )

    it.effect("nobody of a suppressed domain is answered, not even by an answer that a human approved before", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        assert.strictEqual(ok(yield* add(client, { domains: ["magic.test"] })).result.domains_added, 1)
        const forbidden = { suppressed_reason: "opted_out" }
        refused(yield* answer(client, reply_id), 409, "suppressed_recipient", forbidden)
        refused(yield* confirmed.send(), 409, "suppressed_recipient", forbidden)
      })
    )

    it.effect("outlives the erasure of a person", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("a@gone.test", "silent@magic.test") })
        yield* leadOf(client, campaign_id, "a@gone.test")
        yield* add(client, { domains: ["gone.test"] })
        const report = yield* (yield* Erasure).eraseFor(client.workspaceId, "a@gone.test")
        assert.deepInclude(report, { known: true, suppressed: true })
        const { result } = yield* draft(client, { recipients: to("a@gone.test") })
        assert.deepInclude(result, { suppressed_reasons: { opted_out: 1 } })
      })
    )

    it.effect("refuses what is no address and no registrable domain, and adds nothing of that call", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const at = (...paths: ReadonlyArray<string>) => paths
        const wrong: ReadonlyArray<readonly [JsonObject, ReadonlyArray<string>]> = [
          [{}, at("emails")],
          [{ emails: [], domains: [] }, at("emails")],
          [{ emails: ["good@a.test", "bad"] }, at("emails.1")],
          [
            { emails: ["good@a.test"], domains: ["com", "co.uk", "127.0.0.1"] },
            at("domains.0", "domains.1", "domains.2")
          ],
          [
            { emails: ["good@a.test"], domains: ["ann@gmail.com", "gmail.com", "uk.com", "a.test\nb.test"] },
            at("domains.0", "domains.1", "domains.2", "domains.3")
          ],
          [{ domains: Array.from({ length: SUPPRESSIONS_MAX + 1 }, (_, i) => `d${i}.test`) }, at("domains")],
          [{ emails: ["good@a.test"], reason: " " }, at("reason")]
        ]
        for (const [body, paths] of wrong) {
          const answer = yield* add(client, body)
          refused(answer, 400, "invalid_request")
          const { issues } = answer.error!.details as { readonly issues: ReadonlyArray<{ readonly path: string }> }
          assert.deepStrictEqual(
            issues.map(({ path }) => path),
            paths
          )
        }
        refused(yield* client.call("add_suppressions", { emails: ["good@a.test"] }), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        const emails = Array.from({ length: SUPPRESSIONS_MAX }, (_, i) => `p${i}@many.test`)
        const domains = Array.from({ length: SUPPRESSIONS_MAX }, (_, i) => `many-${i}.test`)
        const { result } = ok(yield* add(client, { emails: ["good@a.test", ...emails.slice(1)], domains }))
        assert.deepInclude(result, { emails_added: SUPPRESSIONS_MAX, domains_added: SUPPRESSIONS_MAX })
      })
    )
  })
}
