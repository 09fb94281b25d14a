import { assert, describe, it } from "@effect/vitest"
import { makeLooks } from "@outbound/domain/outreach/authentication/Looks.js"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { DOMAINS_MAX } from "../src/console/sending/HealthPage.js"
import { subjectWords } from "../src/console/sending/healthWords.js"
import { HEALTH } from "../src/console/sendingPaths.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"

const mailbox = (address: string, smtp = "smtps://smtp.gmail.com") => ({
  address,
  name: "Jo Doe",
  smtp,
  imap: "imaps://imap.gmail.com",
  auth: "password",
  secret: "correct horse"
})

/** A live workspace with own mailboxes of these addresses, whose domains publish only these texts. */
const sending = (addresses: ReadonlyArray<string>, texts: Readonly<Record<string, ReadonlyArray<string>>> | null) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const probe = yield* ScriptedProbe
    const us = yield* visitor(desk.live)
    yield* probe.publish(texts)
    for (const address of addresses) {
      assert.strictEqual((yield* us.post("/console/mailboxes", mailbox(address))).status, 200)
    }
    const looks = yield* makeLooks
    const domains = addresses.map((address) => address.slice(address.indexOf("@") + 1))
    yield* looks.refresh(desk.live.workspaceId, domains)
    return { desk, us }
  })

const pathsIn = (text: string, event: string): ReadonlyArray<string> => [
  ...new Set(text.match(new RegExp(`/console/mailboxes/[0-9a-f-]{36}/${event}`, "g")) ?? [])
]

