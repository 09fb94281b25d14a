import { assert, layer as describeLayer } from "@effect/vitest"
import { SYNC_ATTEMPTS_MAX } from "@outbound/domain/outreach/interest/InterestMirror.js"
import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { InterestMark } from "@outbound/domain/sources/ports/SendingProvider.js"
import { Effect, type Layer } from "effect"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, makeKey } from "../../service/Client.js"
import { Faults } from "../../service/Service.js"
import {
  deliveries,
  draft,
  freshKey,
  kindsOf,
  launch,
  launched,
  leadOf,
  member,
  ok,
  pass,
  refused,
  sender,
  SENDING,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf,
  whileSending,
  work
} from "./stories.js"

const NO_ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const set = (client: Client, campaign_lead_id: string, status: string, key = freshKey()) =>
  client.call("set_lead_status", { campaign_lead_id, status }, { key })

const preview = (client: Client, campaign_lead_id: string, status: string) =>
  Effect.map(
    client.call("set_lead_status", { campaign_lead_id, status, dry_run: true }),
    (answer) => ok(answer).result.plan
  )

/** What the sending provider was told of people. */
const marks = (client: Client) =>
  Effect.map(
    Effect.flatMap(Faults, (faults) => faults.calls(SENDING)),
    (calls) =>
      calls.flatMap(({ method, request }) => {
        const mark = request as InterestMark
        return method === "setInterest" && mark.workspaceId === client.workspaceId ? [mark] : []
      })
  )

