import { assert, describe, it } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { codePointOf, partsOf } from "@outbound/domain/kernel/text/signs.js"
import { buy, deliveries, draft, freshKey, grant, member, ok } from "@outbound/testkit/contracts/service/stories.js"
import { type Client, decide, turn } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, Option, References } from "effect"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import { OWN_LINK } from "../src/console/approvals/MergedMessages.js"

const TestHost = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

/** Texts as strangers write them: markup, hidden characters, look-alikes, line breaks and a link. */
const EVIL = "Your mailbox is full.\nLog in at https://login.evil-mail.com/now\u202E & <b>keep</b> it, раypal."

const SEQUENCE = [
  {
    subject: "Hello {{first_name|there}}",
    body: "{{custom.b|Hello there …}}\n\n{{custom.why}}\n\nAda, https://acme.com"
  },
  { body: "{{first_name|You}}: again, {{company_name|your company}}." }
]

const recipients = Array.from({ length: 60 }, (_, index) => ({
  email: `silent+c${String(index).padStart(2, "0")}@magic.test`,
  ...(index % 3 === 0 ? {} : { first_name: `Name${index}`, last_name: "O’Hara \u200B& Co" }),
  ...(index % 4 === 0 ? { company_name: `Company <${index}>` } : {}),
  custom: { why: `Reason ${index % 7} "quoted"`, ...(index === 41 ? { b: EVIL } : {}) }
}))

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' }

/** What a reader sees of a page: no tags, and entities as their characters. */
const seen = (html: string): string =>
  html
    .replace(/^[\s\S]*<main/, "<main")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "'")

/** A text as a page spells it. */
const spelled = (text: string): string =>
  partsOf(text)
    .map((part) =>
      part.kind === null ? part.text : `${part.kind === "invisible" ? "" : part.text}<${codePointOf(part.text)}>`
    )
    .join("")

/** Every line of a message that left, but for the link of each recipient's own. */
const linesOf = ({ subject, text, to, unsubscribeUrl }: OutgoingMessage): ReadonlyArray<string> => [
  subject,
  to.address,
  ...(to.name === null ? [] : [to.name]),
  ...text.replace(unsubscribeUrl, OWN_LINK).split("\n")
]

const reader = (client: Client) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const console = yield* Console
    const { secret } = Option.getOrThrow(
      yield* console.signIn(yield* Effect.orDie(console.makeSignInLink(client.ownerEmail)))
    )
    return (path: string) =>
      Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { cookie: `__Host-outbound_session=${secret}` }
        })
        return { status: response.status, html: await response.text() }
      })
  })

const hrefs = (html: string, pattern: RegExp): ReadonlyArray<string> =>
  [...html.matchAll(/href="([^"]*)"/g)]
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => pattern.test(href))

/** A workspace that can send, and a request to launch. */
const asked = Effect.gen(function* () {
  const client = yield* member()
  yield* grant(client, "200000")
  const { result } = yield* buy(client, {
    daily_sends: 200,
    brand: "acme",
    identity: { first_name: "Ada", last_name: "L" }
  })
  while (
    ok(yield* client.call("get_operation", { operation_id: result.operation_id as string })).result.finished_at === null
  ) {
    yield* Effect.sleep("50 millis")
  }
  const campaign_id = (yield* draft(client, { sequence: SEQUENCE, recipients })).result.campaign_id as string
  const ask = ok(yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })).result
  return {
    client,
    campaign_id,
    token: ask.confirmation_token as string,
    url: ask.approval_url as string,
    path: new URL(ask.approval_url as string).pathname,
    get: yield* reader(client)
  }
})

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof TestHost>>) => effect.pipe(Effect.provide(TestHost))

