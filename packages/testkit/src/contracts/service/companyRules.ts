import { assert, layer as describeLayer } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  launch,
  launched,
  leadOf,
  ok,
  pass,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const THREE_STEPS = [
  { subject: "Hello", body: "Hi" },
  { body: "Again", wait_days: 20 },
  { body: "Last", wait_days: 20 }
]

/** How many messages each address got. */
const sentBy = (campaignId: string) =>
  Effect.map(deliveries(campaignId), (all) => {
    const counts = new Map<string, number>()
    for (const { to: recipient } of all) counts.set(recipient.address, (counts.get(recipient.address) ?? 0) + 1)
    return Object.fromEntries(counts)
  })

/** How campaigns spare companies (contract: campaigns, companies). */
export const companyRulesContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`rules about companies (${name})`, (it) => {
    const story = (first: string, rules: JsonObject = { stop_for_company: true }) =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = to(first, "silent@magic.test", "silent+2@magic.test", "a@other.test")
        const campaign_id = yield* launched(client, { recipients, sequence: THREE_STEPS, ...rules })
        yield* pass("15 seconds")
        return { client, campaign_id }
      })

    const REMOVED = ["silent+2@magic.test", "silent@magic.test"]

    const removedFrom = ({ campaign_id, client }: Effect.Success<ReturnType<typeof story>>) =>
      Effect.gen(function* () {
        const removed = yield* trailOf(client, { campaign_id, kind: "removed" })
        for (const { detail } of removed) assert.deepStrictEqual(detail, { reason: "company_answered" })
        return removed.map(({ email }) => email ?? "").toSorted()
      })

    for (const first of ["interested@magic.test", "not_interested@magic.test", "unsubscribe@magic.test"]) {
      it.effect(`${first} ends the sequences of all colleagues, and of nobody else`, () =>
        Effect.gen(function* () {
          const told = yield* story(first)
          assert.deepStrictEqual(yield* removedFrom(told), REMOVED)
          yield* pass("50 seconds")
          const sent = yield* sentBy(told.campaign_id)
          for (const email of REMOVED) assert.strictEqual(sent[email], 1, email)
          assert.strictEqual(sent["a@other.test"], 3)
        })
      )
    }

    it.effect("a status of not_interested is a refusal; an absence, a bounce or no rule end nothing", () =>
      Effect.gen(function* () {
        const told = yield* story("out_of_office@magic.test")
        assert.isEmpty(yield* removedFrom(told))
        const campaign_lead_id = yield* leadOf(told.client, told.campaign_id, "silent@magic.test")
        const status = { campaign_lead_id, status: "not_interested" }
        ok(yield* told.client.call("set_lead_status", status, { key: freshKey() }))
        assert.include(yield* removedFrom(told), "silent+2@magic.test")

        const bounced = yield* story("bounce@magic.test")
        assert.isEmpty(yield* removedFrom(bounced))
        const free = yield* story("interested@magic.test", {})
        yield* pass("50 seconds")
        assert.isEmpty(yield* removedFrom(free))
        assert.strictEqual((yield* sentBy(free.campaign_id))["silent@magic.test"], 3)
      })
    )

    it.effect("nobody at a stopped company has a next message, also before they have left", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = to("silent@magic.test", "a@other.test")
        const rules = { sequence: THREE_STEPS, stop_for_company: true }
        const campaign_id = yield* launched(client, { recipients, ...rules })
        yield* pass("1 second")
        const told = Effect.map(client.call("list_leads", { campaign_id }), (answer) => {
          const leads: ReadonlyArray<Record<"email" | "next_due_at", string | null>> = ok(answer).result.leads
          return leads.flatMap(({ email, next_due_at }) => (next_due_at === null ? [] : [email])).toSorted()
        })
        assert.deepStrictEqual(yield* told, ["a@other.test", "silent@magic.test"])
        const campaigns = yield* CampaignStore
        const { atomically } = yield* UnitOfWork
        yield* atomically(campaigns.stopCompany(client.workspaceId, "magic.test", yield* Clock.currentTimeMillis))
        assert.deepStrictEqual(yield* told, ["a@other.test"])
      }).pipe(Effect.orDie)
    )

    it.effect("an answer to another campaign counts from the launch on", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const sequence = THREE_STEPS
        const { result } = yield* draft(client, {
          recipients: to("silent+3@magic.test"),
          sequence,
          stop_for_company: true
        })
        yield* launched(client, { recipients: to("interested@magic.test"), sequence })
        yield* pass("5 seconds")
        yield* launch(client, result.campaign_id)
        yield* pass("5 seconds")
        assert.deepStrictEqual(yield* sentBy(result.campaign_id), { "silent+3@magic.test": 1 })
        yield* launched(client, { recipients: to("interested+2@magic.test"), sequence, name: "Another" })
        yield* pass("50 seconds")
        assert.deepStrictEqual(yield* sentBy(result.campaign_id), { "silent+3@magic.test": 1 })
      })
    )

    it.effect("a company gets its share of each day, as foreseen; a mail provider's users have no company", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const company = Array.from({ length: 5 }, (_, index) => `p${index}@acme.test`)
        const others = ["a@gmail.com", "b@gmail.com", "c@gmail.com", "d@other.test"]
        const { result } = yield* draft(client, {
          recipients: to(...company, ...others),
          sequence: THREE_STEPS.slice(0, 1),
          max_per_company_per_day: 2
        })
        const { campaign_id } = result
        const foreseen = ok(yield* client.call("forecast_campaign", { campaign_id })).result
        const messages = foreseen.days.map((day: { readonly messages: number }) => day.messages)
        assert.deepStrictEqual(messages, [2 + 4, 2, 1])
        yield* launch(client, campaign_id)
        const days: Array<number> = []
        for (const duration of ["1 minute", "1 day", "1 day"] as const) {
          yield* pass(duration, duration === "1 day" ? "4 hours" : "1 second")
          days.push((yield* deliveries(campaign_id)).length)
        }
        assert.deepStrictEqual(days, [6, 8, 9])
        assert.deepStrictEqual(
          Object.values(yield* sentBy(campaign_id)),
          Array.from({ length: 9 }, () => 1)
        )
      })
    )

    it.effect("the approval shows the rules, and a campaign without rules shows none", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const shownOf = (rules: JsonObject) =>
          Effect.gen(function* () {
            const { result } = yield* draft(client, { recipients: to("a@other.test"), ...rules })
            const asked = yield* askLaunch(client, result.campaign_id)
            const approvalId = String(ok(asked).result.approval_url).split("/").at(-1) ?? ""
            const shown = yield* (yield* Console).approval(client.workspaceId, approvalId)
            return Option.getOrThrow(shown).approval.snapshot
          })
        const rules = { stop_for_company: true, max_per_company_per_day: 7 } as const
        assert.deepInclude(yield* shownOf(rules), rules)
        const none = yield* shownOf({ stop_for_company: false })
        assert.notProperty(none, "stop_for_company")
        assert.notProperty(none, "max_per_company_per_day")
      })
    )
  })
}
