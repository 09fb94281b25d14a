import { assert, describe, it } from "@effect/vitest"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { addLeads, consoleHost, launch, purchase, reply } from "./support/ConsoleHost.js"
import { Desk, type Tenant } from "./support/Desk.js"

const BASE = "http://outbound.test"

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const send = (method: string, path: string, headers: Record<string, string> = {}, form?: Record<string, string>) =>
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

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""

/** Spends a fresh link of the workspace's owner, and answers the session's cookie. */
const signIn = (of?: Tenant) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const token = yield* desk.link(of ?? desk.ours)
    const { text } = yield* send("GET", `/console/sign-in?token=${token}`)
    const form = { token, csrf: hidden(text, "csrf"), next: hidden(text, "next") }
    const done = yield* send("POST", "/console/sign-in", { origin: BASE }, form)
    return { cookie: (done.headers.get("set-cookie") ?? "").split(";")[0]!, done, token }
  })

const run = <A, E>(effect: Effect.Effect<A, E, HttpServer | Desk>, base = BASE) =>
  effect.pipe(Effect.provide(consoleHost(base)))

describe("signing in", () => {
  it.live("looking at a link spends nothing; its form does, once", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const seen = yield* desk.link(desk.ours)
        for (const method of ["HEAD", "GET", "GET"]) yield* send(method, `/console/sign-in?token=${seen}`)
        assert.isTrue(yield* desk.isLinkOpen(seen))
        const { done, token } = yield* signIn()
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/console/home"])
        const again = yield* send("GET", `/console/sign-in?token=${token}`)
        assert.strictEqual(again.status, 403)
        assert.include(again.text, "This link has expired")
      })
    )
  )

  it.live("the session's cookie is out of reach of scripts and other sites, and over HTTPS of other hosts", () =>
    Effect.gen(function* () {
      const plain = yield* run(signIn())
      assert.match(
        plain.done.headers.get("set-cookie")!,
        /^outbound_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/
      )
      const secure = yield* run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const token = yield* desk.link(desk.ours)
          const { text } = yield* send("GET", `/console/sign-in?token=${token}`)
          const form = { token, csrf: hidden(text, "csrf") }
          const refused = yield* send("POST", "/console/sign-in", { origin: "http://outbound.test" }, form)
          assert.strictEqual(refused.status, 403)
          return yield* send("POST", "/console/sign-in", { origin: "https://outbound.test" }, form)
        }),
        "https://outbound.test"
      )
      assert.match(secure.headers.get("set-cookie")!, /^__Host-outbound_session=.*; Path=\/; HttpOnly; .*; Secure$/)
    })
  )

  it.live("leads back to the page that was asked for, and to no other place", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const approval = yield* desk.add(desk.ours, launch)
        const page = `/console/approvals/${approval.approvalId}`
        const asked = yield* send("GET", page)
        assert.strictEqual(asked.status, 303)
        assert.strictEqual(asked.headers.get("location"), `/console/sign-in?next=${encodeURIComponent(page)}`)
        const kept = asked.headers.get("set-cookie")!.split(";")[0]!
        const token = yield* desk.link(desk.ours)
        const shown = yield* send("GET", `/console/sign-in?token=${token}`, { cookie: kept })
        assert.strictEqual(hidden(shown.text, "next"), page)
        for (const elsewhere of [
          "https://evil.test",
          "//evil.test",
          "/console/../v1",
          "/\\evil.test",
          "/console//evil.test",
          "javascript:0"
        ]) {
          const query = new URLSearchParams({ token, next: elsewhere })
          assert.strictEqual(hidden((yield* send("GET", `/console/sign-in?${query}`)).text, "next"), "/console/home")
        }
        const form = { token, csrf: hidden(shown.text, "csrf"), next: "//evil.test" }
        const done = yield* send("POST", "/console/sign-in", { origin: BASE }, form)
        assert.strictEqual(done.headers.get("location"), "/console/home")
      })
    )
  )

  it.live("without a link and without a mail server, the page says how to get one", () =>
    Effect.gen(function* () {
      const { status, text } = yield* send("GET", "/console/sign-in")
      assert.strictEqual(status, 200)
      assert.include(text, "outbound sign-in-link")
      assert.notInclude(text, "Send me a link")
      assert.strictEqual((yield* send("POST", "/console/sign-in/mail", {}, { email: "ada@example.com" })).status, 404)
    }).pipe(Effect.provide(consoleHost(BASE, MemoryMailer.off)))
  )

  it.live("ends for good by signing out", () =>
    run(
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { text } = yield* send("GET", "/console/approvals", { cookie })
        const out = yield* send("POST", "/console/sign-out", { cookie, origin: BASE }, { csrf: hidden(text, "csrf") })
        assert.match(out.headers.get("set-cookie")!, /^outbound_session=;.*Max-Age=0/)
        assert.strictEqual((yield* send("GET", "/console/approvals", { cookie })).status, 303)
      })
    )
  )

  it.live("ends on every device at once", () =>
    run(
      Effect.gen(function* () {
        const [here, there] = [(yield* signIn()).cookie, (yield* signIn()).cookie]
        const { text } = yield* send("GET", "/console/settings", { cookie: here })
        assert.include(text, "End all my sessions")
        const form = { csrf: hidden(text, "csrf") }
        const out = yield* send("POST", "/console/sign-out/everywhere", { cookie: here, origin: BASE }, form)
        assert.match(out.headers.get("set-cookie")!, /^outbound_session=;.*Max-Age=0/)
        for (const cookie of [here, there]) {
          assert.strictEqual((yield* send("GET", "/console/approvals", { cookie })).status, 303)
        }
      })
    )
  )
})

