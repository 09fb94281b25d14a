import { assert, describe, it } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { grant, member, ok } from "@outbound/testkit/contracts/service/stories.js"
import { type Client, makeClient } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, Option, References, Result } from "effect"
import { guess, rowsOf } from "../src/console/lists/listKinds.js"
import { CSV_BYTES_MAX, readCsv } from "../src/console/lists/readCsv.js"
import { csrfToken } from "../src/console/Session.js"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"

const TestHost = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof TestHost>>) => effect.pipe(Effect.provide(TestHost))

/** The owner of a client's workspace, who sends forms with a file as a browser does. */
const owner = (client: Client) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const console = yield* Console
    const crypto = yield* Crypto
    const link = yield* Effect.orDie(console.makeSignInLink(client.ownerEmail))
    const { secret } = Option.getOrThrow(yield* console.signIn(link))
    const headers = { cookie: `__Host-outbound_session=${secret}`, origin: "https://outbound.test" }
    const csrf = csrfToken(crypto, secret)
    const answered = (response: Promise<Response>) =>
      Effect.promise(async () => {
        const got = await response
        return { status: got.status, location: got.headers.get("location") ?? "", text: await got.text() }
      })
    const url = `http://127.0.0.1:${port}`
    return {
      get: (path: string) => answered(fetch(url + path, { headers, redirect: "manual" })),
      post: (fields: Readonly<Record<string, string | Blob>>, path = "/console/lists") => {
        const body = new FormData()
        for (const [name, value] of Object.entries({ csrf, ...fields })) body.append(name, value)
        return answered(fetch(url + path, { method: "POST", headers, body, redirect: "manual" }))
      }
    }
  })

const hiddenIn = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""

const FILE = `Name;E-Mail
"Ada; Countess";valid@magic.test
Bob;nobody
Cid;
Dan;VALID@magic.test
Eve;invalid@magic.test
`

const OPTED = `E-Mail;Abgemeldet
valid@magic.test;nein
invalid@magic.test;ja
`

