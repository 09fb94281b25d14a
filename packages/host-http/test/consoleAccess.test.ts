import { assert, describe, it } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Effect, Option } from "effect"
import { consolePages } from "../src/console/consolePages.js"
import type { Route } from "../src/console/Visit.js"
import { HttpServer } from "../src/HttpServer.js"
import { Desk } from "./support/Desk.js"
import type { Furnished } from "./support/Furnished.js"
import { BASE, type Form, furnished, run, send, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const UNKNOWN = "0197c3a0-0000-7000-8000-0000000fffff"

const MAILBOX: Form = {
  address: "jo@acme.test",
  name: "Jo Doe",
  smtp: "smtps://smtp.acme.test",
  imap: "imaps://imap.acme.test",
  auth: "password",
  secret: "correct horse"
}

/** What a form must hold to be taken, by the last part of its address. */
const FORMS: Readonly<Record<string, Form>> = {
  keys: { name: "Another" },
  alerts: { alert_below: "100" },
  webhooks: { url: "https://example.com/events", every: "on" },
  notices: { wanted: "launch" },
  channel: { kind: "slack", url: "https://hooks.example.com/services/1" },
  test: { kind: "slack" },
  kinds: { kinds: "sent" },
  declare: { sends: "20", since: "2026-01-01" },
  mailboxes: { ...MAILBOX, mailbox: "0197c3a0-0000-7000-8000-0000000fff02" },
  variants: { step: "1", variant: "B" },
  lists: { kind: "verify_emails", csv: "marta@example.com" },
  suppression: { addresses: "marta@example.com", do: "import" },
  erase: { email: "marta@example.com", confirmed: "yes" },
  "top-up": { credits: "500", payment_id: "0197c3a0-0000-7000-8000-0000000fff01" },
  runs: { name: "Another", budget: "10", expires_in: "24h" },
  policy: { monthly_spend_cap: "1" },
  kill: { reason: "A test" },
  "postal-address": { postal_address: "1 Main Street" },
  caps: { daily_sends: "10", mailbox_daily_sends: "10", daily_replies: "10", mailbox_daily_replies: "10" },
  "reply-send": { reply_send: "off" },
  overlap: { queue: "off" },
  rules: {
    authentication: "require",
    unverified_max_percent: "",
    verification_max_age_days: "90",
    role_addresses: "allow",
    evidence: "none",
    attention_above: ""
  },
  words: { place: "link" },
  text: { where: "eea", language: "de", purpose: "Werbung" },
  members: { email: "new@example.com", role: "member" },
  role: { role: "owner" },
  zone: { zone: "Europe/Berlin" },
  rule: { failing_percent: "5", failing_messages: "10" },
  access: { vendor: "cloudflare", secret: "a token of nobody" },
  answer: { body: "Thursday at 10 is fine.", form_id: "0197c3a0-0000-7000-8000-0000000fff03" },
  referral: { do: "decline", shown: "x" },
  handling: { handled: "on" }
}

const formOf = (path: string): Form => FORMS[path.slice(path.lastIndexOf("/") + 1)] ?? {}

const idOf = (path: string, of: Furnished): string => {
  const section =
    path
      .split("/")
      .slice(2, -1)
      .find((part) => part !== ":id" && part !== "settings") ?? ""
  const ids: Readonly<Record<string, string>> = {
    approvals: of.launchId,
    campaigns: of.campaignId,
    replies: of.replyId,
    keys: of.keyId,
    // What a client asks for is of no workspace until it is allowed: every id that is none of a request.
    oauth: of.keyId,
    "change-requests": of.changeRequestId,
    runs: of.runId,
    mailboxes: of.mailboxId,
    domains: of.domainId,
    operations: of.listId,
    members: of.memberId,
    passkeys: of.passkeyId,
    ...of.laid.ids
  }
  return ids[section] ?? path.split("/").slice(2)[0]!
}

const everyRoute = Effect.map(consolePages, (made) => made(() => () => undefined))
const forMembers = (routes: ReadonlyArray<Route>) => routes.filter((route) => route.access === "member")

describe("every address of the console", () => {
  it.live("asks those who are not signed in to sign in, and brings them back to a page", () =>
    run(
      Effect.gen(function* () {
        const routes = forMembers(yield* everyRoute)
        assert.isAbove(routes.length, 30)
        for (const { get, isForScripts, path, post } of routes) {
          const at = path.replace(":id", UNKNOWN)
          for (const method of [...(get === undefined ? [] : ["GET"]), ...(post === undefined ? [] : ["POST"])]) {
            const got = yield* send(method, at, { origin: BASE }, method === "POST" ? formOf(path) : undefined)
            if (isForScripts === true) {
              assert.strictEqual(got.status, 401, `${method} ${path}`)
              continue
            }
            assert.strictEqual(got.status, 303, `${method} ${path}`)
            const next = new URL(got.headers.get("location")!, BASE).searchParams.get("next")!
            const back = routes.some((route) => route.get !== undefined && route.path.replace(":id", UNKNOWN) === next)
            assert.isTrue(back || next === "/console", `${method} ${path} leads back to ${next}`)
            const page = yield* send("GET", got.headers.get("location")!)
            assert.strictEqual(page.text.includes("Your session had ended"), method === "POST", `${method} ${path}`)
          }
        }
        const made = yield* send("POST", "/console/keys", { origin: BASE }, formOf("/console/keys"))
        assert.include(made.headers.get("location"), encodeURIComponent("/console/keys/new"))
      })
    )
  )

  it.live("takes a form only with the session's own token, from its own page", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* furnished
        const us = yield* visitor(desk.ours)
        const other = yield* visitor(desk.ours)
        const control = yield* Control
        const count = Effect.gen(function* () {
          const console = yield* Console
          const { cookie } = us
          const by = Option.getOrThrow(yield* console.session(cookie.slice(cookie.indexOf("=") + 1)))
          return (yield* control.history(by, null)).length
        })
        const before = yield* count
        const routes = forMembers(yield* everyRoute)
        for (const { path, post } of routes) {
          if (post === undefined) continue
          const id = idOf(path, of)
          const at = path.replace(":id", id)
          const form = formOf(path)
          const { cookie, csrf } = us
          for (const [what, headers, sent] of [
            ["no token", { cookie, origin: BASE }, form],
            ["an empty token", { cookie, origin: BASE }, { ...form, csrf: "" }],
            ["another session's token", { cookie, origin: BASE }, { ...form, csrf: other.csrf }],
            ["another origin", { cookie, origin: "http://evil.test" }, { ...form, csrf }],
            ["no origin to speak of", { cookie, origin: "null" }, { ...form, csrf }],
            ["another site", { cookie, origin: BASE, "sec-fetch-site": "cross-site" }, { ...form, csrf }]
          ] as const) {
            const got = yield* send("POST", at, headers, sent)
            assert.strictEqual(got.status, 403, `${path} with ${what}`)
            if (what !== "another session's token") continue
            // As after a new sign-in beside an open form: the visitor is sent back to it.
            assert.include(got.text, "nothing was changed", path)
            const back = / href="([^"]*)">Open the page again</.exec(got.text)![1]!
            const isPage = routes.some((route) => route.get !== undefined && route.path.replace(":id", id) === back)
            assert.isTrue(isPage || back === "/console", `${path} leads back to ${back}`)
          }
          const typed = { cookie, origin: BASE, "content-type": "text/plain" }
          const plain = yield* Effect.flatMap(HttpServer, ({ port }) =>
            Effect.promise(() =>
              fetch(`http://127.0.0.1:${port}${at}`, { method: "POST", headers: typed, body: `csrf=${csrf}` })
            )
          )
          assert.strictEqual(plain.status, 415, path)
        }
        assert.strictEqual(yield* count, before)
        assert.strictEqual((yield* us.get("/console/settings")).status, 200)
      })
    )
  )

  it.live("answers another workspace's id exactly like one that never was", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* furnished
        const them = yield* visitor(desk.theirs)
        for (const { get, path, post } of forMembers(yield* everyRoute)) {
          if (!path.includes(":id")) continue
          const ours = idOf(path, of)
          for (const method of [...(get === undefined ? [] : ["GET"]), ...(post === undefined ? [] : ["POST"])]) {
            const ask = (id: string) =>
              method === "GET"
                ? them.get(path.replace(":id", id))
                : them.post(path.replace(":id", id), { digest: "x", ...formOf(path) })
            const [foreign, unknown] = [yield* ask(ours), yield* ask(UNKNOWN)]
            const what = `${method} ${path}`
            assert.strictEqual(foreign.status, 404, what)
            assert.strictEqual(unknown.status, 404, what)
            assert.strictEqual(foreign.text.replaceAll(ours, UNKNOWN), unknown.text, what)
          }
        }
        // Nor do the lists and their filters know of them.
        for (const path of [
          "/console/campaigns",
          "/console/replies",
          "/console/trail",
          "/console/credits",
          "/console/sending",
          "/console/runs",
          "/console/settings/history",
          `/console/trail?campaign=${of.campaignId}`,
          `/console/replies?campaign=${of.campaignId}`
        ]) {
          const { text } = yield* them.get(path)
          for (const word of ["Heads of sales", "acme-mail.test", "Spring list", "find_intent", "marta"]) {
            assert.notInclude(text, word, path)
          }
        }
        assert.strictEqual((yield* them.get("/console/trail/jsonl")).text, "")
      })
    )
  )
})