describe("sending health in the console", () => {
  it("advice about the mail of a domain to a receiver is headed by both, told apart", () => {
    assert.deepStrictEqual(
      ["acme-mail.test google.com", "acme-mail.test mx.test", "acme-mail.test", "jo@acme-mail.test"].map(subjectWords),
      ["acme-mail.test → Google", "acme-mail.test → mx.test", "acme-mail.test", "jo@acme-mail.test"]
    )
  })

  it.live("shows for each domain what fails, what it means, and the record to paste, made for its mail host", () =>
    run(
      Effect.gen(function* () {
        const { us } = yield* sending(["jo@acme.test"], { "acme.test": [] })
        const { status, text } = yield* us.get(HEALTH)
        assert.strictEqual(status, 200)
        for (const words of [
          "acme.test has no SPF record",
          "Receivers can tell the domain&#39;s servers",
          "TXT at acme.test",
          "v=spf1 include:_spf.google.com ~all",
          "TXT at _dmarc.acme.test",
          "v=DMARC1; p=none; rua=mailto:jo@acme.test",
          "Anyone who keeps the domain’s DNS can do it",
          "its domain is not authenticated"
        ]) {
          assert.include(text.replaceAll("'", "&#39;"), words)
        }
        assert.include((yield* us.get("/console/sending")).text, HEALTH)
      })
    )
  )

  it.live("before anyone has looked nothing is claimed, and a domain that is well has nothing to do", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        assert.include((yield* us.get(HEALTH)).text, "No mailbox sends from a domain yet")
        yield* us.post("/console/mailboxes", mailbox("jo@acme.test"))
        const unseen = (yield* us.get(HEALTH)).text
        assert.include(unseen, "Nobody has looked yet")
        assert.notInclude(unseen, "To paste")
        const looks = yield* makeLooks
        yield* looks.refresh(desk.live.workspaceId, ["acme.test"])
        const seen = (yield* us.get(HEALTH)).text
        assert.include(seen, "nothing proven is wrong")
        assert.notInclude(seen, "Nobody has looked yet")
      })
    )
  )

  it.live("advice that loosens is a button for an owner who signed in just now, and for nobody else", () =>
    run(
      Effect.gen(function* () {
        const { desk, us } = yield* sending(["jo@acme.test"], null)
        const [pause = ""] = pathsIn((yield* us.get("/console/sending")).text, "pause")
        yield* us.post(pause)
        const page = (yield* us.get(HEALTH)).text
        assert.include(page, "jo@acme.test is paused (owner)")
        const [resume = ""] = pathsIn(page, "resume")
        assert.notStrictEqual(resume, "")
        for (const role of ["member", "approver", "reader"] as const) {
          const other = yield* visitor(desk.live, role)
          const seen = yield* other.get(HEALTH)
          assert.strictEqual(seen.status, 200)
          assert.include(seen.text, "jo@acme.test is paused (owner)")
          assert.deepStrictEqual(pathsIn(seen.text, "resume"), [])
          assert.strictEqual((yield* other.post(resume)).status, 403)
        }
        const stale = yield* visitor(desk.live, "owner", 20 * 60_000)
        assert.include((yield* stale.get(HEALTH)).text, "Sign in again")
        assert.strictEqual((yield* stale.post(resume)).status, 403)
        // Who follows advice comes back to it.
        const followed = yield* us.post(resume, { back: HEALTH })
        assert.deepStrictEqual([followed.status, followed.headers.get("location")], [303, HEALTH])
        assert.deepStrictEqual(pathsIn((yield* us.get(HEALTH)).text, "resume"), [])
      })
    )
  )

  it.live("shows nothing of another workspace, whatever page of its domains is asked for", () =>
    run(
      Effect.gen(function* () {
        const { desk } = yield* sending(["jo@acme.test"], { "acme.test": [] })
        const stranger = yield* visitor(desk.theirs)
        for (const path of [HEALTH, `${HEALTH}?domains=acme.test`]) {
          const { status, text } = yield* stranger.get(path)
          assert.strictEqual(status, 200)
          assert.notInclude(text, "acme.test")
        }
      })
    )
  )

  it.live("many domains come page by page, the worst first, and none is lost", () =>
    run(
      Effect.gen(function* () {
        const names = Array.from({ length: DOMAINS_MAX + 2 }, (_, index) => `d${index}.test`)
        const texts = Object.fromEntries(
          names.flatMap((name) => [
            [name, name === "d6.test" ? [] : ["v=spf1 ip4:192.0.2.1 ~all"]],
            [`default._domainkey.${name}`, ["v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB"]],
            [`_dmarc.${name}`, ["v=DMARC1; p=none"]]
          ])
        )
        const { us } = yield* sending(
          names.map((name) => `jo@${name}`),
          texts
        )
        const cards = (text: string) => [...text.matchAll(/<h3>(d\d\.test)/g)].map(([, name]) => name)
        const shown: Array<string | undefined> = []
        let path: string | undefined = HEALTH
        while (path !== undefined) {
          const text: string = (yield* us.get(path)).text
          shown.push(...cards(text.slice(text.indexOf('id="domains"'))))
          path = new RegExp(`${HEALTH}\\?domains=[^"]+`).exec(text)?.[0]
        }
        assert.strictEqual(shown[0], "d6.test")
        assert.deepStrictEqual(shown.toSorted(), names)
      })
    )
  )

  it.live(
    "has no barrier in light, dark and on a phone, with much to say and with nothing",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        yield* furnished
        const { desk } = yield* sending(["jo@acme.test", "al@well.test"], {
          "acme.test": ["v=spf1 include:old.test", "v=spf1 a ~all"],
          "well.test": ["v=spf1 a ~all"]
        })
        const base = `http://127.0.0.1:${port}`
        const links = [yield* desk.link(desk.live), yield* desk.link(desk.ours), yield* desk.link(desk.theirs)]
        const wrong: Array<string> = []
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          for (const [index, link] of links.entries()) {
            await enter(page, `${base}/console/sign-in?token=${link}`)
            await page.goto(base + HEALTH)
            for (const [size, viewport] of Object.entries({ DESKTOP, PHONE, narrow: { width: 390, height: 844 } })) {
              for (const colorScheme of ["light", "dark"] as const) {
                await page.setViewportSize(viewport)
                await page.emulateMedia({ colorScheme })
                const found = (await violations(page)).map((one) => `${index} ${size} ${colorScheme}: ${one}`)
                wrong.push(...found)
                if ((await overflow(page)) > 0) wrong.push(`${index} is wider than ${size}`)
                const pictures = process.env["OUTBOUND_TEST_PICTURES"]
                if (pictures !== undefined) {
                  await page.screenshot({
                    path: `${pictures}/health-${index}-${size}-${colorScheme}.png`,
                    fullPage: true
                  })
                }
              }
            }
          }
        })
        assert.deepStrictEqual(wrong, [])
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )

  it.live(
    "the page on which an owner states what a mailbox sends elsewhere has no barrier either",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const { desk, us } = yield* sending(["jo@acme.test"], null)
        const [path = ""] = pathsIn((yield* us.get("/console/sending")).text, "declare")
        const link = yield* desk.link(desk.live)
        const base = `http://127.0.0.1:${port}`
        const wrong: Array<string> = []
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          await enter(page, `${base}/console/sign-in?token=${link}`)
          await page.goto(base + path)
          const look = async (what: string) => {
            for (const [size, viewport] of Object.entries({ DESKTOP, PHONE, narrow: { width: 390, height: 844 } })) {
              for (const colorScheme of ["light", "dark"] as const) {
                await page.setViewportSize(viewport)
                await page.emulateMedia({ colorScheme })
                wrong.push(...(await violations(page)).map((one) => `${what} ${size} ${colorScheme}: ${one}`))
                if ((await overflow(page)) > 0) wrong.push(`${what} is wider than ${size}`)
              }
            }
          }
          assert.include(await page.title(), "jo@acme.test")
          await look("the page")
          await page.getByLabel("Messages a day").fill("many")
          await page.getByLabel("Since").fill("yesterday")
          await page.getByRole("button", { name: "State it" }).click()
          assert.include(await page.content(), "must be a day such as")
          await look("its mistakes")
        })
        assert.deepStrictEqual(wrong, [])
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )
})