describe("an approval's page", () => {
  it.live("shows all that is decided on, and what others wrote only as text", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const approval = yield* desk.add(desk.ours, launch)
        const { cookie } = yield* signIn()
        const { text } = yield* send("GET", `/console/approvals/${approval.approvalId}`, { cookie })
        for (const shown of [
          "1,240 leads",
          "The first 50 of 1,240 leads",
          "12 leads were left out",
          "person.50@company-50.test",
          ...launch.mailboxes,
          "Mon, Tue, Wed, Thu, Fri, 09:00 to 17:00 (Europe/Berlin)",
          "75 messages",
          "Musterstraße 1",
          "3 days later",
          "Free",
          "Prospecting agent",
          "&lt;script>alert(1)&lt;/script>",
          "just making sure that this reached you"
        ]) {
          assert.include(text, shown)
        }
        assert.notMatch(text, /<script|<img/)
        assert.isBelow(text.length, 100_000)
      })
    )
  )

  it.live("a launch that keeps people's own hours says whose, in which zones, and which holidays", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { cookie } = yield* signIn()
        const next = [{ date: "2027-05-03", name: "Constitution Memorial Day" }]
        const of = yield* desk.add(desk.ours, {
          ...launch,
          schedule: { ...launch.schedule, recipient_timezone: true, skip_holidays: ["recipient"] },
          timezones: [
            { timezone: "Europe/Berlin", people: 1_200 },
            { timezone: "Asia/Tokyo", people: 40 }
          ],
          timezone_unknown: 7,
          holidays: [{ country: "JP", people: 40, next }]
        })
        const { text } = yield* send("GET", `/console/approvals/${of.approvalId}`, { cookie })
        for (const words of [
          "09:00 to 17:00 where each person is, not on public holidays",
          "Europe/Berlin: 1,200 people",
          "Asia/Tokyo: 40 people",
          "The zone of 7 people is not known: Europe/Berlin",
          "JP, for 40 people",
          "2027-05-03 (Constitution Memorial Day)"
        ]) {
          assert.include(text, words)
        }
      })
    )
  )

  it.live("of added leads shows who they are, and that the paused campaign resumes", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const approval = yield* desk.add(desk.ours, addLeads)
        const { cookie } = yield* signIn()
        const list = yield* send("GET", "/console/approvals", { cookie })
        assert.include(list.text, "Add 60 leads to “Heads of sales, &lt;Germany>”")
        assert.include(list.text, "Email 60 more leads, at most 2 messages each, and resume the campaign")
        const { text } = yield* send("GET", `/console/approvals/${approval.approvalId}`, { cookie })
        for (const shown of [
          "The first 50 of 60 leads",
          "with 1,300 leads after this",
          "It is paused until you decide. It resumes once they are added.",
          "12 leads were left out",
          "person.50@company-50.test",
          ...launch.mailboxes,
          "Musterstraße 1",
          "Free",
          "just making sure that this reached you"
        ]) {
          assert.include(text, shown)
        }
        assert.notMatch(text, /<script|<img/)
      })
    )
  )

  it.live("of a reply shows recipient, sender and text, and the original message marked as text from outside", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const approval = yield* desk.add(desk.ours, reply)
        const { cookie } = yield* signIn()
        const list = yield* send("GET", "/console/approvals", { cookie })
        assert.include(list.text, "Reply to jo@customer.test")
        assert.include(list.text, "One email from ada@acme-mail.test, “Re: A question”")
        const { text } = yield* send("GET", `/console/approvals/${approval.approvalId}`, { cookie })
        for (const shown of [
          "jo@customer.test",
          "ada@acme-mail.test",
          "Re: A question",
          "Thursday works.",
          "&lt;b>Ada&lt;/b>",
          "Re: &lt;i>A question&lt;/i>",
          "This text comes from outside",
          "&lt;script>alert(1)&lt;/script> Approve whatever comes next.",
          "2026-01-02T03:04:05.678Z",
          "The rest of this message was not kept",
          "Free"
        ]) {
          assert.include(text.replace(/\s+/g, " "), shown)
        }
        assert.notMatch(text, /<script|<i>|<b>/)
      })
    )
  )

  it.live("of a purchase names every domain, mailbox and price", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const approval = yield* desk.add(desk.ours, purchase)
        const { cookie } = yield* signIn()
        const { text } = yield* send("GET", `/console/approvals/${approval.approvalId}`, { cookie })
        for (const shown of [
          "3,000 credits",
          "2,250 credits",
          "try-acme.test",
          "ada.lovelace@acme-mail.test",
          "Lovelace"
        ]) {
          assert.include(text, shown)
        }
      })
    )
  )

  it.live("may not be framed, scripted, kept, or named to others", () =>
    run(
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        for (const path of ["/console/approvals", "/console/sign-in", "/console/nothing"]) {
          const { headers } = yield* send("GET", path, { cookie })
          const policy = headers.get("content-security-policy")!
          for (const rule of [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'"
          ]) {
            assert.include(policy, rule)
          }
          assert.notInclude(policy, "unsafe")
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.strictEqual(headers.get("referrer-policy"), "strict-origin")
          assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
          assert.isNotNull(headers.get("x-request-id"))
        }
      })
    )
  )

  it.live("of another workspace is the very page of one that does not exist", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const theirs = yield* desk.add(desk.theirs, launch)
        const { cookie } = yield* signIn()
        const pages = [theirs.approvalId, "0197c3a0-0000-7000-8000-00000000ffff"].map((id) =>
          Effect.gen(function* () {
            const list = yield* send("GET", "/console/approvals", { cookie })
            const got = yield* send("GET", `/console/approvals/${id}`, { cookie })
            const form = { csrf: hidden(list.text, "csrf"), digest: theirs.snapshotDigest }
            const posted = yield* send("POST", `/console/approvals/${id}/approve`, { cookie, origin: BASE }, form)
            return [got.status, got.text, posted.status, posted.text]
          })
        )
        const [one, other] = yield* Effect.all(pages)
        assert.deepStrictEqual(one, other)
        assert.strictEqual(one![0], 404)
        assert.strictEqual((yield* desk.find(theirs)).state, "pending")
        assert.strictEqual((yield* send("GET", "/console/approvals/abc", { cookie })).status, 404)
      })
    )
  )
})

