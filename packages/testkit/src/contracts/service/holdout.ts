import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { drawHoldout } from "@outbound/domain/outreach/launching/holdout/drawHoldout.js"
import { Effect, type Layer, Option } from "effect"
import { type Client, decide } from "../../service/Client.js"
import {
  deliveries,
  draft,
  ended,
  freshKey,
  launched,
  leadOf,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  trailOf
} from "./stories.js"

type Stores = ServiceOnStores | ApprovalStore

const PEOPLE = silent(20, "h")

const launch = (client: Client, campaign_id: string, more: object, confirmation_token?: string) =>
  client.call(
    "launch_campaign",
    { campaign_id, ...more, ...(confirmation_token === undefined ? {} : { confirmation_token }) } as never,
    { key: freshKey() }
  )

/** A campaign of twenty people, a quarter of whom are not written to. */
const heldOut = (client: Client) =>
  Effect.gen(function* () {
    const campaign_id = (yield* draft(client, { recipients: PEOPLE })).result.campaign_id as string
    const asked = ok(yield* launch(client, campaign_id, { holdout_percent: 25 }))
    yield* decide(client, asked.result.approval_url, "approve")
    const { confirmation_token } = asked.result
    const done = ok(yield* launch(client, campaign_id, { holdout_percent: 25 }, confirmation_token))
    return { campaign_id, asked: asked.result, done: done.result }
  })

const outcomesOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (answer) => ok(answer).result.outcomes)

/** What was spent on a campaign's people, as its page says and as the ledger's entries add up to. */
const spentOn = (client: Client, campaign_id: string) =>
  Effect.gen(function* () {
    const { ledger } = yield* ConsoleReads
    const entries = yield* ledger(client.workspaceId, { ...EVERY_ENTRY, campaignId: campaign_id }, null, 100)
    const micros = entries.reduce((sum, entry) => sum - entry.micros, 0n)
    const { credits } = yield* outcomesOf(client, campaign_id)
    assert.strictEqual(Number(micros) / 1_000_000, Number(credits), "the ledger's entries add up to it")
    return { credits: credits as string, verbs: entries.map(({ verb }) => verb) }
  })

/** A list that has ended. */
const listed = (client: Client, verb: "verify_emails" | "enrich_people", input: object, key = freshKey()) =>
  Effect.gen(function* () {
    const begun = yield* client.call(verb, input as never, { key })
    assert.strictEqual(begun.status, 202, begun.text)
    yield* ended(client, begun.result.operation_id)
  })

