import { assert, describe, it } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { CreditStore } from "@outbound/domain/credits/CreditStore.js"
import { Crypto } from "@outbound/domain/ports/Crypto.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { Console } from "@outbound/domain/console/Console.js"
import { WorkspaceStore } from "@outbound/domain/workspaces/WorkspaceStore.js"
import { routesOf } from "../src/console/Routes.js"
import { CSV } from "../src/console/trail/exports.js"
import { csrfToken } from "../src/console/Session.js"
import type { Route } from "../src/console/Visit.js"
import { consoleServices } from "../src/HttpHost.js"
import { HttpServer } from "../src/HttpServer.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk, type Tenant } from "./support/Desk.js"
import { furnish, type Furnished, HOSTILE } from "./support/Furnished.js"

const BASE = "http://outbound.test"
const MINUTE = 60_000
const UNKNOWN = "0197c3a0-0000-7000-8000-0000000fffff"

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Form = Readonly<Record<string, string>>

const send = (method: string, path: string, headers: Record<string, string> = {}, form?: Form) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    return yield* Effect.promise(async (): Promise<Got> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers,
        redirect: "manual",
        ...(form === undefined ? {} : { body: new URLSearchParams(form) })
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  })

/** Somebody who is signed in since then, with what their forms carry. */
const visitor = (of: Tenant, role: "owner" | "member" = "owner", ageMillis = 0) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const crypto = yield* Crypto
    const secret = yield* desk.session(of, role, ageMillis)
    const cookie = `outbound_session=${secret}`
    const csrf = csrfToken(crypto, secret)
    return {
      csrf,
      cookie,
      get: (path: string) => send("GET", path, { cookie }),
      post: (path: string, form: Form = {}) => send("POST", path, { cookie, origin: BASE }, { csrf, ...form })
    }
  })

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof consoleHost>>>) =>
  effect.pipe(Effect.provide(consoleHost(BASE)))

/** What a form must hold to be taken, by the last part of its address. */
const FORMS: Readonly<Record<string, Form>> = {
  keys: { name: "Another" },
  runs: { name: "Another", budget: "10", expires_in: "24h" },
  policy: { monthly_spend_cap: "1" },
  kill: { reason: "A test" },
  "postal-address": { postal_address: "1 Main Street" },
  caps: { daily_sends: "10", mailbox_daily_sends: "10", daily_replies: "10", mailbox_daily_replies: "10" },
  "reply-send": { reply_send: "off" },
  members: { email: "new@example.com", role: "member" },
  role: { role: "owner" }
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
    "change-requests": of.changeRequestId,
    runs: of.runId,
    members: of.memberId
  }
  return ids[section] ?? path.split("/").slice(2)[0]!
}

const everyRoute = Effect.map(consoleServices, routesOf)
const forMembers = (routes: ReadonlyArray<Route>) => routes.filter(({ access }) => access === "member")

const furnished = Effect.gen(function* () {
  const desk = yield* Desk
  return yield* furnish(desk.ours, yield* Clock.currentTimeMillis)
})

