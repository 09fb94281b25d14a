import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { Clock, Deferred, Effect, Fiber, Redacted } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { HOSTILE } from "./support/Furnished.js"
import { type Form, run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const SECRET = "correct horse <battery>"

const form = (given: Form = {}): Form => ({
  address: "Jo@Acme.test",
  name: "Jo Doe",
  smtp: "smtps://smtp.acme.test:465",
  imap: "imap+starttls://imap.acme.test",
  auth: "password",
  secret: SECRET,
  ...given
})

/** The path of the first mailbox that a page has a button for. */
const buttonOf = (text: string, event: string): string | undefined =>
  new RegExp(`/console/mailboxes/[0-9a-f-]{36}/${event}`).exec(text)?.[0]

describe("own mailboxes in the console", () => {
  it.live("an owner adds one that works, sees all that was found, and nobody sees its secret again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const us = yield* visitor(desk.live)
        assert.include((yield* us.get("/console/sending")).text, "/console/mailboxes/new")
        const blank = (yield* us.get("/console/mailboxes/new")).text
        assert.match(blank, /<input[^>]* name="secret"[^>]* type="password"[^>]*>/)
        assert.match(/<input[^>]* name="secret"[^>]*>/.exec(blank)![0], /autocomplete="off"/)

        yield* probe.publish({ "acme.test": ["v=spf1 include:mail.test ~all"] })
        const added = yield* us.post("/console/mailboxes", form())
        assert.strictEqual(added.status, 200)
        assert.strictEqual(added.headers.get("cache-control"), "no-store")
        for (const words of [
          "jo@acme.test works",
          "Sign in to SMTP",
          "v=spf1 include:mail.test ~all",
          "has no DMARC record"
        ]) {
          assert.include(added.text, words)
        }
        const [tried] = yield* probe.probed
        assert.strictEqual(Redacted.value(tried!.secret), SECRET)
        assert.deepStrictEqual(tried!.imap, { host: "imap.acme.test", port: 143, security: "starttls" })
        assert.strictEqual(tried!.username, "Jo@Acme.test")

        const list = yield* us.get("/console/sending")
        assert.include(list.text, "jo@acme.test")
        for (const { text } of [
          added,
          list,
          yield* us.get("/console/trail"),
          yield* us.get("/console/mailboxes/new")
        ]) {
          assert.notInclude(text, "battery")
        }
        assert.include((yield* us.get("/console/trail")).text, "jo@acme.test")
      })
    )
  )

  it.live(
    "one that does not work is not stored; what is wrong is said, and what was typed stands there but the secret",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const probe = yield* ScriptedProbe
          const us = yield* visitor(desk.live)
          yield* probe.finds({
            smtpLogin: { state: "failed", says: `The server refuses: ${HOSTILE}` },
            send: { state: "not_tried" },
            read: { state: "not_tried" }
          })
          const failed = yield* us.post("/console/mailboxes", form())
          assert.strictEqual(failed.status, 400)
          for (const words of [
            "The mailbox was not added",
            "The server refuses",
            "Skipped",
            `value="smtps://smtp.acme.test:465"`
          ]) {
            assert.include(failed.text, words)
          }
          assert.notInclude(failed.text, HOSTILE)
          assert.notInclude(failed.text, "battery")
          assert.notInclude((yield* us.get("/console/sending")).text, "jo@acme.test")

          for (const [wrong, words] of [
            [{ smtp: "smtp.acme.test" }, "Smtp must be smtps://host:465"],
            [{ imap: "smtps://imap.acme.test" }, "Imap must be imaps://host:993"],
            [{ imap: "imaps://127.0.0.1" }, "must be a public host name"],
            [{ auth: "none" }, "Auth must be"],
            [{ auth: "oauth", client_id: "c" }, "Token url is required"],
            [{ auth: "google" }, "Client id must have"],
            [{ auth: "oauth", client_id: "c", token_url: "https://10.0.0.1/t" }, "must be a public host name"],
            [{ secret: "" }, "Secret must have"],
            [{ address: "nobody" }, "Address must be an email address"]
          ] as const) {
            const got = yield* us.post("/console/mailboxes", form(wrong))
            assert.strictEqual(got.status, 400, words)
            assert.include(got.text, words)
            assert.notInclude(got.text, "battery")
            // The fields of a refresh token are folded away by default.
            const isShown = "auth" in wrong && wrong.auth !== "none"
            assert.strictEqual(got.text.includes("<details open"), isShown, words)
          }
          assert.lengthOf(yield* probe.probed, 1)
        })
      )
  )

  it.live("is paused by any member, goes on and is removed by owners, and is there for its own workspace alone", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const owner = yield* visitor(desk.live)
        const stale = yield* visitor(desk.live, "owner", 6 * MINUTE)
        const member = yield* visitor(desk.live, "member")
        const stranger = yield* visitor(desk.ours)
        assert.strictEqual((yield* member.post("/console/mailboxes", form())).status, 403)
        assert.include((yield* stale.post("/console/mailboxes", form())).text, "This change needs a sign-in")
        assert.lengthOf(yield* (yield* ScriptedProbe).probed, 0)
        yield* owner.post("/console/mailboxes", form())

        const pause = buttonOf((yield* member.get("/console/sending")).text, "pause")!
        const at = (event: string) => pause.replace(/pause$/, event)
        const unknown = (yield* Ids).next(yield* Clock.currentTimeMillis)
        for (const event of ["pause", "resume", "remove"]) {
          const foreign = yield* stranger.post(at(event))
          assert.strictEqual(foreign.status, 404)
          assert.strictEqual(foreign.text, (yield* stranger.post(`/console/mailboxes/${unknown}/${event}`)).text)
        }
        assert.strictEqual((yield* member.post(pause)).status, 303)
        assert.include((yield* member.get("/console/sending")).text, "paused manually")
        assert.strictEqual((yield* member.post(at("resume"))).status, 403)
        assert.strictEqual((yield* stale.post(at("resume"))).status, 403)
        assert.strictEqual((yield* owner.post(at("resume"))).status, 303)
        assert.isDefined(buttonOf((yield* owner.get("/console/sending")).text, "pause"))
        assert.strictEqual((yield* member.post(at("remove"))).status, 403)
        assert.strictEqual((yield* stale.post(at("remove"))).status, 303)
        const after = (yield* owner.get("/console/sending")).text
        assert.include(after, "Removed")
        assert.isUndefined(buttonOf(after, "resume"))
        assert.strictEqual((yield* owner.post(at("resume"))).status, 404)
      })
    )
  )

  it.live("one workspace tries one mailbox out at a time, and then the next", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const us = yield* visitor(desk.live)
        const begun = yield* Deferred.make<void>()
        const over = yield* Deferred.make<void>()
        yield* probe.takes(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(over)))
        const first = yield* Effect.forkChild(us.post("/console/mailboxes", form()))
        yield* Deferred.await(begun)
        const second = yield* us.post("/console/mailboxes", form({ address: "al@acme.test" }))
        assert.strictEqual(second.status, 400)
        assert.include(second.text, "Mailbox can’t be tested while another test runs")
        yield* Deferred.succeed(over, undefined)
        assert.strictEqual((yield* Fiber.join(first)).status, 200)
        const third = yield* us.post("/console/mailboxes", form({ address: "al@acme.test" }))
        assert.include(third.text, "al@acme.test works")
      })
    )
  )

  it.live("a sandbox has none, and says why", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        assert.include((yield* us.get("/console/sending")).text, "never sends real email")
        const page = yield* us.get("/console/mailboxes/new")
        assert.include(page.text, "never sends real email")
        assert.notInclude(page.text, `name="secret"`)
        const refused = yield* us.post("/console/mailboxes", form())
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "Workspace is a sandbox")
        assert.lengthOf(yield* (yield* ScriptedProbe).probed, 0)
      })
    )
  )

  it.live(
    "the form, both answers and the list have no barrier, by keyboard and pointer, on a phone and a desktop",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const base = `http://127.0.0.1:${port}`
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
          const add = async () => {
            await page.getByLabel("Email", { exact: true }).fill("jo@acme.test")
            await page.getByLabel("Sender name").fill("Jo Doe")
            await page.getByLabel("SMTP server").fill("smtps://smtp.acme.test")
            await page.getByLabel("IMAP server").fill("imaps://imap.acme.test")
            await page.getByLabel("Password or token").fill(SECRET)
            await page.getByRole("button", { name: "Test and add" }).press("Enter")
          }
          await enter(page, link)
          await page.goto(`${base}/console/sending`)
          await page.getByRole("link", { name: "Add a mailbox" }).click()
          await look("the form")
          await Effect.runPromise(probe.finds({ read: { state: "failed", says: "It did not arrive." } }))
          await add()
          await page.getByRole("alert").waitFor()
          await look("the refusal")
          await Effect.runPromise(probe.finds({}))
          await add()
          await page.getByRole("status").waitFor()
          await look("the report")
          await page.getByRole("link", { name: "Go to sending" }).click()
          await look("the list")
          await page.getByRole("button", { name: "Pause jo@acme.test" }).click()
          await page.getByRole("button", { name: "Resume jo@acme.test" }).waitFor()
          assert.deepStrictEqual(wrong, [])
        })
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )
})
