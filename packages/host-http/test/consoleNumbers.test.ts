import { assert, it } from "@effect/vitest"
import { freshKey, launched, ok, pass, sender, to } from "@outbound/testkit/contracts/service/stories.js"
import { Effect, type Layer } from "effect"
import { launch } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { ServiceHost, signedIn } from "./support/Signed.js"
import { furnished, run as onDesk, visitor } from "./support/Visitor.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

const REACTIONS = ["interested", "not_interested", "out_of_office", "unsubscribe", "bounce", "silent", "other"]

/** What the bars of the funnel say, by their words. */
const funnelIn = (html: string): Readonly<Record<string, number>> => {
  const list = /<ol class="card funnel">(.*?)<\/ol>/s.exec(html)?.[1] ?? ""
  return Object.fromEntries(
    [...list.matchAll(/<span class="big">([\d,]+)<\/span> ([a-z ]+)/g)].map(([, n = "", words = ""]) => [
      words.trim(),
      Number(n.replaceAll(",", ""))
    ])
  )
}

/** The cells of a row of a table, without their shares. */
const rowOf = (html: string, label: string, head: string): ReadonlyArray<number> => {
  const table = new RegExp(`aria-label="${label}"(.*?)</table>`, "s").exec(html)?.[1] ?? ""
  const row = new RegExp(`<th scope="row"[^>]*>${head}</th>(.*?)</tr>`, "s").exec(table)?.[1] ?? ""
  return [...row.matchAll(/<td[^>]*>([\d,]+)/g)].map(([, n = ""]) => Number(n.replaceAll(",", "")))
}

it.effect(
  "a figure is the same on the campaign's page, in its list and in every verb, and no step of the funnel is wider",
  () =>
    run(
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to(...REACTIONS.map((one) => `${one}@magic.test`)) })
        yield* pass("20 seconds")
        const people = ok(yield* client.call("list_leads", { campaign_id })).result.leads as ReadonlyArray<{
          readonly campaign_lead_id: string
          readonly email: string
          readonly state: string
        }>
        // Marked after a call, without an answer by mail.
        const silent = people.find(({ email }) => email === "silent@magic.test")!
        const { campaign_lead_id } = silent
        ok(yield* client.call("set_lead_status", { campaign_lead_id, status: "meeting_booked" }, { key: freshKey() }))
        const verb = ok(yield* client.call("get_campaign", { campaign_id })).result
        const { campaigns } = ok(yield* client.call("list_campaigns")).result
        const { get } = yield* signedIn(client.ownerEmail)
        const { text } = yield* get(`/console/campaigns/${campaign_id}`)
        const bars = funnelIn(text)
        const sum = (what: string) =>
          (verb.steps as ReadonlyArray<Record<string, number>>).reduce((total, step) => total + (step[what] ?? 0), 0)

        const replied = people.filter(({ state }) => state === "replied").length
        assert.isAbove(replied, 0)
        assert.deepInclude(bars, { replied, interested: sum("interested"), "in the campaign": people.length })
        for (const one of [verb, campaigns[0]]) {
          assert.deepInclude(one, {
            replied,
            bounced: people.filter(({ state }) => state === "bounced").length,
            unsubscribed: people.filter(({ state }) => state === "unsubscribed").length
          })
        }
        const [all, sent, , repliedOfAll, interested, meetings, bounced, unsubscribed] = rowOf(
          text,
          "By message",
          "All"
        )
        assert.deepStrictEqual(
          { all, sent, repliedOfAll, interested, bounced, unsubscribed },
          {
            all: people.length,
            sent: verb.sent,
            repliedOfAll: replied,
            interested: sum("interested"),
            bounced: verb.bounced,
            unsubscribed: verb.unsubscribed
          }
        )
        assert.strictEqual(meetings, 0)
        const widths = Object.values(bars)
        assert.lengthOf(widths, 6)
        assert.deepStrictEqual(
          widths,
          widths.toSorted((a, b) => b - a)
        )
        const list = (yield* get("/console/campaigns")).text
        assert.include(list, `${replied} replied`)
        assert.include(list, `${verb.bounced} bounced`)
        // A share says what it is a share of.
        assert.match(text, /\d % of those written to/)
        const nextMessage = verb.next_due_at === null ? "None" : verb.next_due_at.slice(0, 16)
        assert.match(text, new RegExp(`Next message</dt><dd[^>]*>[^]{0,80}${nextMessage.replace("T", "[T ]")}`))
      })
    )
)

it.live("an approval names no fewer messages a day than its forecast sends on the busiest", () =>
  onDesk(
    Effect.gen(function* () {
      const desk = yield* Desk
      const { draftId } = yield* furnished
      const owner = yield* visitor(desk.ours)
      const pageOf = (daily_send_limit: number) =>
        Effect.gen(function* () {
          const of = { ...launch, campaign_id: draftId, leads: 30, daily_send_limit }
          const { approvalId } = yield* desk.add(desk.ours, of, { target: `launch ${daily_send_limit}` })
          return (yield* owner.get(`/console/approvals/${approvalId}`)).text.replaceAll(/<[^>]*>/g, "")
        })
      const low = /at most 1 message a day, later up to (\d+), as new mailboxes may send more/.exec(yield* pageOf(1))
      const busiest = Number(low?.[1])
      assert.isAbove(busiest, 1)
      const enough = yield* pageOf(busiest)
      assert.include(enough, `at most ${busiest} messages a day`)
      assert.notInclude(enough, "later up to")
    })
  )
)