/** A launch may keep some people from being written to, to compare with (contract: campaigns, what it brought). */
export const holdoutContract = <E>(name: string, service: Layer.Layer<Stores, E>): void => {
  describeLayer(service, SUITE)(`what a campaign brought (${name})`, (it) => {
    it.effect("a holdout is approved with the launch, drawn by a seed on the trail, and gets nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { asked, campaign_id, done } = yield* heldOut(client)
        assert.deepInclude(asked.preview, { leads_active: 20, leads_held_out: 5 })
        const store = yield* ApprovalStore
        const found = yield* Effect.orDie(
          store.find(client.workspaceId, (asked.approval_url as string).split("/").at(-1) ?? "")
        )
        const { snapshot } = Option.getOrThrow(found).approval
        assert.deepInclude(snapshot, { holdout: { percent: 25, people: 5 } })
        assert.deepInclude(done, { leads_active: 15, leads_held_out: 5 })
        yield* pass("5 days", "1 hour")
        const reached = new Set((yield* deliveries(campaign_id)).map(({ to }) => to.address))
        assert.strictEqual(reached.size, 15)

        // Whoever has the trail draws the same people again.
        const [event] = yield* trailOf(client, { campaign_id, kind: "launched" })
        const detail = event?.detail as { readonly holdout_seed: string; readonly leads_held_out: number }
        assert.strictEqual(detail.leads_held_out, 5)
        const leads = yield* Effect.forEach(PEOPLE, ({ email }) =>
          Effect.map(leadOf(client, campaign_id, email), (campaignLeadId) => ({ campaignLeadId, email }))
        )
        const { sha256Hex } = yield* Crypto
        const again = drawHoldout(leads, 25, detail.holdout_seed, sha256Hex)
        assert.deepStrictEqual(new Set(again.written.map(({ email }) => email)), reached)
        const removed = yield* trailOf(client, { campaign_id, kind: "removed" })
        assert.deepStrictEqual(
          new Set(removed.map(({ email }) => email)),
          new Set(again.heldOut.map(({ email }) => email))
        )
      })
    )

    it.effect("what became of both is compared, with an interval; nothing is claimed from little", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { campaign_id } = yield* heldOut(client)
        yield* pass("2 seconds")
        const held = (yield* trailOf(client, { campaign_id, kind: "removed" }))[0]
        const [first] = yield* deliveries(campaign_id)
        const written = yield* leadOf(client, campaign_id, first?.to.address ?? "")
        const set = (campaign_lead_id: string, status: string) =>
          client.call("set_lead_status", { campaign_lead_id, status } as never, { key: freshKey() })
        ok(yield* set(written, "won"))
        ok(yield* set(held?.campaign_lead_id ?? "", "meeting_booked"))
        const outcomes = yield* outcomesOf(client, campaign_id)
        assert.deepInclude(outcomes, { people_written: 15, says: null })
        assert.deepInclude(outcomes.holdout, { percent: 25, people: 5 })
        const of = (outcome: string) =>
          outcomes.holdout.compared.find((one: { readonly outcome: string }) => one.outcome === outcome)
        assert.deepInclude(of("won"), { written: 1, held_out: 0, difference_percent: 6.67 })
        assert.deepInclude(of("meeting_booked"), { written: 1, held_out: 1, difference_percent: -13.33 })
        assert.isTrue(of("won").low_percent < 0 && of("won").high_percent > 6.67)
        assert.deepInclude(
          outcomes.brought.find((one: { readonly outcome: string }) => one.outcome === "won"),
          { people: 1 }
        )
      })
    )

    it.effect("without a holdout it says what is not known, and what was spent on its people, each call once", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [person] = silent(1, "spent")
        const email = person?.email ?? ""
        const before = ok(yield* client.call("verify_email", { email }, { key: freshKey() }))
        const campaign_id = yield* launched(client, { recipients: [{ email }] })
        yield* pass("2 seconds")
        ok(
          yield* client.call(
            "set_lead_status",
            { campaign_lead_id: yield* leadOf(client, campaign_id, email), status: "interested" } as never,
            { key: freshKey() }
          )
        )
        const outcomes = yield* outcomesOf(client, campaign_id)
        assert.deepInclude(outcomes, {
          people_written: 1,
          holdout: null,
          says: "not known whether they would have come anyway"
        })
        const { charged } = before as unknown as { readonly charged: string }
        if (charged !== undefined) assert.strictEqual(outcomes.credits, charged)
        assert.notStrictEqual(Number(outcomes.credits), 0)
        assert.deepInclude(outcomes.brought[1], {
          outcome: "interested",
          people: 1,
          credits_each: outcomes.credits
        })
        assert.deepInclude(outcomes.brought[0], { outcome: "replied", people: 0, credits_each: null })

        // The ledger drills into the same amount, and into nobody else's.
        const [stranger] = silent(1, "elsewhere")
        ok(yield* client.call("verify_email", { email: stranger?.email ?? "" }, { key: freshKey() }))
        const { ledger } = yield* ConsoleReads
        const entries = yield* ledger(client.workspaceId, { ...EVERY_ENTRY, campaignId: campaign_id }, null, 100)
        const spent = entries.reduce((sum, { micros }) => sum - micros, 0n)
        assert.strictEqual(Number(spent) / 1_000_000, Number(outcomes.credits))
        assert.isBelow(entries.length, (yield* ledger(client.workspaceId, EVERY_ENTRY, null, 100)).length)
      })
    )

    it.effect("what lists cost its people is in what was spent on it, each row once, and nobody else's row", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const emails = silent(3, "listed").map(({ email }) => email)
        const [shared = "", erased = ""] = emails
        const strangers = silent(2, "not-in-it").map(({ email }) => email)
        const campaignOf = (...to: ReadonlyArray<string>) =>
          Effect.map(
            draft(client, { recipients: to.map((email) => ({ email })) }),
            ({ result }) => result.campaign_id as string
          )
        const ours = yield* campaignOf(...emails, "unknown@magic.test")
        const beside = yield* campaignOf(shared, ...strangers.slice(1))
        const key = freshKey()
        const rows = { emails: [...emails, ...strangers, "unknown@magic.test"] }
        yield* listed(client, "verify_emails", rows, key)
        const [inOurs, inBeside] = [spentOn(client, ours), spentOn(client, beside)]
        // The row of the unknown address is free, and not in the ledger.
        assert.deepStrictEqual(yield* inOurs, { credits: "3", verbs: Array(3).fill("verify_email") })
        // Who is in two campaigns counts in both: the call can't be divided.
        assert.strictEqual((yield* inBeside).credits, "2")

        // A repeat by the key of the list, or of a call, is the same call.
        yield* listed(client, "verify_emails", rows, key)
        assert.strictEqual((yield* inOurs).credits, "3")
        const single = freshKey()
        for (const _ of [1, 2]) ok(yield* client.call("verify_email", { email: erased }, { key: single }))
        assert.strictEqual((yield* inOurs).credits, "4")

        // An erasure forgets which calls named somebody.
        const erase = Effect.orDie(Effect.flatMap(Erasure, (one) => one.eraseFor(client.workspaceId, erased)))
        yield* erase
        assert.strictEqual((yield* inOurs).credits, "2")
        assert.strictEqual((yield* inBeside).credits, "2")
        assert.isFalse((yield* erase).known, "nothing of them is left")
      })
    )

    it.effect("so are the rows of a list that found its people", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { leads } = ok(yield* client.call("find_leads", { audience: "Heads of sales", limit: 2 })).result
        const people = leads.map(({ company_domain, full_name }: Record<string, string>) => ({
          company_domain,
          full_name
        }))
        yield* listed(client, "enrich_people", { people, want: ["work_email"] })
        const found = yield* client.call("enrich", { person: people[0], want: ["work_email"] }, { key: freshKey() })
        const email = ok(found).result.contact.work_email as string
        // That one came from the cache, and was free.
        assert.strictEqual(found.svc.credits_charged, "0")
        const { campaign_id } = (yield* draft(client, { recipients: [{ email }] })).result
        assert.deepStrictEqual(yield* spentOn(client, campaign_id), { credits: "5", verbs: ["enrich"] })
      })
    )

    it.effect("an outcome is each person once, by their answer or by a status that somebody set", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const emails = [
          "interested+b1@magic.test",
          "interested+b2@magic.test",
          ...silent(2, "b").map((one) => one.email)
        ]
        const campaign_id = yield* launched(client, { recipients: emails.map((email) => ({ email })) })
        yield* pass("10 seconds", "1 second")
        const set = (email: string, status: string) =>
          Effect.flatMap(leadOf(client, campaign_id, email), (campaign_lead_id) =>
            client.call("set_lead_status", { campaign_lead_id, status } as never, { key: freshKey() })
          )
        // One answered and was set too, one only answered, one was only set: three people, none of them twice.
        ok(yield* set(emails[0] ?? "", "meeting_booked"))
        ok(yield* set(emails[2] ?? "", "interested"))
        const campaign = ok(yield* client.call("get_campaign", { campaign_id })).result
        const brought = (outcome: string): number | undefined =>
          campaign.outcomes.brought.find((one: { readonly outcome: string }) => one.outcome === outcome)?.people
        assert.deepStrictEqual(["replied", "interested", "meeting_booked", "won"].map(brought), [2, 3, 1, 0])
        assert.strictEqual(campaign.replied, 2)
        // Who said no after all is no outcome, whatever their answer was read as.
        ok(yield* set(emails[1] ?? "", "not_interested"))
        const { brought: later } = yield* outcomesOf(client, campaign_id)
        assert.deepInclude(later[1], { outcome: "interested", people: 2 })
      })
    )

    it.effect("another share is another request, and after a launch none is drawn any more", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = (yield* draft(client, { recipients: PEOPLE })).result.campaign_id as string
        const asked = ok(yield* launch(client, campaign_id, { holdout_percent: 25 }))
        yield* decide(client, asked.result.approval_url, "approve")
        const token = asked.result.confirmation_token
        for (const more of [{ holdout_percent: 10 }, {}]) {
          assert.notStrictEqual((yield* launch(client, campaign_id, more, token)).status, 200)
        }
        ok(yield* launch(client, campaign_id, { holdout_percent: 25 }, token))
        ok(yield* client.call("pause_campaign", { campaign_id }, { key: freshKey() }))
        refused(yield* launch(client, campaign_id, { holdout_percent: 25 }), 400, "invalid_request", {
          reason: "holdout_late"
        })
      })
    )
  })
}
