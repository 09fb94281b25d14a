import { assert, it } from "@effect/vitest"
import type { Answered, Client } from "@outbound/testkit/service/Client.js"
import { decide } from "@outbound/testkit/service/Client.js"
import {
  draft,
  ended,
  freshKey,
  grant,
  launch,
  member,
  ok,
  pass,
  PURCHASE,
  sender,
  silent,
  to,
  trailOf,
  work
} from "@outbound/testkit/contracts/service/stories.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceHost, signedIn } from "./support/Signed.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

const numberIn = (text: string): number => Number(text.replaceAll(/[ ,]/g, ""))

const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

/** The number before these words on a page, tags left out. */
const before = (html: string, words: string): number => {
  const found = new RegExp(`([\\d,]+) ${words}`).exec(wordsOf(html))
  assert.isNotNull(found, `“${words}” in ${wordsOf(html).slice(0, 2_000)}`)
  return numberIn(found?.[1] ?? "")
}

/** The numbers of a row of a table, by their columns, without shares. */
const rowOf = (html: string, label: string, head: string): Readonly<Record<string, number>> => {
  const table = new RegExp(`aria-label="${label}"(.*?)</table>`, "s").exec(html)?.[1] ?? ""
  const heads = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, words = ""]) =>
    wordsOf(words).replace("↓", "").trim()
  )
  const row = table.split("<tr").find((one) => /<th scope="row".*?<\/th>/s.exec(one)?.[0].includes(head) === true) ?? ""
  const cells = [...row.matchAll(/<td[^>]*>\s*([\d,]+)/g)].map(([, n = ""]) => numberIn(n))
  return Object.fromEntries(cells.map((n, index) => [heads[index + 1] ?? "", n]))
}

/** The sum of what each mailbox would send, on the page of an approval. */
const messagesBy = (html: string): number => {
  const table = /aria-label="Messages by mailbox"(.*?)<\/table>/s.exec(html)?.[1] ?? ""
  return [...table.matchAll(/<tr>.*?<\/tr>/gs)].reduce((sum, [row]) => {
    const [, cell = "0"] = /<td class="number">([\d,]+)/.exec(row) ?? []
    return sum + numberIn(cell)
  }, 0)
}

const available = (client: Client) => Effect.map(client.call("get_usage"), ({ svc }) => Number(svc.credits_available))

/** What an approval's page says of money: its figures in their order. */
const moneyOn = (html: string): ReadonlyArray<string> =>
  [...(/<dt>Cost<\/dt>.*?<dt>Sender<\/dt>/s.exec(html)?.[0] ?? "").matchAll(/[\d,]+ credits?/g)].map(([one]) => one)

it.effect("cost now, first month and after: the quote, the page that is approved, and what is then charged", () =>
  run(
    Effect.gen(function* () {
      const client = yield* member()
      yield* grant(client, "50000")
      const { get } = yield* signedIn(client.ownerEmail)
      const asked = yield* available(client)
      const { result } = ok(yield* client.call("setup_sending", { ...PURCHASE, daily_sends: 60 }))
      const { quote } = result
      const [now, month, first, after] = [
        quote.setup_credits,
        quote.upkeep_credits_per_month,
        quote.first_month_credits,
        quote.credits_after_first_month
      ].map(Number) as [number, number, number, number]
      const path = new URL(result.approval_url).pathname
      const shown = moneyOn((yield* get(path)).text)
      assert.deepStrictEqual(
        shown.map((one) => numberIn(one.split(" ")[0] ?? "")),
        [first, now, month, month, asked, asked - now, after]
      )
      assert.deepStrictEqual([first, after], [now + month, asked - first])
      const dry = ok(yield* client.call("setup_sending", { ...PURCHASE, daily_sends: 60, dry_run: true })).result.plan
      assert.deepInclude(dry.would, {
        setup_credits: quote.setup_credits,
        first_month_credits: quote.first_month_credits,
        credits_after_first_month: quote.credits_after_first_month
      })

      yield* decide(client, result.approval_url, "approve")
      const { confirmation_token } = result
      const bought = ok(
        yield* client.call("setup_sending", { ...PURCHASE, daily_sends: 60, confirmation_token }, { key: freshKey() })
      )
      assert.strictEqual(Number(bought.svc.credits_charged), now)
      yield* ended(client, bought.result.operation_id)
      yield* pass("2 minutes", "20 seconds")
      assert.strictEqual(yield* available(client), after)
      const usage = (yield* get("/console/credits")).text
      assert.include(wordsOf(usage), `${after.toLocaleString("en-US")}`)
      // What was approved stays as it was, whatever is spent or paid in afterwards.
      yield* grant(client, "7")
      assert.deepStrictEqual(moneyOn((yield* get(path)).text), shown)
    })
  )
)

