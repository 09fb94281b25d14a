import { assert, describe, it } from "@effect/vitest"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { MemoryFaults } from "@outbound/testkit/memory/MemoryFaults.js"
import { Deferred, Effect, Fiber } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { TABLE } from "../src/console/mailboxes/table/TablePage.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { BASE, run, visitor } from "./support/Visitor.js"

const SECRET = "correct horse battery"

const CSV = [
  "email,name,password,provider,notes",
  `jo@acme.test,Jo Doe,${SECRET} 1,google,mine`,
  `al@acme.test,Al,${SECRET} 2,google,`,
  `nobody,Nobody,${SECRET} 3,google,`,
  ",,,,",
  `jo@acme.test,Jo Doe,${SECRET} 4,google,`,
  `<b>@acme.test,Bo,${SECRET} 5,google,`,
  `mo@acme.test,Mo,${SECRET} 6,outlook,`
].join("\n")

type Us = Effect.Success<ReturnType<typeof visitor>>

const upload = (us: Us, csv: string) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const body = new FormData()
    body.set("csrf", us.csrf)
    body.set("file", new Blob([csv], { type: "text/csv" }), "mailboxes.csv")
    return yield* Effect.promise(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}${TABLE}`, {
        method: "POST",
        headers: { cookie: us.cookie, origin: BASE },
        redirect: "manual",
        body
      })
      return { status: answer.status, text: await answer.text() }
    })
  })

/** The cells of each result, by line. */
const rowsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...text.matchAll(/<tr><td class="number">(.*?)<\/tr>/g)]
    .map(([, row = ""]) => row.split("</td>").map((cell) => cell.replaceAll(/<[^>]*>/g, "")))
    .toSorted(([a = ""], [b = ""]) => Number(a) - Number(b))

describe("many mailboxes from a table", () => {
  it.live("each row has one result, what works is stored, nothing is lost, and no secret is shown again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        assert.include((yield* us.get("/console/mailboxes/new")).text, TABLE)
        const { status, text } = yield* upload(us, CSV)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(
          rowsIn(text).map(([line, address, result, column, value]) => [line, address, result, column, value]),
          [
            ["2", "jo@acme.test", "Works", "–", "–"],
            ["3", "al@acme.test", "Works", "–", "–"],
            ["4", "nobody", "Not tried", "email", "nobody"],
            ["6", "jo@acme.test", "Not tried", "–", "–"],
            ["7", "&lt;b>@acme.test", "Not tried", "email", "&lt;b>@acme.test"],
            ["8", "mo@acme.test", "Not tried", "provider", "outlook"]
          ]
        )
        assert.include(text, "2 mailboxes work and are added, 0 not added, 4 not tried. 1 line had nothing")
        assert.include(text, "Nothing is read from")
        assert.isTrue(text.endsWith("</html>"))
        for (const path of ["/console/sending", "/console/trail", TABLE]) {
          assert.notInclude((yield* us.get(path)).text, "horse")
        }
        assert.notInclude(text, "horse")
        const stored = yield* (yield* OwnMailboxStore).list(desk.live.workspaceId)
        assert.deepStrictEqual(stored.map(({ mailbox }) => mailbox.address).toSorted(), [
          "al@acme.test",
          "jo@acme.test"
        ])
      })
    )
  )

  it.live("a mailbox that does not work is not stored, and its row says what the server said and how to mend it", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const us = yield* visitor(desk.live)
        yield* probe.finds({
          smtpLogin: {
            state: "failed",
            says: "The SMTP server refuses: 534-5.7.9 Application-specific password required"
          },
          send: { state: "not_tried" },
          read: { state: "not_tried" }
        })
        const { text } = yield* upload(us, CSV)
        const [first = []] = rowsIn(text)
        assert.strictEqual(first[2], "Not added")
        assert.include(first[5], "534-5.7.9")
        assert.include(first[6], "create an app password")
        assert.include(text, "0 mailboxes work and are added, 2 not added")
        assert.lengthOf(yield* (yield* OwnMailboxStore).list(desk.live.workspaceId), 0)
      })
    )
  )

  it.live("a database that does not answer at one row costs that row alone", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        const faults = yield* MemoryFaults
        yield* faults.failNext("OwnMailboxStore.put", 1)
        const { text } = yield* upload(us, CSV)
        const results = rowsIn(text).map(([, , result]) => result)
        assert.deepStrictEqual(results.filter((one) => one === "Works").length, 1)
        assert.include(text, "The database did not answer, so nothing was stored")
        assert.include(text, "1 mailbox works and is added, 1 not added, 4 not tried")
        assert.include((yield* upload(us, CSV)).text, "2 mailboxes work and are added")
      })
    )
  )

  it.live("a workspace tests one table or mailbox at a time, and its turn comes back whatever happens", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const us = yield* visitor(desk.live)
        const begun = yield* Deferred.make<void>()
        const over = yield* Deferred.make<void>()
        yield* probe.takes(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(over)))
        const first = yield* Effect.forkChild(upload(us, CSV))
        yield* Deferred.await(begun)
        const second = yield* upload(us, CSV)
        assert.strictEqual(second.status, 400)
        assert.include(second.text, "while another test runs")
        assert.notInclude(second.text, "horse")
        yield* Deferred.succeed(over, undefined)
        assert.include((yield* Fiber.join(first)).text, "2 mailboxes work")
        assert.strictEqual((yield* upload(us, CSV)).status, 200)
      })
    )
  )

  it.live(
    "is for owners who signed in just now, in live workspaces, and says what is wrong with the table as a whole",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const probe = yield* ScriptedProbe
          for (const someone of [yield* visitor(desk.live, "member"), yield* visitor(desk.live, "owner", 6 * 60_000)]) {
            assert.strictEqual((yield* upload(someone, CSV)).status, 403)
          }
          const us = yield* visitor(desk.live)
          for (const csv of ["", "\n\n", "email,name,password\n"]) {
            const { status, text } = yield* upload(us, csv)
            assert.strictEqual(status, 400)
            assert.include(text, "File must contain at least one row")
          }
          const { status, text } = yield* upload(yield* visitor(desk.ours), CSV)
          assert.strictEqual(status, 400)
          assert.include(text, "Workspace is a sandbox")
          assert.lengthOf(yield* probe.probed, 0)
        })
      )
  )

  it.live(
    "the form and the results have no barrier, in light, dark and on a phone",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const desk = yield* Desk
        const base = `http://127.0.0.1:${port}`
        const link = `${base}/console/sign-in?token=${yield* desk.link(desk.live)}`
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          const wrong: Array<string> = []
          const look = async (name: string) => {
            for (const [size, viewport] of Object.entries({ DESKTOP, PHONE, w390: { width: 390, height: 844 } })) {
              for (const colorScheme of ["light", "dark"] as const) {
                await page.setViewportSize(viewport)
                await page.emulateMedia({ colorScheme })
                wrong.push(...(await violations(page)).map((one) => `${name} ${size} ${colorScheme}: ${one}`))
                if ((await overflow(page)) > 0) wrong.push(`${name} is wider than ${size}`)
                const pictures = process.env["OUTBOUND_TEST_PICTURES"]
                if (pictures !== undefined)
                  await page.screenshot({ path: `${pictures}/${name}-${size}-${colorScheme}.png` })
              }
            }
          }
          await enter(page, link)
          await page.goto(base + TABLE)
          await look("table")
          await page
            .getByLabel("CSV file")
            .setInputFiles({ name: "m.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) })
          await page.getByRole("button", { name: "Test and add" }).press("Enter")
          await page.getByRole("status").waitFor()
          await look("table-results")
          assert.deepStrictEqual(wrong, [])
        })
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )
})