describe("loosening", () => {
  it.live("asks for a fresh sign-in, says so before, and brings back to the page; tightening does not", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { keyId } = yield* furnished
        const path = `/console/keys/${keyId}`
        const stale = yield* visitor(desk.ours, "owner", 6 * MINUTE)
        const page = yield* stale.get(path)
        assert.include(page.text, `/console/sign-in?next=${encodeURIComponent(path)}`)
        const refused = yield* stale.post(`${path}/policy`, { monthly_spend_cap: "5000" })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, "This change needs a sign-in")
        assert.include(refused.text, `/console/sign-in?next=${encodeURIComponent(path)}`)
        assert.include((yield* stale.get(path)).text, "4,000 credits")
        assert.strictEqual((yield* stale.post(`${path}/policy`, { monthly_spend_cap: "3000" })).status, 303)
        assert.include((yield* stale.get(path)).text, "3,000 credits")

        const fresh = yield* visitor(desk.ours, "owner", 4 * MINUTE)
        assert.notInclude((yield* fresh.get(path)).text, "Sign in again")
        assert.strictEqual((yield* fresh.post(`${path}/policy`, { monthly_spend_cap: "" })).status, 303)
        assert.include((yield* fresh.get(path)).text, "No cap")
      })
    )
  )

  it.live("of each kind asks an owner whose sign-in is older", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* furnished
        const stale = yield* visitor(desk.ours, "owner", 6 * MINUTE)
        for (const [path, form] of [
          ["/console/keys", { name: "Mine" }],
          [`/console/keys/${of.keyId}/policy`, { monthly_spend_cap: "" }],
          [`/console/change-requests/${of.changeRequestId}/approve`, {}],
          ["/console/settings/notices/channel", FORMS["channel"]!],
          ["/console/settings/approvals", { recipients_above: "1" }],
          ["/console/mailboxes", MAILBOX],
          [`/console/mailboxes/${of.mailboxId}/resume`, {}],
          [`/console/mailboxes/${of.mailboxId}/declare`, FORMS["declare"]!],
          [`/console/campaigns/${of.campaignId}/mailboxes`, { mailbox: of.mailboxId }],
          ["/console/domains", { domain: "acme-mail.test" }],
          [`/console/domains/${of.domainId}/access`, FORMS["access"]!],
          ["/console/settings/erase", FORMS["erase"]!],
          ["/console/settings/members", FORMS["members"]!],
          [`/console/settings/members/${of.memberId}/role`, FORMS["role"]!],
          ["/console/settings/clear-suspension", {}]
        ] as const) {
          const got = yield* stale.post(path, form)
          assert.strictEqual(got.status, 403, path)
          assert.include(got.text, "This change needs a sign-in", path)
        }
      })
    )
  )

  it.live("is for owners: a member tightens, and is told what only owners may", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { changeRequestId, keyId, laid, mailboxId } = yield* furnished
        const member = yield* visitor(desk.ours, "member")
        assert.notInclude((yield* member.get("/console/keys")).text, "/approve")
        for (const [path, form] of [
          ["/console/keys", { name: "Mine" }],
          [`/console/keys/${keyId}/policy`, { monthly_spend_cap: "" }],
          [`/console/keys/${keyId}/revoke`, {}],
          [`/console/change-requests/${changeRequestId}/approve`, {}],
          ["/console/runs", FORMS["runs"]!],
          ["/console/settings/notices/channel", FORMS["channel"]!],
          ["/console/settings/approvals", { recipients_above: "1" }],
          ["/console/alerts", { alert_below: "10" }],
          ["/console/mailboxes", MAILBOX],
          [`/console/mailboxes/${mailboxId}/resume`, {}],
          [`/console/mailboxes/${mailboxId}/remove`, {}],
          [`/console/mailboxes/${mailboxId}/declare`, FORMS["declare"]!],
          ["/console/settings/suppression", FORMS["suppression"]!],
          ["/console/settings/erase", { email: "marta@example.com" }],
          ["/console/settings/erase", FORMS["erase"]!],
          ["/console/settings/members", FORMS["members"]!],
          ["/console/settings/kill", { reason: "x" }],
          ["/console/settings/clear-suspension", {}],
          ...laid.forOwners
        ] as const) {
          const got = yield* member.post(path, form)
          assert.strictEqual(got.status, 403, path)
          assert.include(got.text, "Only an owner", path)
        }
        assert.strictEqual((yield* member.post(`/console/keys/${keyId}/pause`)).status, 303)
        assert.include((yield* member.get(`/console/keys/${keyId}`)).text, "Paused")
      })
    )
  )
})