const REACTIONS = ["interested", "not_interested", "out_of_office", "unsubscribe", "bounce", "other"]

interface Person {
  readonly campaign_lead_id: string
  readonly email: string
  readonly state: string
  readonly next_due_at: string | null
}

const peopleOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("list_leads", { campaign_id }), (answer) => ok(answer).result.leads as ReadonlyArray<Person>)

const summed = (steps: ReadonlyArray<Readonly<Record<string, number>>>, what: string): number =>
  steps.reduce((total, step) => total + (step[what] ?? 0), 0)

const inState = (people: ReadonlyArray<Person>, state: string): number =>
  people.filter((person) => person.state === state).length

it.effect("sent, replied, interested, bounced and left out: every verb, every page and what then happened", () =>
  run(
    Effect.gen(function* () {
      const client = yield* sender()
      const { get } = yield* signedIn(client.ownerEmail)
      ok(yield* client.call("add_suppressions", { domains: ["gone.test"] }, { key: freshKey() }))
      const recipients = [
        ...to("a@gone.test", "b@gone.test", ...REACTIONS.map((one) => `${one}@magic.test`)),
        ...silent(4)
      ]
      const drafted: Answered = yield* draft(client, { recipients })
      const { campaign_id } = drafted.result
      const path = `/console/campaigns/${campaign_id}`
      // Left out at the draft: the verb, the page, and what is kept.
      assert.strictEqual(drafted.result.leads_suppressed, 2)
      assert.strictEqual(before((yield* get(path)).text, "people were left out"), 2)
      assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "admitted" }), recipients.length - 2)

      // Left out since: the forecast, the page of the approval, and the launch.
      ok(yield* client.call("add_suppressions", { emails: ["silent+s0@magic.test"] }, { key: freshKey() }))
      const remaining = recipients.length - 3
      const asked = ok(yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }))
      const foreseen = ok(yield* client.call("forecast_campaign", { campaign_id })).result
      const approval = (yield* get(new URL(asked.result.approval_url).pathname)).text
      assert.strictEqual(before(approval, "leads"), remaining)
      assert.strictEqual(before(approval, "lead was left out"), 1)
      assert.strictEqual(asked.result.preview.leads_active, remaining)
      assert.strictEqual(asked.result.preview.leads_suppressed_at_launch, 1)
      const messages = summed(foreseen.days, "messages")
      assert.strictEqual(messages, 2 * remaining)
      assert.strictEqual(messagesBy(approval), messages)
      yield* launch(client, campaign_id)

      // The next message: the verb, the page, the people, and when it then leaves.
      const dueIn = (answer: Answered) => Date.parse(ok(answer).result.next_due_at)
      const next = dueIn(yield* client.call("get_campaign", { campaign_id }))
      assert.strictEqual(
        next,
        Math.min(
          ...(yield* peopleOf(client, campaign_id)).flatMap(({ next_due_at: at }) =>
            at === null ? [] : [Date.parse(at)]
          )
        )
      )
      assert.include((yield* get(path)).text, new Date(next).toISOString().slice(0, 19))
      yield* TestClock.setTime(next)
      yield* work
      const [first] = yield* trailOf(client, { campaign_id, kind: "sent" })
      assert.strictEqual(Date.parse(first?.observed_at ?? ""), next)
      yield* pass("40 seconds")

      // Marked after a call, without an answer by mail.
      const { campaign_lead_id } = (yield* peopleOf(client, campaign_id)).find(
        ({ email }) => email === "silent+s1@magic.test"
      )!
      ok(yield* client.call("set_lead_status", { campaign_lead_id, status: "interested" }, { key: freshKey() }))

      const check = Effect.gen(function* () {
        const people = yield* peopleOf(client, campaign_id)
        const events = yield* trailOf(client, { campaign_id })
        const happened = {
          sent: events.filter(({ kind }) => kind === "sent").length,
          replied: inState(people, "replied"),
          bounced: inState(people, "bounced"),
          unsubscribed: inState(people, "unsubscribed")
        }
        const verb = ok(yield* client.call("get_campaign", { campaign_id })).result
        const { campaigns } = ok(yield* client.call("list_campaigns")).result
        for (const one of [verb, campaigns[0]]) assert.deepInclude(one, { ...happened, leads: people.length })
        const interested = summed(verb.steps, "interested")
        assert.deepStrictEqual(
          {
            sent: summed(verb.steps, "sent"),
            replied: summed(verb.steps, "replied"),
            bounced: summed(verb.steps, "bounced"),
            unsubscribed: summed(verb.steps, "unsubscribed")
          },
          happened
        )
        assert.strictEqual(summed(verb.mailboxes, "sent"), happened.sent)
        const counted = { ...verb.leads_by_state }
        for (const { state } of people) counted[state] -= 1
        assert.deepStrictEqual(new Set(Object.values(counted)), new Set([0]))
        const brought = (what: string) =>
          verb.outcomes.brought.find(({ outcome }: { readonly outcome: string }) => outcome === what).people
        assert.strictEqual(brought("replied"), happened.replied)
        // An outcome also counts whom somebody marked: the words differ, and so does the definition.
        assert.strictEqual(brought("interested"), interested + 1)

        const page = (yield* get(path)).text
        const all = rowOf(page, "By message", "All")
        assert.deepInclude(all, {
          People: people.length,
          Sent: happened.sent,
          Replied: happened.replied,
          Interested: interested,
          Bounced: happened.bounced,
          Unsubscribed: happened.unsubscribed
        })
        assert.notMatch(page, /<td[^>]*>Interested<\/td>/)
        assert.match(page, new RegExp(`Said or marked as interested</td><td class="number">${interested + 1}<`))
        const listed = (yield* get("/console/campaigns")).text
        assert.strictEqual(before(listed, "replied"), happened.replied)
        assert.strictEqual(before(listed, "bounced"), happened.bounced)
        const home = (yield* get("/console/home")).text
        assert.deepInclude(rowOf(home, "Campaigns by what came of them", path), {
          Messages: happened.sent,
          Replied: happened.replied,
          Interested: interested,
          Bounced: happened.bounced,
          Unsubscribed: happened.unsubscribed
        })
        assert.strictEqual(before(home, happened.sent === 1 ? "message sent" : "messages sent"), happened.sent)
        assert.strictEqual(before(home, "of these messages bounced"), happened.bounced)
        return { ...happened, interested }
      })
      const found = yield* check
      assert.isAbove(Math.min(found.replied, found.interested, found.bounced, found.unsubscribed), 0)

      // To the end. Whoever left the sequence gets no second message; the others were foreseen.
      yield* pass("6 days", "4 hours")
      const end = yield* check
      const left = end.replied + end.bounced + end.unsubscribed
      assert.strictEqual(end.sent, messages - left)
      const over = ok(yield* client.call("get_campaign", { campaign_id })).result
      assert.isNull(over.next_due_at)
      assert.deepStrictEqual(
        (yield* peopleOf(client, campaign_id)).flatMap(({ next_due_at }) =>
          next_due_at === null ? [] : [next_due_at]
        ),
        []
      )
      assert.match((yield* get(path)).text, /Next message<\/dt><dd[^>]*>None/)
    })
  )
)

const GLOSSARY = join(import.meta.dirname, "../../../docs/glossary.md")

const FIGURES = [
  "sent",
  "replied",
  "interested",
  "bounced",
  "next message",
  "cost now",
  "first month",
  "After",
  "left out"
]

it("each of these figures has one definition in the glossary", () => {
  const glossary = readFileSync(GLOSSARY, "utf8")
  assert.deepStrictEqual(
    FIGURES.map((figure) => [figure, glossary.split(`**${figure}**`).length - 1]),
    FIGURES.map((figure) => [figure, 1])
  )
})