describe("what is approved can be read before", () => {
  it.live(
    "every string of the mail that leaves stood on the page of its recipient, and every value in the lists",
    () =>
      run(
        Effect.gen(function* () {
          const { campaign_id, client, get, path, token, url } = yield* asked
          // Every page that can be reached from the request's, page by page.
          const persons = new Map<string, string>()
          const lists: Array<string> = []
          let next: string | undefined = `${path}/people`
          while (next !== undefined) {
            const { html } = yield* get(next)
            lists.push(seen(html))
            for (const person of hrefs(html, /\/person\?/)) {
              const page = seen((yield* get(person)).html)
              persons.set(/Messages to (silent\+c\d+@magic\.test)/.exec(page)?.[1] ?? "", page)
            }
            ;[next] = hrefs(html, /\/people\?.*after=/)
          }
          for (const variable of hrefs((yield* get(path)).html, /\/values\?/)) {
            let at: string | undefined = variable
            while (at !== undefined) {
              const { html } = yield* get(at)
              lists.push(seen(html))
              ;[at] = hrefs(html, /\/values\?.*from=/)
            }
          }

          yield* decide(client, url, "approve")
          ok(yield* client.call("launch_campaign", { campaign_id, confirmation_token: token }, { key: freshKey() }))
          const wanted = recipients.length * SEQUENCE.length
          for (let turns = 0; turns < 100 && (yield* deliveries(campaign_id)).length < wanted; turns += 1) {
            yield* turn
            yield* Effect.sleep("50 millis")
          }
          const sent = yield* deliveries(campaign_id)
          assert.strictEqual(sent.length, wanted)
          for (const message of sent) {
            const page = persons.get(message.to.address) ?? ""
            for (const line of linesOf(message)) assert.include(page, spelled(line), message.to.address)
          }
          const all = lists.join("\n")
          for (const { custom } of recipients) {
            for (const value of Object.values(custom)) assert.include(all, spelled(value))
          }
        })
      ),
    { timeout: 120_000 }
  )

  it.live("a foreign text in one lead's value is the first thing that the page shows, spelled out", () =>
    run(
      Effect.gen(function* () {
        const { get, path } = yield* asked
        const { html } = yield* get(path)
        const page = seen(html)
        assert.notMatch(html, /[\u202E\u200B]|<b>keep/)
        const look = page.slice(page.indexOf("Look at these first"), page.indexOf("One lead’s messages, whole"))
        for (const shown of [
          "login.evil-mail.com",
          "1 lead’s own values",
          "acme.com",
          spelled(EVIL),
          "silent+c41@magic.test"
        ]) {
          assert.include(look, shown)
        }
        assert.include(page, "Hello there …")
        const [byHost] = hrefs(html, /\/people\?host=login\.evil-mail\.com/)
        assert.include(seen((yield* get(byHost ?? "")).html), spelled(EVIL))
        // Searched for by a text inside the value, on the request's page and among the values.
        assert.include(seen((yield* get(`${path}?q=${encodeURIComponent("mailbox is FULL")}`)).html), "1 match")
        const values = seen((yield* get(`${path}/values?variable=custom.b&q=evil-mail`)).html)
        assert.include(values, spelled(EVIL))
      })
    )
  )

  it.live("a launch that waits says when its messages leave, from where, and who gets none, as the verb does", () =>
    run(
      Effect.gen(function* () {
        const { campaign_id, client, get, path, url } = yield* asked
        ok(yield* client.call("add_suppressions", { emails: ["silent+c00@magic.test"] }, { key: freshKey() }))
        const { days, recipients_left_out } = ok(yield* client.call("forecast_campaign", { campaign_id })).result
        const total = days.reduce((sum: number, { messages }: { messages: number }) => sum + messages, 0)
        const { html } = yield* get(path)
        const page = seen(html)
        const section = page.slice(page.indexOf("When the messages leave"), page.indexOf("Templates"))
        assert.match(section, new RegExp(`\\b${total}\\s+messages`))
        for (const { mailbox } of days) assert.include(section, mailbox)
        assert.deepStrictEqual(recipients_left_out, { opted_out: 1 })
        assert.include(section, "1 person: they opted out")
        assert.match(html, /<a href="#forecast">/)
        yield* decide(client, url, "decline")
        assert.notInclude((yield* get(path)).html, "When the messages leave")
      })
    )
  )

  it.live("another workspace's people, and pages of what has none, are not there", () =>
    run(
      Effect.gen(function* () {
        const { get, path } = yield* asked
        const [person = ""] = hrefs((yield* get(path)).html, /\/person\?/)
        const stranger = yield* reader(yield* member())
        for (const page of [path, person, `${path}/people`, `${path}/values?variable=custom.b`]) {
          assert.strictEqual((yield* stranger(page)).status, 404, page)
        }
        for (const page of [
          `${path}/person?of=abc`,
          `${path}/person?of=0197c3a0-0000-7000-8000-00000000ffff`,
          `${path}/values?variable=custom.none`
        ]) {
          assert.strictEqual((yield* get(page)).status, 404, page)
        }
        assert.strictEqual((yield* get(`${path}/people?after=abc&look=none&q=%E2%80%AE`)).status, 200)
      })
    )
  )
})