describe("a list from a CSV", () => {
  it("its columns are found by their headings, and each line that says nothing usable is named", () => {
    const csv = Result.getOrThrow(readCsv(`\uFEFF${FILE}`))
    assert.deepStrictEqual(csv.columns, ["Name", "E-Mail"])
    const mapping = guess("verify_emails", csv)
    assert.deepStrictEqual(mapping, { email: 1 })
    const { asked, bad, empty, repeated } = rowsOf("verify_emails", csv, mapping)
    assert.deepStrictEqual([asked, repeated, empty], [["valid@magic.test", "invalid@magic.test"], 1, 0])
    assert.deepStrictEqual(
      bad.map(({ column, line, reason, value }) => [line, column, value, reason]),
      [
        [3, "E-Mail", "nobody", 'is left out: "nobody" is not an email address'],
        [4, "E-Mail", "", "has no address"],
        [5, null, "valid@magic.test", "is the same as line 2"]
      ]
    )
  })

  it("of addresses alone needs no heading, and one of people needs enough to find each", () => {
    const bare = Result.getOrThrow(readCsv("a@x.test\nb@x.test\n"))
    assert.deepStrictEqual(rowsOf("verify_emails", bare, guess("verify_emails", bare)).asked, ["a@x.test", "b@x.test"])
    const people = Result.getOrThrow(
      readCsv("First name,Last Name,Website\nAda,Lovelace,https://acme.test\nBob,,acme.test\n")
    )
    const mapping = guess("enrich_people", people)
    assert.deepStrictEqual(mapping, { first_name: 0, last_name: 1, company_domain: 2 })
    const { asked, bad } = rowsOf("enrich_people", people, mapping)
    assert.deepStrictEqual(asked, [{ first_name: "Ada", last_name: "Lovelace", company_domain: "https://acme.test" }])
    assert.strictEqual(bad[0]?.line, 3)
    assert.include(bad[0]?.reason, "needs a name and company_domain")
  })

  it("asks about nobody of whom a column says that they opted out, in whatever row they are, and names each", () => {
    const text = `Email,Company,Email Opt Out,Status
ann@a.test,A,TRUE,
bob@b.test,B,FALSE,Active
ANN@a.test,A,FALSE,
cid@c.test,C,,Bounced
dan@d.test,D,,unsubscribed
`
    for (const kind of ["verify_emails", "enrich_people"] as const) {
      const csv = Result.getOrThrow(readCsv(text))
      const { asked, bad, refusing } = rowsOf(kind, csv, guess(kind, csv))
      assert.deepStrictEqual(refusing, ["ann@a.test", "dan@d.test"])
      assert.deepStrictEqual(
        asked.map((one) => (typeof one === "string" ? one : one["email"])),
        // A bounce is what a list is checked for.
        ["bob@b.test", "cid@c.test"]
      )
      assert.deepStrictEqual(
        bad.map(({ column, line, reason, value }) => [line, column, value, reason]),
        [
          [2, "Email Opt Out", "TRUE", 'is left out: "Email Opt Out" says that they must not be mailed'],
          [4, "Email", "ANN@a.test", "is left out: line 2 says that they must not be mailed"],
          [6, "Status", "unsubscribed", 'is left out: "Status" says that they must not be mailed']
        ]
      )
    }
  })

  it("what can't be read is refused, and says where", () => {
    const why = (text: string) => Result.getOrThrow(Result.flip(readCsv(text)))
    assert.strictEqual(why(" \n"), "must contain at least one row")
    assert.include(why("x".repeat(CSV_BYTES_MAX + 1)), "KiB")
  })

  it("no more rows are asked than a list may have", () => {
    const text = Array.from({ length: 10_002 }, (_, index) => `p${index}@x.test`).join("\n")
    const csv = Result.getOrThrow(readCsv(text))
    const { asked, bad } = rowsOf("verify_emails", csv, { email: 0 })
    assert.deepStrictEqual([asked.length, bad.length, bad[0]?.line], [10_000, 2, 10_001])
  })

  it.live("is uploaded, previewed with its cost, started once however often it is sent, and charged to the key", () =>
    run(
      Effect.gen(function* () {
        const client = yield* member()
        yield* grant(client, "100")
        const { get, post } = yield* owner(client)
        assert.include((yield* get("/console/lists")).text, "A list from a CSV")
        const page = yield* post({ kind: "verify_emails", file: new File([FILE], "people.csv") })
        assert.strictEqual(page.status, 200)
        for (const words of ["2 rows, for at most", "Line 3 is left out", "3 lines left out", ">Start<"]) {
          assert.include(page.text, words)
        }
        assert.include(page.text, "400 are available")
        const opted = yield* post({ kind: "verify_emails", file: new File([OPTED], "people.csv") })
        for (const words of ["1 row, for at most", "1 line left out", "says that they must not be mailed"]) {
          assert.include(opted.text, words)
        }
        // One button leads to the page that shows what it does, and changes nothing yet.
        assert.include(opted.text, "Preview the suppression of 1 address…")
        assert.notInclude(page.text, "Preview the suppression")
        const shown = yield* post({ addresses: hiddenIn(opted.text, "addresses") }, "/console/settings/suppression")
        for (const words of ["1 line: 1 would be added", "0 leads would be removed", "Nothing has been changed yet."]) {
          assert.include(shown.text, words)
        }
        assert.strictEqual(hiddenIn(page.text, "file_name"), "people.csv")
        const form = {
          kind: "verify_emails",
          csv: FILE,
          file_name: "people.csv",
          mapped: "yes",
          column_email: "1",
          list_id: hiddenIn(page.text, "list_id")
        }
        const started = yield* post({ ...form, do: "start" })
        assert.strictEqual(started.status, 303)
        assert.match(started.location, /^\/console\/operations\//)
        assert.strictEqual((yield* post({ ...form, do: "start" })).location, started.location)
        const history = (yield* get("/console/settings/history")).text
        for (const words of ["List started from a CSV", client.ownerEmail]) assert.include(history, words)
        assert.include((yield* get(started.location)).text, "A list of emails to verify")
        const operation_id = started.location.slice(started.location.lastIndexOf("/") + 1)
        assert.strictEqual(ok(yield* client.call("get_operation", { operation_id })).result.kind, "verify_emails")
        const rows = (yield* get(started.location)).text
        for (const cell of [">Line<", ">2<", ">6<"]) assert.include(rows, cell)
        const results = (yield* get(`${started.location}/csv`)).text.split("\r\n")
        assert.match(results[0] ?? "", /^Name,E-Mail,line,index,state,/)
        assert.match(results[1] ?? "", /^"Ada; Countess",valid@magic\.test,2,0,/)
        assert.match(results[2] ?? "", /^Eve,invalid@magic\.test,6,1,/)
      })
    )
  )

  it.live("what the columns hold is the reader's choice, and a wrong choice starts nothing", () =>
    run(
      Effect.gen(function* () {
        const client = yield* member()
        yield* grant(client, "100")
        const { post } = yield* owner(client)
        const page = yield* post({ kind: "verify_emails", csv: FILE, mapped: "yes", column_email: "0", do: "start" })
        assert.strictEqual(page.status, 200)
        assert.include(page.text, "No row can be asked about")
        assert.notInclude(page.text, ">Start<")
        const left = yield* post({ kind: "verify_emails", csv: FILE, mapped: "yes", column_email: "1", do: "left_out" })
        const lines = left.text.split("\r\n")
        assert.strictEqual(lines[0], "Name,E-Mail,left_out_line,left_out_column,left_out_mistake,left_out_remedy")
        assert.include(lines[1], "Bob,nobody,3,E-Mail")
        assert.lengthOf(lines, 5)
      })
    )
  )

  it.live("what the key may not spend, or another workspace's key, starts nothing", () =>
    run(
      Effect.gen(function* () {
        const poor = yield* makeClient({ credits: "0", scopes: ["data:read"] })
        const rich = yield* member()
        yield* grant(rich, "100")
        const { post } = yield* owner(poor)
        const form = { kind: "verify_emails", csv: FILE, mapped: "yes", column_email: "1" }
        const page = yield* post(form)
        assert.include(page.text, "The start would be refused: insufficient credits")
        assert.notInclude(page.text, ">Start<")
        const refused = yield* post({ ...form, do: "start" })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "Nothing was started.")
        // A key that is not of this workspace is not even looked at.
        const borrowed = yield* post({ ...form, key: rich.keyId, do: "start" })
        assert.strictEqual(borrowed.status, 400)
        assert.notInclude(borrowed.text, rich.keyId)
        const without = yield* makeClient({ scopes: ["campaign:write"] })
        const { post: postWithout } = yield* owner(without)
        assert.include((yield* postWithout({ ...form, do: "start" })).text, "no active key has it")
      })
    )
  )

  it.live("a file that is no text is refused, and so is one on a form that takes none", () =>
    run(
      Effect.gen(function* () {
        const client = yield* member()
        const { post } = yield* owner(client)
        const binary = new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe])])
        const workbook = yield* post({ kind: "verify_emails", file: binary })
        assert.strictEqual(workbook.status, 400)
        assert.include(workbook.text, "Excel workbook")
        const latin = new Blob([Buffer.from("Name;Email\r\nJ\u00FCrg;valid@magic.test\r\n", "latin1")])
        const read = yield* post({ kind: "verify_emails", file: latin })
        for (const words of ["windows-1252", "J\u00FCrg", "semicolons"]) assert.include(read.text, words)
        const forged = yield* post({ kind: "verify_emails", csv: FILE, csrf: "forged" })
        assert.strictEqual(forged.status, 403)
        const { port } = yield* HttpServer
        const elsewhere = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}/console/keys`, { method: "POST", body: new FormData() })
        )
        assert.strictEqual(elsewhere.status, 415)
      })
    )
  )
})
