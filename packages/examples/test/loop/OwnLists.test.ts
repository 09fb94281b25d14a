import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Addresses } from "../../src/loop/directory/Addresses.js"
import { Criteria } from "../../src/loop/directory/Criteria.js"
import { readList } from "../../src/loop/directory/Lists.js"

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "outbound-lists-"))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the loop knows of lists, by their names and what they hold. */
const known = async (files: Readonly<Record<string, string | Uint8Array>>, rowsMax = 100) => {
  const criteria = new Criteria()
  const addresses = new Addresses()
  const reads = []
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    writeFileSync(path, content)
    const person: typeof criteria.person = (row) => {
      criteria.person(row)
      addresses.add(row)
    }
    const { isWhole, kind, rows } = await readList(path, { person, company: criteria.company }, rowsMax)
    reads.push({ isWhole, kind, rows })
  }
  return { criteria, addresses, reads }
}

const refusal = async (name: string, content: string | Uint8Array): Promise<string> => {
  try {
    await known({ [name]: content })
    return "nothing"
  } catch (error) {
    return error instanceof Error ? error.message.replace(folder, "") : "something else"
  }
}

describe("the lists of the loop", () => {
  it("are looked for by the title's word and the country that come most often together", async () => {
    const { criteria, reads } = await known({
      "people.csv":
        "\uFEFFName;Job title;Company;Country;Pet\n" +
        "Ann;Senior Buyer;Acme;Austria;Rex\nBob;Buyer of the steel;Acme;Österreich;\nCy;Seller;Acme;France;\nDee;Seller;Acme;;\nshort row\n",
      "firms.jsonl":
        '{"website":"acme.test","industry":"Insurance","country":"AT"}\nnot json\n\n{"website":"bolt.test","industry":"Insurance","country":"Austria"}'
    })
    assert.deepStrictEqual(reads, [
      { kind: "people", rows: 5, isWhole: true },
      { kind: "companies", rows: 3, isWhole: true }
    ])
    assert.deepStrictEqual(criteria.leads.body, {
      audience: "buyer in Austria",
      titles: ["buyer"],
      locations: ["Austria"]
    })
    assert.deepStrictEqual(criteria.companies?.body, {
      mode: "firmographic",
      industries: ["Insurance"],
      country_codes: ["AT"],
      company_headcount: { min: 1 }
    })
  })

  it("are looked for by what they say at all", async () => {
    const titled = await known({ "people.csv": "name,title,company\nAnn,Buyer,Acme" })
    assert.deepStrictEqual(titled.criteria.leads.body, { audience: "buyer", titles: ["buyer"] })
    assert.isNull(titled.criteria.companies)
    const mailed = await known({ "people.csv": "email\nann@acme.test" })
    assert.deepStrictEqual(mailed.criteria.leads.body, { audience: "people" })
    const made = await known({ "firms.csv": "website,products\nacme.test,steel;wood\nbolt.test,steel" })
    assert.deepInclude(made.criteria.companies?.body, { mode: "firmographic", keywords: ["steel"] })
    const named = await known({ "firms.csv": "website,name\nacme.test,Acme" })
    assert.deepStrictEqual(named.criteria.companies?.body, { query: "Acme" })
  })

  it("tell the servers that stand in who is there: nobody whose address the list calls wrong", async () => {
    const { addresses } = await known({
      "people.csv":
        "email,email status\nAnn@Acme.test,valid\nbob@acme.test,invalid\ncy@acme.test,\ndee@bücher.test,\neve@gone.test,invalid\nnobody,\n"
    })
    const has = ["ann@acme.test", "bob@acme.test", "cy@acme.test", "dee@xn--bcher-kva.test", "dee@acme.test"]
    assert.deepStrictEqual(
      has.filter((email) => addresses.has(email)),
      ["ann@acme.test", "cy@acme.test", "dee@xn--bcher-kva.test"]
    )
    assert.strictEqual(addresses.leastKnown, "xn--bcher-kva.test")
    assert.strictEqual(addresses.someoneAt("xn--bcher-kva.test"), "dee@xn--bcher-kva.test")
    assert.isNull((await known({ "people.csv": "email\nann@acme.test" })).addresses.leastKnown)
  })

  it("are read up to a number of rows, and refused in words where they can't be used", async () => {
    const { reads } = await known({ "people.csv": "email\nann@acme.test\nbob@acme.test\ncy@acme.test" }, 2)
    assert.deepStrictEqual(reads, [{ kind: "people", rows: 2, isWhole: false }])
    assert.strictEqual(
      await refusal("a.csv", ""),
      "/a.csv can't be read: the file is empty. Its first line must name the columns."
    )
    assert.strictEqual(await refusal("b.csv", "email,name\n"), "/b.csv has no rows.")
    assert.include(await refusal("c.csv", "foo,bar\n1,2"), "/c.csv can't be read: The columns don't identify the")
    assert.include(await refusal("d.jsonl", "1\n[2]\n"), "/d.jsonl can't be read: the file contains no JSON objects.")
    const long = await known({ "e.csv": `email,name\nann@acme.test,"${"x".repeat(200_000)}\nbob@acme.test,Bob` })
    assert.isFalse(long.addresses.has("ann@acme.test"))
    assert.isTrue(long.addresses.has("bob@acme.test"))
    assert.include(await refusal("f.csv", new Uint8Array([0xff, 0xfe, 0x65, 0, 0x0a, 0])), "/f.csv can't be read: ")
  })
})
