import { assert, describe, it } from "@effect/vitest"
import { SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { MEMORY_ZONE_SECRET, MemoryZones } from "@outbound/testkit/dns/MemoryZones.js"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { ReputationStore } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { DEFAULT_RULE } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { type Form, run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const LIST = "/console/domains"
const KEY = `v=DKIM1; k=rsa; p=${"MIIB".repeat(98)}`

const form = (given: Form = {}): Form => ({
  domain: "acme.test",
  mail_host: "google",
  dkim: `google TXT ${KEY}`,
  spf: "",
  reports_to: "",
  mx: "",
  ...given
})

const digestIn = (text: string): string => /name="digest" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? ""

const added = Effect.gen(function* () {
  const desk = yield* Desk
  const us = yield* visitor(desk.live)
  const response = yield* us.post(LIST, form())
  const path = (response.headers.get("location") ?? "").replace("?done=added", "")
  assert.match(path, /^\/console\/domains\/[0-9a-f-]{36}$/)
  return { desk, path, us }
})

/** Reports, listings and a record that is gone. */
const reported = (workspaceId: string, domainId: string) =>
  Effect.gen(function* () {
    const store = yield* ReputationStore
    const { atomically } = yield* UnitOfWork
    const nowMillis = yield* Clock.currentTimeMillis
    const day = new Date(nowMillis).toISOString().slice(0, 10)
    const none = { day, isProven: false, dkim: 0, spf: 0, aligned: 0, quarantined: 0, rejected: 0 }
    const standing = {
      subject: "acme.test",
      sinceMillis: nowMillis,
      wasListed: false,
      says: "",
      isListed: null
    } as const
    yield* atomically(
      Effect.gen(function* () {
        const watch = yield* store.lockWatch(workspaceId, domainId, nowMillis)
        yield* store.addCounts(workspaceId, domainId, [
          { ...none, ip: "192.0.2.77", isProven: true, messages: 40, dkim: 40, spf: 30, aligned: 40 },
          { ...none, ip: "203.0.113.9", messages: 60, dkim: 20, spf: 20, aligned: 30, rejected: 5 }
        ])
        if (watch === null) return
        yield* store.updateWatch({
          ...watch,
          missing: { records: ["DMARC at _dmarc.acme.test"], looks: 2, sinceMillis: nowMillis },
          failing: { failed: 30, messages: 100, sinceMillis: nowMillis },
          lists: [
            { ...standing, zone: "dbl.test", isListed: true, says: "<b>spam</b>", last: "answered" },
            { ...standing, zone: "zen.test", last: "refused" }
          ]
        })
      })
    )
  })

describe("domains in the console", () => {
  it.live("an owner sees each record to paste, and what stands there now", () =>
    run(
      Effect.gen(function* () {
        const probe = yield* ScriptedProbe
        yield* probe.publish({ "acme.test": ["v=spf1 include:old.test ~all"] })
        const { path, us } = yield* added
        const page = (yield* us.get(path)).text
        for (const words of [
          "v=spf1 include:old.test include:_spf.google.com ~all",
          "google._domainkey.acme.test",
          KEY,
          "v=DMARC1; p=none; rua=mailto:dmarc@acme.test",
          "Different",
          "Missing"
        ]) {
          assert.include(page, words)
        }
        assert.include((yield* us.get(LIST)).text, "acme.test")
        assert.include((yield* us.get("/console/sending")).text, LIST)
        assert.include((yield* us.get("/console/settings/history")).text, "Sending domain added")
      })
    )
  )

  it.live("an owner approves exactly the changes that the page shows, and no others", () =>
    run(
      Effect.gen(function* () {
        const world = yield* MemoryZones
        const store = yield* SendingDomainStore
        world.put("acme.test", "TXT", "v=spf1 include:old.test ~all")
        const { desk, path, us } = yield* added
        const given = yield* us.post(`${path}/access`, { vendor: "cloudflare", secret: MEMORY_ZONE_SECRET })
        assert.strictEqual(given.headers.get("location"), `${path}?done=access`)
        const page = (yield* us.get(path)).text
        assert.include(page, MEMORY_ZONE_SECRET.slice(-4))
        assert.notInclude(page, MEMORY_ZONE_SECRET)

        const first = (yield* us.get(`${path}/changes`)).text
        assert.include(first, "Approve 3 changes")
        world.put("_dmarc.acme.test", "TXT", "v=DMARC1; p=reject; rua=mailto:dmarc@acme.test")
        const refused = yield* us.post(`${path}/approve`, { digest: digestIn(first) })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "The zone has changed since you looked")
        assert.include(refused.text, "Approve 2 changes")
        assert.strictEqual((yield* store.list(desk.live.workspaceId))[0]?.state, "open")

        const approved = yield* us.post(`${path}/approve`, { digest: digestIn(refused.text) })
        assert.strictEqual(approved.headers.get("location"), `${path}?done=approved`)
        const [domain] = yield* store.list(desk.live.workspaceId)
        assert.strictEqual(domain?.state, "applying")
        assert.lengthOf(domain?.approval?.changes ?? [], 2)
        assert.deepStrictEqual(world.changes, [])
        assert.include((yield* us.get("/console/settings/history")).text, "DNS records approved")
      })
    )
  )

  it.live("members look and check; an owner who signed in just now does the rest; others see nothing", () =>
    run(
      Effect.gen(function* () {
        const { desk, path, us } = yield* added
        yield* us.post(`${path}/access`, { vendor: "cloudflare", secret: MEMORY_ZONE_SECRET })
        const digest = digestIn((yield* us.get(`${path}/changes`)).text)
        const member = yield* visitor(desk.live, "member")
        const stale = yield* visitor(desk.live, "owner", 20 * MINUTE)
        const stranger = yield* visitor(desk.theirs)
        assert.strictEqual((yield* member.get(path)).status, 200)
        assert.strictEqual((yield* member.get(`${path}/changes`)).status, 403)
        for (const someone of [member, stale]) {
          assert.strictEqual((yield* someone.post(LIST, form({ domain: "b.test" }))).status, 403)
          assert.strictEqual((yield* someone.post(`${path}/approve`, { digest })).status, 403)
          const access = { vendor: "cloudflare", secret: MEMORY_ZONE_SECRET }
          assert.strictEqual((yield* someone.post(`${path}/access`, access)).status, 403)
        }
        assert.strictEqual((yield* member.post(`${path}/remove`, {})).status, 403)
        assert.strictEqual((yield* stranger.get(path)).status, 404)
        assert.strictEqual((yield* stranger.post(`${path}/approve`, { digest })).status, 404)
        assert.strictEqual((yield* member.post(`${path}/check`, {})).status, 303)
        const sandbox = yield* visitor(desk.ours)
        assert.include((yield* sandbox.get(LIST)).text, "A sandbox workspace never sends real email")
        assert.strictEqual((yield* sandbox.post(LIST, form())).status, 400)
      })
    )
  )

  it.live("the page shows what receivers report and what blocklists say, in their own words and safely", () =>
    run(
      Effect.gen(function* () {
        const { desk, path, us } = yield* added
        const empty = (yield* us.get(path)).text
        assert.include(empty, "No report in the last 30 days")
        assert.include(empty, "No blocklist has been asked")
        yield* reported(desk.live.workspaceId, path.slice(path.lastIndexOf("/") + 1))
        const page = (yield* us.get(path)).text
        for (const words of [
          "100 messages in 30 days, 70 % passed: 60 % by DKIM, 50 % by SPF",
          "Proven reports counted 40 of them",
          "203.0.113.9",
          "30 of 100 messages failed DMARC",
          "The list says: “&lt;b>spam&lt;/b>”",
          "Refuses our resolver",
          "DMARC at _dmarc.acme.test"
        ]) {
          assert.include(page, words)
        }
        assert.notInclude(page, "192.0.2.77")
        assert.notInclude((yield* (yield* visitor(desk.theirs)).get(path)).text, "203.0.113.9")
      })
    )
  )

  it.live("an owner who signed in just now sets the rule; mistakes are said all at once; others can't", () =>
    run(
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const { desk, us } = yield* added
        const { workspaceId } = desk.live
        const rule = {
          failing_percent: "5",
          failing_messages: "10",
          pauses_for_dmarc: "on",
          trusted_server: "MX.acme.test"
        }
        const member = yield* visitor(desk.live, "member")
        const stale = yield* visitor(desk.live, "owner", 20 * MINUTE)
        for (const someone of [member, stale]) {
          assert.strictEqual((yield* someone.post(`${LIST}/rule`, rule)).status, 403)
        }
        const wrong = yield* us.post(`${LIST}/rule`, { ...rule, failing_percent: "many", trusted_server: "" })
        assert.strictEqual(wrong.status, 400)
        for (const words of ["Failing percent must be a whole number from 1 to 100", "Trusted server is needed"]) {
          assert.include(wrong.text, words)
        }
        assert.include(wrong.text, 'value="many"')
        assert.deepStrictEqual(yield* store.rule(workspaceId), DEFAULT_RULE)
        const saved = yield* us.post(`${LIST}/rule`, rule)
        assert.strictEqual(saved.headers.get("location"), `${LIST}?done=rule`)
        assert.deepStrictEqual(yield* store.rule(workspaceId), {
          failingPercentMax: 5,
          failingMessagesMin: 10,
          pausesForDmarc: true,
          pausesForBlocklists: false,
          trustedServer: "mx.acme.test"
        })
        assert.deepStrictEqual(yield* store.rule(desk.theirs.workspaceId), DEFAULT_RULE)
        assert.include((yield* us.get("/console/settings/history")).text, "Alerts and pauses of domains changed")
      })
    )
  )

  it.live("what is typed wrongly is said all at once, and kept", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        const wrong = yield* us.post(LIST, form({ mail_host: "other", dkim: "google TXT no", reports_to: "a@b.test" }))
        assert.strictEqual(wrong.status, 400)
        for (const words of [
          "Spf must name who sends",
          "“google TXT no” must be",
          "Reports to must be an address of acme.test"
        ]) {
          assert.include(wrong.text, words)
        }
        assert.include(wrong.text, "google TXT no</textarea>")
        const { path } = yield* added
        const refused = yield* us.post(`${path}/access`, { vendor: "cloudflare", secret: "not-this-one-0123456789" })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "is refused by the DNS host")
        assert.notInclude(refused.text, "not-this-one-0123456789")
        assert.strictEqual((yield* us.post(LIST, form())).status, 400)
      })
    )
  )

  it.live(
    "the pages have no barrier, on a phone and a desktop, and work by keyboard alone",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const desk = yield* Desk
        const world = yield* MemoryZones
        const probe = yield* ScriptedProbe
        yield* probe.publish({
          "acme.test": ["v=spf1 include:old.test ~all"],
          "_dmarc.acme.test": ["v=DMARC1; p=none", "v=DMARC1"]
        })
        world.put("acme.test", "TXT", "v=spf1 include:old.test ~all")
        world.put("_dmarc.acme.test", "CNAME", "dmarc.elsewhere.test")
        const base = `http://127.0.0.1:${port}`
        const act = Effect.runPromiseWith(yield* Effect.context<ReputationStore | UnitOfWork>())
        const link = `${base}/console/sign-in?token=${yield* desk.link(desk.live)}`
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          const wrong: Array<string> = []
          const look = async (name: string) => {
            for (const [viewport, colorScheme] of [
              [DESKTOP, "light"],
              [PHONE, "dark"]
            ] as const) {
              await page.setViewportSize(viewport)
              await page.emulateMedia({ colorScheme })
              wrong.push(...(await violations(page)).map((one) => `${name} ${colorScheme}: ${one}`))
              if ((await overflow(page)) > 0) wrong.push(`${name} is wider than its window`)
            }
          }
          await enter(page, link)
          await page.goto(`${base}/console/sending`)
          await page.getByRole("link", { name: "Domains and their DNS records" }).press("Enter")
          await page.getByLabel("Domain", { exact: true }).fill("acme.test")
          await page.getByLabel("DKIM records").fill(`google TXT ${KEY}`)
          await page.getByLabel("Address for DMARC reports").fill("a@b.test")
          await page.getByRole("button", { name: "Add domain" }).press("Enter")
          await page.getByRole("alert").waitFor()
          await look("the refusal")
          await page.getByLabel("Address for DMARC reports").fill("")
          await page.getByRole("button", { name: "Add domain" }).press("Enter")
          await page.getByRole("heading", { name: "acme.test" }).waitFor()
          await page.getByLabel("Credential").fill(MEMORY_ZONE_SECRET)
          await page.getByRole("button", { name: "Save access" }).press("Enter")
          await page.getByText("The access is saved").waitFor()
          await look("the records")
          await page.getByRole("link", { name: "Show what would be changed" }).press("Enter")
          await page.getByRole("button", { name: "Approve 2 changes" }).waitFor()
          await look("the changes")
          await page.getByRole("button", { name: "Approve 2 changes" }).press("Enter")
          await page.getByText("The records are being set").waitFor()
          const domainId = /domains\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ""
          await act(reported(desk.live.workspaceId, domainId))
          await page.reload()
          await page.getByText("Refuses our resolver").waitFor()
          await look("the reputation")
          await page.getByRole("link", { name: "All domains" }).press("Enter")
          await page.getByRole("heading", { name: "Domains", exact: true }).waitFor()
          await look("the list")
          await page.getByLabel("Server that checks the reports’ sender").fill("mx.acme.test")
          await page.getByLabel("Pause the domain’s mailboxes then").press("Space")
          await page.getByRole("button", { name: "Save rule" }).press("Enter")
          await page.getByText("The rule is saved").waitFor()
          assert.deepStrictEqual(wrong, [])
        })
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )
})