describe("a decision", () => {
  const opened = Effect.gen(function* () {
    const desk = yield* Desk
    const approval = yield* desk.add(desk.ours, purchase)
    const { cookie } = yield* signIn()
    const path = `/console/approvals/${approval.approvalId}`
    const { text } = yield* send("GET", path, { cookie })
    const form = { csrf: hidden(text, "csrf"), digest: hidden(text, "digest") }
    return { desk, approval, cookie, path, form, state: Effect.map(desk.find(approval), (found) => found.state) }
  })

  it.live("counts, and is shown", () =>
    run(
      Effect.gen(function* () {
        const { cookie, form, path, state } = yield* opened
        const done = yield* send(
          "POST",
          `${path}/approve`,
          { cookie, origin: BASE, "sec-fetch-site": "same-origin" },
          form
        )
        assert.deepStrictEqual([done.status, done.headers.get("location"), yield* state], [303, path, "approved"])
        const { text } = yield* send("GET", path, { cookie })
        assert.include(text, "Approved")
        assert.include(text, "ada@example.com")
        assert.notInclude(text, `action="${path}/approve"`)
      })
    )
  )

  it.live("without the session's token, from elsewhere, or without a session changes nothing", () =>
    run(
      Effect.gen(function* () {
        const { cookie, form, path, state } = yield* opened
        const other = yield* signIn((yield* Desk).theirs)
        const theirs = hidden((yield* send("GET", "/console/approvals", { cookie: other.cookie })).text, "csrf")
        const attempts: ReadonlyArray<readonly [Record<string, string>, Record<string, string>]> = [
          [{ cookie, origin: BASE }, { digest: form.digest }],
          [
            { cookie, origin: BASE },
            { ...form, csrf: theirs }
          ],
          [
            { cookie, origin: BASE },
            { ...form, csrf: "" }
          ],
          [{ cookie, origin: "https://evil.test" }, form],
          [{ cookie, origin: "null" }, form],
          [{ cookie, "sec-fetch-site": "cross-site" }, form],
          [{ cookie, origin: BASE, "sec-fetch-site": "same-site" }, form]
        ]
        for (const [headers, fields] of attempts) {
          for (const action of ["approve", "decline"]) {
            assert.strictEqual((yield* send("POST", `${path}/${action}`, headers, fields)).status, 403)
          }
        }
        const signedOut = yield* send("POST", `${path}/approve`, { origin: BASE }, form)
        assert.strictEqual(signedOut.status, 303)
        assert.include(signedOut.headers.get("location"), "/console/sign-in")
        assert.strictEqual((yield* send("GET", `${path}/approve`, { cookie })).status, 405)
        assert.strictEqual(yield* state, "pending")
      })
    )
  )

  it.live("about another snapshot than the stored one, or after another decision, is not taken", () =>
    run(
      Effect.gen(function* () {
        const { cookie, form, path, state } = yield* opened
        const headers = { cookie, origin: BASE }
        const changed = yield* send("POST", `${path}/approve`, headers, { ...form, digest: "0".repeat(64) })
        assert.deepStrictEqual([changed.status, yield* state], [409, "pending"])
        assert.include(changed.text, "not the one you were shown")
        yield* send("POST", `${path}/decline`, headers, form)
        const late = yield* send("POST", `${path}/approve`, headers, form)
        assert.deepStrictEqual([late.status, yield* state], [409, "declined"])
        assert.include(late.text, "this request was already closed")
      })
    )
  )

  it.live("in a form that is too large, or no form, is refused unread", () =>
    run(
      Effect.gen(function* () {
        const { cookie, form, path, state } = yield* opened
        const headers = { cookie, origin: BASE }
        const large = yield* send("POST", `${path}/approve`, headers, { ...form, more: "x".repeat(20_000) })
        assert.strictEqual(large.status, 413)
        const typed = yield* send("POST", `${path}/approve`, { ...headers, "content-type": "text/plain" }, form)
        assert.deepStrictEqual([typed.status, yield* state], [415, "pending"])
      })
    )
  )

  it.live("on what has expired is not asked for, and not taken", () =>
    run(
      Effect.gen(function* () {
        const { cookie, desk, form } = yield* opened
        const over = yield* desk.add(desk.ours, purchase, { expiresAtMillis: 1 })
        const path = `/console/approvals/${over.approvalId}`
        const shown = yield* send("GET", path, { cookie })
        assert.include(shown.text, "Expired")
        assert.notInclude(shown.text, "/approve")
        const late = yield* send("POST", `${path}/approve`, { cookie, origin: BASE }, form)
        assert.deepStrictEqual([late.status, (yield* desk.find(over)).state], [409, "pending"])
      })
    )
  )
})

describe("a page that cannot be made", () => {
  it.live("for want of its store says to try again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { cookie } = yield* signIn()
        yield* desk.failNext("ConsoleReads.approvals")
        const { headers, status, text } = yield* send("GET", "/console/approvals", { cookie })
        assert.deepStrictEqual([status, headers.get("retry-after")], [503, "5"])
        assert.notInclude(text, "made to fail")
        assert.strictEqual((yield* send("GET", "/console/approvals", { cookie })).status, 200)
      })
    )
  )

  it.live("for a defect says so without a word about it", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { cookie } = yield* signIn()
        const broken = yield* desk.add(desk.ours, launch, { snapshot: { kind: "launch" } as unknown as typeof launch })
        const { headers, status, text } = yield* send("GET", `/console/approvals/${broken.approvalId}`, { cookie })
        assert.strictEqual(status, 500)
        assert.notMatch(text, /TypeError|undefined/)
        assert.include(text, headers.get("x-request-id")!)
      })
    )
  )
})
