import { Human } from "@outbound/examples/loop/Human.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, Home, root, shownKey, until } from "./support/Program.js"

let home: Home
let firstKey: string

beforeAll(async () => {
  home = await Home.make()
  firstKey = shownKey(await home.serve())
})

afterAll(() => home.close())

describe("the loop against a running service", () => {
  it("answers the call that the first start prints", async () => {
    const { body, status } = await call(home, firstKey, "/v1/verify_email", { email: "valid@magic.test" })
    assert.strictEqual(status, 200)
    assert.strictEqual(body.result.status, "valid")
    assert.strictEqual(body.svc.credits_available, "299")
  })

  it("goes through by itself with --approve, and leaves nothing broken", async () => {
    const { code, err, out } = await home.loop(["--approve"]).ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    for (const kind of ["interested", "not_interested", "other", "out_of_office", "unsubscribe", "bounce"]) {
      assert.match(out, new RegExp(`Done\\..* \\d+ ${kind}[,.]`))
    }
    assert.deepInclude(await home.json("check"), { ok: true, breaches: [] })
  })

  it("waits for the human and for the credits, and writes to the people of one's own list", async () => {
    const rows = [
      "email,first_name,pet",
      "interested+own@magic.test,Ann,Rex",
      "nobody,Bob,",
      "silent@magic.test,Cy,Tom"
    ]
    writeFileSync(join(home.folder, "people.csv"), rows.join("\n"))
    const loop = home.loop(["--recipients", "people.csv"])
    const { url } = await home.json("sign-in-link", "--email", "owner@outbound.test")
    const human = new Human()
    await human.signIn(url)
    const approvals = () => [...loop.out.matchAll(/http\S+\/console\/approvals\/\S+/g)].map(([address]) => address)

    await loop.said("Waiting for the approval ...")
    await human.approve(approvals()[0] ?? "")
    await loop.said("outbound credits grant")
    const [, ...words] = /(outbound credits grant .*)/.exec(loop.out)?.[1]?.split(" ") ?? []
    await home.json(...words)
    await loop.said("Preview: 2 leads")
    const [, second = ""] = await until(
      async () => approvals(),
      ({ length }) => length === 2,
      60_000
    )
    await human.approve(second)

    const { code, err, out } = await loop.ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    assert.include(out, "3 rows: 2 good, 0 repeated, 1 invalid")
    assert.include(out, 'line 3: "nobody" is not an email address')
    assert.match(out, /Done\..*1 reply: 1 interested/)
  })

  it("says what is wrong with its options, and with its address", async () => {
    const mistyped = await home.loop(["--recipient", "x"]).ended
    assert.strictEqual(mistyped.code, 1)
    assert.include(mistyped.err, "--recipients FILE")
    const nobody = await home.loop(["--url", `http://localhost:${await freePort()}`]).ended
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.err, "No service answers at")
    const unreadable = await home.loop(["--recipients", "nowhere.csv"]).ended
    assert.strictEqual(unreadable.code, 1)
    assert.include(unreadable.err, "nowhere.csv can't be used")
  })
})

/** Where a loop keeps what is its own; the database's own account must be able to walk there. */
const emptyFolder = (name: string): string => {
  const path = join(home.folder, name)
  mkdirSync(path)
  chmodSync(path, 0o755)
  return path
}

/** The rows of the README's table of what works in a live workspace, and whether each has something without a vendor. */
const readmeRows = (): ReadonlyArray<{ readonly row: string; readonly isOpen: boolean }> => {
  const readme = readFileSync(join(root, "README.md"), "utf8")
  const table = readme.slice(readme.indexOf("| in a live workspace"))
  const lines = table.slice(0, table.indexOf("\n\n")).split("\n").slice(2)
  return lines.map((line) => {
    const [, row = "", open = ""] = line.split("|").map((cell) => cell.trim())
    return { row, isOpen: open !== "" }
  })
}