describe("every address of the console", () => {
  it.live("asks those who are not signed in to sign in, and brings them back to a page", () =>
    run(
      Effect.gen(function* () {
        const routes = forMembers(yield* everyRoute)
        assert.isAbove(routes.length, 30)
        for (const { get, path, post } of routes) {
          const at = path.replace(":id", UNKNOWN)
          for (const method of [...(get === undefined ? [] : ["GET"]), ...(post === undefined ? [] : ["POST"])]) {
            const got = yield* send(method, at, { origin: BASE }, method === "POST" ? formOf(path) : undefined)
            assert.strictEqual(got.status, 303, `${method} ${path}`)
            const next = new URL(got.headers.get("location")!, BASE).searchParams.get("next")!
            const back = routes.some((route) => route.get !== undefined && route.path.replace(":id", UNKNOWN) === next)
            assert.isTrue(back || next === "/console", `${method} ${path} leads back to ${next}`)
          }
        }
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
        for (const { path, post } of forMembers(yield* everyRoute)) {
          if (post === undefined) continue
          const at = path.replace(":id", idOf(path, of))
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
        assert.include(refused.text, "Sign in again first")
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

  it.live("is for owners: a member tightens, and is told what only owners may", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { changeRequestId, keyId } = yield* furnished
        const member = yield* visitor(desk.ours, "member")
        assert.notInclude((yield* member.get("/console/keys")).text, "/approve")
        for (const [path, form] of [
          ["/console/keys", { name: "Mine" }],
          [`/console/keys/${keyId}/policy`, { monthly_spend_cap: "" }],
          [`/console/keys/${keyId}/revoke`, {}],
          [`/console/change-requests/${changeRequestId}/approve`, {}],
          ["/console/runs", FORMS["runs"]!],
          ["/console/settings/members", FORMS["members"]!],
          ["/console/settings/kill", { reason: "x" }],
          ["/console/settings/clear-suspension", {}]
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

describe("managing", () => {
  it.live("a key's secret is shown once, and what was typed wrongly is typed again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        const wrong = yield* us.post("/console/keys", { name: HOSTILE, monthly_spend_cap: "many" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Monthly spend cap must be an amount")
        assert.include(wrong.text, `value="many"`)
        assert.notInclude(wrong.text, HOSTILE)
        const made = yield* us.post("/console/keys", {
          name: "Mine",
          monthly_spend_cap: "1,250.5",
          scopes: "data:read"
        })
        assert.strictEqual(made.status, 200)
        const secret = /svc_key_[\w-]{43}/.exec(made.text)?.[0]
        assert.isDefined(secret)
        assert.strictEqual(made.headers.get("cache-control"), "no-store")
        const path = /\/console\/keys\/[0-9a-f-]{36}/.exec(made.text)![0]
        const shown = yield* us.get(path)
        assert.include(shown.text, "1,250.5 credits")
        for (const { text } of [shown, yield* us.get("/console/keys")]) assert.notInclude(text, secret!)
      })
    )
  )

  it.live("a change that a key asks for is decided once", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { changeRequestId, otherKeyId } = yield* furnished
        const us = yield* visitor(desk.ours)
        assert.include((yield* us.get("/console/keys")).text, "reply:send")
        const at = `/console/change-requests/${changeRequestId}`
        assert.strictEqual((yield* us.post(`${at}/approve`)).headers.get("location"), "/console/keys")
        assert.include((yield* us.get(`/console/keys/${otherKeyId}`)).text, "1,500 credits")
        assert.strictEqual((yield* us.post(`${at}/decline`)).status, 409)
      })
    )
  )

  it.live(
    "a kill says first what it will do, shows on every page, and is cleared by an owner who signed in just now",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const { campaignId } = yield* furnished
          const us = yield* visitor(desk.ours, "owner", 10 * MINUTE)
          const before = yield* us.get("/console/settings/kill")
          for (const words of ["3 active mailboxes", "1 campaign is paused", "2 open approvals"]) {
            assert.include(before.text, words)
          }
          assert.strictEqual((yield* us.post("/console/settings/kill", { reason: "" })).status, 400)
          const killed = yield* us.post("/console/settings/kill", { reason: HOSTILE })
          assert.strictEqual(killed.status, 200)
          assert.include(killed.text, "All sending is stopped")
          assert.notInclude(killed.text, HOSTILE)
          assert.include((yield* us.get("/console/usage")).text, "All sending is stopped")
          const { text } = yield* us.get(`/console/campaigns/${campaignId}`)
          assert.include(text, "never goes on")
          assert.strictEqual((yield* us.post("/console/settings/clear-suspension")).status, 403)
          const fresh = yield* visitor(desk.ours)
          assert.strictEqual((yield* fresh.post("/console/settings/clear-suspension")).status, 303)
          assert.notInclude((yield* fresh.get("/console/usage")).text, "All sending is stopped")
        })
      )
  )

  it.live("settings are saved, and read again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const us = yield* visitor(desk.ours)
        const save = (path: string, form: Form) => us.post(`/console/settings/${path}`, form)
        const caps = { ...FORMS["caps"], daily_sends: "-1" }
        assert.include((yield* save("caps", caps)).text, "Daily sends must be a whole number")
        assert.strictEqual((yield* save("caps", { ...caps, daily_sends: "321" })).status, 303)
        assert.strictEqual((yield* save("postal-address", { postal_address: HOSTILE })).status, 303)
        assert.strictEqual((yield* save("members", { email: "nobody", role: "owner" })).status, 400)
        assert.strictEqual((yield* save("members", { email: "new@example.com", role: "member" })).status, 303)
        const { text } = yield* us.get("/console/settings?done=caps")
        for (const words of [`value="321"`, "The caps are saved.", "new@example.com"]) assert.include(text, words)
        assert.notInclude(text, HOSTILE)
        const workspaces = yield* WorkspaceStore
        const { postalAddress } = Option.getOrThrow(yield* workspaces.get(desk.ours.workspaceId))
        assert.strictEqual(postalAddress, HOSTILE)
      })
    )
  )
})