/** What an owner or agent says of a person (contract: campaigns, interest). */
export const leadStatusContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`set_lead_status (${name})`, (it) => {
    it.effect("each status is recorded over each, the same again is a no-op, and the dry run says so before", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { result } = yield* draft(client, { recipients: to("silent@magic.test") })
        const lead = yield* leadOf(client, result.campaign_id, "silent@magic.test")
        let previous: string | null = null
        for (const status of [...INTEREST_STATUSES, ...INTEREST_STATUSES].flatMap((one) => [one, one])) {
          const told = {
            previous_status: previous,
            status,
            suppression_applied: status === "not_interested"
          }
          const plan = yield* preview(client, lead, status)
          assert.deepStrictEqual(plan.would, { ...told, campaigns_left: 0 })
          const done = ok(yield* set(client, lead, status))
          assert.deepStrictEqual(done.result, {
            campaign_lead_id: lead,
            ...told,
            provider_sync_status: "unsupported"
          })
          assert.strictEqual(done.svc.credits_charged, "0")
          previous = status
        }
        const events = yield* trailOf(client, { kind: "status_set" })
        assert.lengthOf(events, 2 * INTEREST_STATUSES.length, "a repeat is told once")
        assert.deepStrictEqual(events[0]?.detail, { status: "interested", previous_status: null })
        assert.deepStrictEqual(events[1]?.detail, { status: "meeting_booked", previous_status: "interested" })
        // No other status lifted what not_interested brought about.
        const again = yield* draft(client, { recipients: to("silent@magic.test") })
        assert.deepStrictEqual(again.result.suppressed_reasons, { opted_out: 1 })
      })
    )

    it.effect("not_interested stops the sequence, and takes the person out of every campaign that runs", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const email = "silent@magic.test"
        const slow = [
          { subject: "a", body: "b" },
          { body: "c", wait_days: 60 }
        ]
        const [one, two, drafted] = [
          yield* draft(client, { recipients: to(email, "silent+x@magic.test"), sequence: slow }),
          yield* draft(client, { recipients: to(email, "silent+y@magic.test"), sequence: slow }),
          yield* draft(client, { recipients: to(email, "silent+z@magic.test") })
        ].map(({ result }) => result.campaign_id as string) as [string, string, string]
        yield* launch(client, one)
        yield* launch(client, two)
        const lead = yield* leadOf(client, one, email)
        assert.strictEqual((yield* preview(client, lead, "not_interested")).would.campaigns_left, 2)
        const done = ok(yield* set(client, lead, "not_interested"))
        assert.deepStrictEqual([done.result.suppression_applied, done.result.provider_sync_status], [true, "pending"])
        const events = yield* trailOf(client, { email, kind: "status_set,suppressed,stop,removed" })
        assert.deepStrictEqual(
          events.map(({ campaign_id, detail, kind, request_id, source }) => [
            kind,
            campaign_id,
            detail.reason,
            source,
            request_id
          ]),
          [
            ["status_set", one, undefined, "api", done.svc.request_id],
            ["suppressed", one, undefined, "api", done.svc.request_id],
            ["stop", one, "not_interested", "api", done.svc.request_id],
            ["removed", two, "opted_out", "api", done.svc.request_id]
          ]
        )
        yield* pass("2 seconds")
        for (const campaign of [one, two]) {
          const addresses = (yield* deliveries(campaign)).map((message) => message.to.address)
          assert.lengthOf(addresses, 1)
          assert.notInclude(addresses, email)
        }
        // A draft is left to its launch, which counts whom it takes out.
        const third = yield* launch(client, drafted)
        assert.deepStrictEqual([third.result.leads_active, third.result.leads_suppressed_at_launch], [1, 1])
      })
    )

    it.effect("who has answered and is not interested is suppressed for that too, and stays answered", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("interested@magic.test") })
        yield* pass("2 seconds")
        const [summary] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
        const read = () => client.call("get_reply", { reply_id: summary.reply_id })
        const { lead } = ok(yield* read()).result
        const before = (yield* trailOf(client, { campaign_id })).length
        ok(yield* set(client, lead.campaign_lead_id, "not_interested"))
        assert.deepStrictEqual(ok(yield* read()).result.lead, {
          campaign_lead_id: lead.campaign_lead_id,
          state: "replied",
          interest_status: "not_interested",
          provider_sync_status: "pending"
        })
        assert.deepStrictEqual(kindsOf((yield* trailOf(client, { campaign_id })).slice(before)), [
          "status_set",
          "suppressed",
          "stop"
        ])
        ok(yield* set(client, lead.campaign_lead_id, "won"))
        assert.strictEqual(ok(yield* read()).result.lead.interest_status, "won")
      })
    )

    it.effect("what was said of a person is mirrored to the provider in the background, the last of it", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("interested@magic.test") })
        yield* pass("2 seconds")
        const [{ reply_id }] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
        const read = Effect.map(client.call("get_reply", { reply_id }), (answer) => ok(answer).result.lead)
        const { campaign_lead_id, provider_sync_status } = yield* read
        assert.isNull(provider_sync_status)
        const key = freshKey()
        const first = ok(yield* set(client, campaign_lead_id, "interested", key))
        assert.strictEqual(first.result.provider_sync_status, "pending")
        ok(yield* set(client, campaign_lead_id, "meeting_booked"))
        yield* pass("2 seconds")
        assert.deepStrictEqual(yield* marks(client), [
          {
            workspaceId: client.workspaceId,
            campaignId: campaign_id,
            campaignLeadId: campaign_lead_id,
            email: "interested@magic.test",
            interest: "meeting_booked"
          }
        ])
        assert.strictEqual((yield* read).provider_sync_status, "synced")
        const again = ok(yield* set(client, campaign_lead_id, "interested", key))
        assert.deepStrictEqual([again.result, again.svc.replayed], [first.result, true])
        const repeat = ok(yield* set(client, campaign_lead_id, "meeting_booked"))
        assert.strictEqual(repeat.result.provider_sync_status, "synced", "a repeat is nothing new to mirror")
        yield* pass("2 seconds")
        assert.lengthOf(yield* marks(client), 1)
      })
    )

    it.effect("a provider that can't be reached is asked again, so often and no more; one that refuses is not", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("interested@magic.test") })
        yield* pass("2 seconds")
        const [{ reply_id }] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
        const read = Effect.map(client.call("get_reply", { reply_id }), (answer) => ok(answer).result.lead)
        const { campaign_lead_id } = yield* read
        yield* Effect.gen(function* () {
          ok(yield* set(client, campaign_lead_id, "interested"))
          yield* pass("2 seconds")
          assert.strictEqual((yield* read).provider_sync_status, "pending")
          yield* pass("20 minutes", "1 minute")
        }).pipe(whileSending(Behaviour.Fail({ reason: "transient" })))
        assert.lengthOf(yield* marks(client), SYNC_ATTEMPTS_MAX)
        assert.strictEqual((yield* read).provider_sync_status, "failed")
        yield* Effect.gen(function* () {
          ok(yield* set(client, campaign_lead_id, "won"))
          yield* pass("2 minutes", "30 seconds")
        }).pipe(whileSending(Behaviour.Fail({ reason: "invalid" })))
        assert.lengthOf(yield* marks(client), SYNC_ATTEMPTS_MAX + 1)
        assert.strictEqual((yield* read).provider_sync_status, "failed")
        ok(yield* set(client, campaign_lead_id, "neutral"))
        yield* pass("2 seconds")
        assert.strictEqual((yield* read).provider_sync_status, "synced")
      })
    )

    it.effect("any other status leaves the sequence alone", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("silent@magic.test") })
        yield* work
        const lead = yield* leadOf(client, campaign_id, "silent@magic.test")
        for (const status of INTEREST_STATUSES.filter((one) => one !== "not_interested")) {
          ok(yield* set(client, lead, status))
        }
        yield* pass("3 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
      })
    )

    it.effect("the same call under its key replays, another is refused, and what is missing is named", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { result } = yield* draft(client, { recipients: to("silent@magic.test") })
        const lead = yield* leadOf(client, result.campaign_id, "silent@magic.test")
        const key = freshKey()
        const first = ok(yield* set(client, lead, "interested", key))
        ok(yield* set(client, lead, "won"))
        const replay = ok(yield* set(client, lead, "interested", key))
        assert.deepStrictEqual([replay.result, replay.svc.replayed], [first.result, true])
        assert.strictEqual(
          (yield* preview(client, lead, "neutral")).would.previous_status,
          "won",
          "a replay sets nothing"
        )
        refused(yield* set(client, lead, "neutral", key), 409, "idempotency_conflict", { reason: "different_request" })
        refused(
          yield* client.call("set_lead_status", { campaign_lead_id: lead, status: "won" }),
          400,
          "invalid_request",
          { reason: "idempotency_key_required" }
        )
        refused(yield* set(client, lead, "thrilled"), 400, "invalid_request")
        refused(yield* set(client, "no uuid", "won"), 400, "invalid_request")
        refused(yield* set(client, NO_ID, "won"), 404, "not_found")
        refused(
          yield* client.call("set_lead_status", { campaign_lead_id: NO_ID, status: "won", dry_run: true }),
          404,
          "not_found"
        )
        const poor = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["data:read"] })
        refused(yield* set(poor, lead, "won"), 403, "forbidden", { required_scope: "campaign:write" })
        assert.deepStrictEqual((yield* preview(poor, lead, "neutral")).would.status, "neutral")
        assert.deepStrictEqual((yield* preview(poor, lead, "neutral")).would_exceed, ["forbidden"])
      })
    )
  })
}