describe("the loop with sources that need no account", () => {
  it("goes through in a live workspace on stand-ins, and answers each row that the README says works without a vendor", async () => {
    const folder = emptyFolder("open")
    const { code, err, out } = await home.loop(["--open"], { TMPDIR: folder }).ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    const rows = readmeRows()
    assert.isAtLeast(rows.length, 15)
    const answered = [...out.matchAll(/^ +answered: (.+)$/gm)].map(([, row = ""]) => row)
    assert.deepStrictEqual(answered.toSorted(), rows.flatMap(({ isOpen, row }) => (isOpen ? [row] : [])).toSorted())
    assert.deepInclude(rows, { row: "mobile numbers, relationships", isOpen: false })
    // Every verb that asks a source.
    const data = verbList
      .filter(({ mode, scope, tool }) => mode === "act" && scope === "data:read" && tool?.openWorld !== false)
      .map(({ name }) => name)
    assert.isAtLeast(data.length, 11)
    for (const name of data) assert.match(out, new RegExp(`^ +${name} +\\d+ calls? `, "m"), name)
    for (const kind of ["interested", "not_interested", "out_of_office"]) {
      assert.match(out, new RegExp(`^ +${kind} +\\S+@`, "m"))
    }
    assert.include(out, "no board found, nothing charged")
    assert.match(out, /Done\. .* 4 people written to, 3 replies\. No vendor was used\./)
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("is combined with nothing that it would not use", async () => {
    const { code, err } = await home.loop(["--open", "--url", home.url]).ended
    assert.strictEqual(code, 1)
    assert.include(err, "--open can't be combined with --url")
  })
})

describe("the loop with own lists", () => {
  it("does the first half with no vendor on any machine, and leaves nothing behind", async () => {
    const folder = emptyFolder("whole")
    const { code, err, out } = await home.loop(["--directory"], { TMPDIR: folder }).ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    assert.include(out, "The server of example.com accepts everything.")
    assert.include(out, "40 rows of people: 34 added, 0 updated, 2 have nothing new, 4 are invalid.")
    assert.include(out, 'line 34, email: "dora.dietz at alder.test" is not an email address; row skipped.')
    assert.include(out, "15 rows of companies: 12 added, 0 updated, 1 have nothing new, 2 are invalid.")
    assert.match(out, /yara\.young@example\.com .*: catch_all_unknown/)
    assert.match(out, /nobody\.[\da-f]+@northwind\.test .*: invalid/)
    assert.match(out, /Done\. 5 leads returned, 3 addresses revealed, 5 verified: 3 valid, /)
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("ends what it started, and removes it, when it is stopped", async () => {
    const folder = emptyFolder("stopped")
    const loop = home.loop(["--directory"], { TMPDIR: folder })
    await loop.said("It is ready at")
    const [, url = ""] = /It is ready at (\S+) /.exec(loop.out) ?? []
    assert.isTrue((await fetch(`${url}/healthz`)).ok)
    const { code } = await loop.signal("SIGINT")
    assert.strictEqual(code, 130)
    assert.deepStrictEqual(readdirSync(folder), [])
    assert.isUndefined(await fetch(`${url}/healthz`).catch(() => undefined))
  })

  it("takes lists over into a running live service with --url, and refuses a sandbox", async () => {
    const people = [
      { name: "Ann Ames", role: "Buyer", domain: "acme.test", location: "Graz, Austria", pet: "Rex" },
      { name: "Bob Burns", role: "Buyer of steel", domain: "acme.test", location: "Linz, Austria" }
    ]
    writeFileSync(join(home.folder, "own.jsonl"), people.map((person) => JSON.stringify(person)).join("\n"))
    writeFileSync(join(home.folder, "firms.csv"), "website;products;country\nacme.test;steel;Austria")
    const lists = ["--directory", "own.jsonl,firms.csv"]
    const refused = await home.loop([...lists, "--url", home.url, "--key", firstKey]).ended
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "Use the key of a live workspace.")

    const live = await Home.make()
    try {
      const directory = ["directory"]
      const ports = { lead_source: directory, company_source: directory, contact_enricher: directory }
      const file = join(home.folder, "providers.json")
      writeFileSync(file, JSON.stringify({ ports }))
      const extra = { OUTBOUND_PROVIDERS: file }
      await live.serve(extra)
      await live.json("workspace", "create", "--name", "L", "--kind", "live", "--owner-email", "owner@acme.test")
      const { code, err, out } = await live.loop(
        ["--directory", `${join(home.folder, "own.jsonl")},${join(home.folder, "firms.csv")}`, "--url", live.url],
        extra
      ).ended
      assert.strictEqual(code, 0, `${out}\n${err}`)
      assert.include(out, "2 rows of people: 2 added")
      assert.include(out, "Ignored columns: pet.")
      assert.include(out, 'people in Austria with "buyer" in their title')
      assert.include(out, 'companies of "steel" in Austria')
      assert.match(out, /Done\. 2 leads returned, 0 addresses revealed, 0 verified/)
    } finally {
      await live.close()
    }
  })
})