describe("taking the trail away", () => {
  it.live("gives every event as CSV and as JSON Lines, filtered as the page is", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const us = yield* visitor(desk.ours)
        const csv = yield* us.get("/console/trail/csv")
        assert.match(csv.headers.get("content-type")!, /^text\/csv/)
        assert.match(csv.headers.get("content-disposition")!, /^attachment; filename="trail-\d{4}-\d\d-\d\d\.csv"$/)
        const lines = csv.text.trimEnd().split("\r\n")
        assert.match(lines[0]!, /^id,kind,observed_at/)
        const all = (yield* us.get("/console/trail/jsonl")).text.trimEnd().split("\n")
        assert.lengthOf(lines, all.length + 1)
        const bounces = (yield* us.get("/console/trail/jsonl?kind=bounce")).text.trimEnd().split("\n")
        assert.lengthOf(bounces, 1)
        assert.deepInclude(JSON.parse(bounces[0]!), { kind: "bounce", detail: { type: "hard", status: "5.1.1" } })
        const suppressed = (yield* us.get("/console/trail/csv?kind=suppressed")).text
        assert.include(suppressed, `"{""reason"":`)
      })
    )
  )

  it.live("says so where nothing of it could be read", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const us = yield* visitor(desk.ours)
        yield* desk.failNext("TrailStore.page")
        const failed = yield* us.get("/console/trail/csv")
        assert.strictEqual(failed.status, 503)
      })
    )
  )
})

it("a cell of the export that a spreadsheet would take for a formula is text, and quotes are doubled", () => {
  const line = CSV.line({
    eventId: UNKNOWN,
    workspaceId: UNKNOWN,
    kind: "reply",
    source: "system",
    observedAtMillis: 0,
    campaignId: null,
    campaignLeadId: null,
    replyId: null,
    requestId: null,
    operationId: null,
    email: `=cmd|"calc"@x.test`,
    detail: {}
  })
  assert.strictEqual(line, `${UNKNOWN},reply,1970-01-01T00:00:00.000Z,system,,,,,,"'=cmd|""calc""@x.test",{}\r\n`)
})

it.live("credits and usage agree with the ledger", () =>
  run(
    Effect.gen(function* () {
      const desk = yield* Desk
      yield* furnished
      const us = yield* visitor(desk.ours)
      const credits = yield* CreditStore
      const { balance } = yield* credits.balance(desk.ours.workspaceId)
      const whole = (balance / 1_000_000n).toLocaleString("en-GB")
      assert.include((yield* us.get("/console/credits")).text, whole)
      assert.include((yield* us.get("/console/usage")).text, "find_intent")
    })
  )
)
