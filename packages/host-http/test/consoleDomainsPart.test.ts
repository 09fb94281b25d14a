import { assert, describe, it } from "@effect/vitest"
import { type DomainsShown, SNAPSHOT_DOMAINS_MAX } from "@outbound/domain/calls/approvals/Snapshot.js"
import { COMMON_SELECTORS } from "@outbound/domain/outreach/authentication/vitals.js"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost, launch } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { SCORECARD } from "./support/scorecard.js"
import { run, visitor } from "./support/Visitor.js"

const AT = "2026-11-20T09:00:00.000Z"
const pass = { status: "pass", aligned: true, detail: "as found", checked_at: AT } as const
const missing = {
  status: "missing",
  aligned: null,
  detail: "acme.test has no DMARC record. <b>Add</b> one.",
  checked_at: AT
} as const

const shown: DomainsShown = {
  rule: "warn",
  total: 23,
  failing: 1,
  unknown: 2,
  listed: 1,
  domains: [
    { domain: "acme.test", spf: pass, dkim: pass, dmarc: missing, mx: pass, listed_on: ["dbl.test"] },
    {
      domain: "new.test",
      spf: { status: "unknown", aligned: null, detail: "Nobody has looked yet.", checked_at: null },
      dkim: { status: "unknown", aligned: null, detail: "Nobody has looked yet.", checked_at: null },
      dmarc: { status: "unknown", aligned: null, detail: "Nobody has looked yet.", checked_at: null },
      mx: { status: "unknown", aligned: null, detail: "Nobody has looked yet.", checked_at: null },
      listed_on: []
    }
  ]
}

describe("the sending domains of a launch, on its approval's page", () => {
  it.live("shows what fails, what is not known and how old that is, and names both among the risks", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approvalId } = yield* desk.add(desk.ours, { ...launch, sending_domains: shown })
        const { text } = yield* (yield* visitor(desk.ours)).get(`/console/approvals/${approvalId}`)
        for (const words of [
          "23 domains. 1 domain is not authenticated",
          "Of 2 domains not everything is known",
          "1 domain is on a blocklist",
          "The workspace only warns",
          "21 domains more",
          "On the blocklist dbl.test",
          "Not yet",
          "1 sending domain is not authenticated",
          "2 sending domains’ authentication is not known",
          "#sending-domains"
        ]) {
          assert.include(text, words)
        }
        assert.notInclude(text, "<b>Add</b>")
      })
    )
  )

  it.live("keeps the page light, however many domains there are and however much is wrong with them", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const detail = `No DKIM key found under the usual selectors (${COMMON_SELECTORS.join(", ")}). If your mail provider uses another selector, enter it. Otherwise, turn on DKIM signing there and add the record it gives you.`
        const bad = { ...missing, detail }
        const domains = Array.from({ length: SNAPSHOT_DOMAINS_MAX }, (_, index) => ({
          domain: `sending-domain-${index}.example`,
          spf: { ...bad, detail: `${detail} (SPF)` },
          dkim: bad,
          dmarc: { ...bad, detail: `${detail} (DMARC)` },
          mx: { ...bad, detail: `${detail} (MX)` },
          listed_on: ["zen.blocklist.example", "dbl.blocklist.example"]
        }))
        const { approvalId } = yield* desk.add(desk.ours, {
          ...launch,
          list: SCORECARD,
          sending_domains: { ...shown, total: 500, domains }
        })
        const { text } = yield* (yield* visitor(desk.ours)).get(`/console/approvals/${approvalId}`)
        assert.include(text, "sending-domain-19.example")
        assert.isBelow(Buffer.byteLength(text), 100 * 1024)
      })
    )
  )

  it.live("a request from before domains were shown has no such part", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approvalId } = yield* desk.add(desk.ours, launch)
        const { text } = yield* (yield* visitor(desk.ours)).get(`/console/approvals/${approvalId}`)
        assert.notInclude(text, "sending-domains")
      })
    )
  )

  it.live(
    "has no barrier in light, dark and on a phone",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const desk = yield* Desk
        const { approvalId } = yield* desk.add(desk.ours, { ...launch, sending_domains: shown })
        const base = `http://127.0.0.1:${port}`
        const link = yield* desk.link(desk.ours)
        const wrong: Array<string> = []
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          await enter(page, `${base}/console/sign-in?token=${link}`)
          await page.goto(`${base}/console/approvals/${approvalId}#sending-domains`)
          for (const viewport of [DESKTOP, PHONE, { width: 390, height: 844 }]) {
            for (const colorScheme of ["light", "dark"] as const) {
              await page.setViewportSize(viewport)
              await page.emulateMedia({ colorScheme })
              wrong.push(...(await violations(page)).map((one) => `${viewport.width} ${colorScheme}: ${one}`))
              if ((await overflow(page)) > 0) wrong.push(`wider than ${viewport.width}`)
              const pictures = process.env["OUTBOUND_TEST_PICTURES"]
              if (pictures !== undefined) {
                await page.screenshot({ path: `${pictures}/domains-part-${viewport.width}-${colorScheme}.png` })
              }
            }
          }
        })
        assert.deepStrictEqual(wrong, [])
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )
})
