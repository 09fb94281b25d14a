import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  deliveries,
  draft,
  freshKey,
  launch,
  launched,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  work
} from "./stories.js"

const ABSENT = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const REACTIONS = ["interested", "not_interested", "out_of_office", "unsubscribe", "bounce", "silent"]

/** What an agent reads of its campaigns. */
export const campaignReadsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`list_campaigns, get_campaign and list_leads (${name})`, (it) => {
    it.effect("lists every campaign once, newest first, page by page and by state", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const first = yield* launched(client, { recipients: to("silent+1@magic.test") })
        yield* pass("1 second")
        const second = (yield* draft(client, { recipients: to("silent+2@magic.test") })).result
        const page = ok(yield* client.call("list_campaigns", { limit: 1 })).result
        const rest = ok(yield* client.call("list_campaigns", { limit: 1, cursor: page.next_cursor })).result
        assert.deepStrictEqual(
          [...page.campaigns, ...rest.campaigns].map(({ campaign_id, state }) => [campaign_id, state]),
          [
            [second.campaign_id, "draft"],
            [first, "active"]
          ]
        )
        assert.isNull(rest.next_cursor)
        const ids = (query: Record<string, string>) =>
          Effect.map(client.call("list_campaigns", query), (answer) =>
            ok(answer).result.campaigns.map(({ campaign_id }: { campaign_id: string }) => campaign_id)
          )
        assert.deepStrictEqual(yield* ids({ state: "draft" }), [second.campaign_id])
        assert.deepStrictEqual(yield* ids({ since: second.created_at }), [second.campaign_id])
        const other = yield* client.call("list_campaigns", { limit: 1, state: "draft", cursor: page.next_cursor })
        refused(other, 400, "invalid_request", { reason: "cursor_mismatch" })
      })
    )

    it.effect("the sums of a campaign, of its steps, of its mailboxes and of its people agree", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = to(...REACTIONS.map((reaction) => `${reaction}@magic.test`))
        const campaign_id = yield* launched(client, { recipients })
        yield* pass("20 seconds")
        const shown = ok(yield* client.call("get_campaign", { campaign_id })).result
        const { campaigns } = ok(yield* client.call("list_campaigns")).result
        const [listed] = campaigns
        assert.deepStrictEqual(listed, Object.fromEntries(Object.keys(listed).map((key) => [key, shown[key]])))
        assert.strictEqual(shown.leads, recipients.length)
        const sum = (rows: ReadonlyArray<Record<string, number>>, member: string) =>
          rows.reduce((total, row) => total + (row[member] ?? 0), 0)
        for (const member of ["sent", "replied", "bounced", "unsubscribed"]) {
          assert.strictEqual(sum(shown.steps, member), shown[member], member)
        }
        assert.strictEqual(sum(shown.mailboxes, "sent"), shown.sent)
        assert.deepInclude(shown.leads_by_state, {
          replied: shown.replied,
          bounced: shown.bounced,
          unsubscribed: shown.unsubscribed
        })
        assert.deepInclude(shown, { replied: 2, bounced: 1, unsubscribed: 1, paused_because: null })
        assert.strictEqual(sum(shown.steps, "interested"), 1)

        const people = ok(yield* client.call("list_leads", { campaign_id })).result.leads
        assert.deepStrictEqual(
          people.map(({ email }: { email: string }) => email),
          recipients.map(({ email }) => email)
        )
        assert.strictEqual(sum(people, "step"), shown.sent)
        for (const person of people) assert.strictEqual(person.last_sent_at === null, person.step === 0)
      })
    )

    it.effect("next_due_at is when the next message really leaves; null where none can", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("silent@magic.test") })
        const due = Effect.map(client.call("get_campaign", { campaign_id }), (answer) => ok(answer).result.next_due_at)
        const now = yield* Clock.currentTimeMillis
        assert.strictEqual(Date.parse(yield* due), now)
        yield* work
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        const dueMillis = Date.parse(yield* due)
        assert.isAbove(dueMillis, now)
        yield* TestClock.setTime(dueMillis - 1)
        yield* work
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        ok(yield* client.call("pause_campaign", { campaign_id }, { key: freshKey() }))
        assert.isNull(yield* due)
        yield* launch(client, campaign_id)
        assert.strictEqual(Date.parse(yield* due), dueMillis)
        yield* TestClock.setTime(dueMillis)
        yield* work
        assert.lengthOf(yield* deliveries(campaign_id), 2)
        assert.isNull(yield* due)
      })
    )

    it.effect("a person who was marked counts by the mark, not by the words", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("interested@magic.test", "other@magic.test") })
        yield* pass("10 seconds")
        const interested = Effect.map(client.call("get_campaign", { campaign_id }), (answer) =>
          ok(answer).result.steps.reduce((total: number, step: { interested: number }) => total + step.interested, 0)
        )
        assert.strictEqual(yield* interested, 1)
        const { leads } = ok(yield* client.call("list_leads", { campaign_id })).result
        for (const [index, status] of ["neutral", "meeting_booked"].entries()) {
          const { campaign_lead_id } = leads[index]
          ok(yield* client.call("set_lead_status", { campaign_lead_id, status }, { key: freshKey() }))
        }
        assert.strictEqual(yield* interested, 1)
        const marked = ok(yield* client.call("list_leads", { campaign_id })).result.leads
        assert.deepStrictEqual(
          marked.map(({ status }: { status: string }) => status),
          ["neutral", "meeting_booked"]
        )
      })
    )

    it.effect("says why a draft is not sending, and finds a person by state, by address and page by page", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = to("silent+1@magic.test", "silent+2@magic.test", "silent+3@magic.test")
        const { campaign_id } = (yield* draft(client, { recipients })).result
        yield* work
        const shown = ok(yield* client.call("get_campaign", { campaign_id })).result
        assert.deepInclude(shown, { state: "draft", launched_at: null, next_due_at: null, sent: 0, steps: [] })
        assert.deepInclude(shown.why_not_sending, { reason: "draft", until: null })
        assert.deepStrictEqual(shown.schedule, {
          timezone: "UTC",
          days: ["mon", "tue", "wed", "thu", "fri"],
          start_hour: 9,
          end_hour: 17,
          recipient_timezone: false,
          skip_holidays: []
        })
        const emails = (query: Record<string, string | number>) =>
          Effect.map(client.call("list_leads", { campaign_id, ...query }), (answer) => {
            const { leads, next_cursor } = ok(answer).result
            return { found: leads.map(({ email }: { email: string }) => email), next_cursor }
          })
        assert.deepStrictEqual((yield* emails({ email: " Silent+2@MAGIC.test " })).found, ["silent+2@magic.test"])
        assert.deepStrictEqual((yield* emails({ email: "silent" })).found, [])
        assert.deepStrictEqual((yield* emails({ state: "replied" })).found, [])
        const page = yield* emails({ limit: 2 })
        const rest = yield* emails({ limit: 2, cursor: page.next_cursor })
        assert.deepStrictEqual(
          [...page.found, ...rest.found],
          recipients.map(({ email }) => email)
        )
        assert.isNull(rest.next_cursor)
      })
    )

    it.effect("another workspace's campaign is answered as one that does not exist", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { campaign_id } = (yield* draft(client, { recipients: to("silent@magic.test") })).result
        const stranger = yield* sender()
        for (const id of [campaign_id, ABSENT]) {
          refused(yield* stranger.call("get_campaign", { campaign_id: id }), 404, "not_found")
          refused(yield* stranger.call("list_leads", { campaign_id: id }), 404, "not_found")
        }
        assert.deepStrictEqual(ok(yield* stranger.call("list_campaigns")).result.campaigns, [])
      })
    )
  })
}
