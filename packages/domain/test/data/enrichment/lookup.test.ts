import { assert, it } from "@effect/vitest"
import { resolve, type Wanted } from "../../../src/data/enrichment/lookup.js"
import { format } from "../../../src/kernel/money/Credits.js"
import type { Contact } from "../../../src/verbs/fields.js"

const BLANK: Contact = {
  fingerprint: "f",
  full_name: "Ada Lovelace",
  title: null,
  company_name: null,
  company_domain: null,
  work_email: null,
  work_email_status: null,
  email_verdict: null,
  mobile_phone: null,
  social_url: null,
  location: null,
  observed_at: null
}

const EMAIL: Partial<Contact> = { work_email: "ada@acme.test", work_email_status: "valid", email_verdict: "valid" }
const PHONE: Partial<Contact> = { mobile_phone: "+441632960001" }

/** `e`, `p` and `m` for what is wanted. */
const wanting = (letters: string): Wanted => ({
  email: letters.includes("e"),
  profile: letters.includes("p"),
  mobile: letters.includes("m"),
  mobileSearch: letters.includes("m")
})

/** What the email lookup brought (null: nobody), whether the search found a mobile; then outcome and charge. */
const ROWS: ReadonlyArray<
  readonly [wants: string, lookup: Partial<Contact> | null, searched: boolean, outcome: string, charge: string]
> = [
  ["e", EMAIL, false, "hit", "5"],
  ["e", { ...EMAIL, ...PHONE }, false, "hit", "5"],
  ["e", null, false, "miss", "0"],
  // A person without an address is no hit for who wants the address, nor is a mobile that nobody asked for.
  ["e", {}, false, "miss", "0"],
  ["e", PHONE, false, "miss", "0"],
  ["p", {}, false, "hit", "5"],
  ["p", EMAIL, false, "hit", "5"],
  ["p", null, false, "miss", "0"],
  ["ep", {}, false, "partial", "5"],
  ["ep", EMAIL, false, "hit", "5"],
  ["em", EMAIL, false, "partial", "5"],
  ["em", EMAIL, true, "hit", "22"],
  ["em", PHONE, false, "partial", "5"],
  ["em", {}, true, "partial", "17"],
  ["em", null, true, "partial", "17"],
  ["em", null, false, "miss", "0"],
  ["pm", {}, false, "partial", "5"],
  ["pm", {}, true, "hit", "22"],
  ["epm", { ...EMAIL, ...PHONE }, false, "hit", "5"],
  ["m", EMAIL, false, "miss", "0"],
  ["m", PHONE, false, "hit", "5"],
  ["m", EMAIL, true, "hit", "17"],
  ["m", null, true, "hit", "17"]
]

it("prices every outcome as the interface has it, and reveals only what was paid for", () => {
  for (const row of ROWS) {
    const [wants, lookup, searched, outcome, charge] = row
    const found = {
      lookup: lookup === null ? null : { contact: { ...BLANK, ...lookup }, fresh: true },
      mobile: searched ? { phone: "+441632960002", fresh: true } : null
    }
    const resolved = resolve(wanting(wants), found, BLANK)
    assert.strictEqual(resolved.outcome, outcome, JSON.stringify(row))
    assert.strictEqual(format(resolved.charge), charge, JSON.stringify(row))
    assert.strictEqual(resolved.contact === null, outcome === "miss", JSON.stringify(row))
    const emailPaid = charge === "5" || charge === "22"
    if (!emailPaid) assert.isNull(resolved.contact?.work_email ?? null, JSON.stringify(row))
    if (searched) assert.strictEqual(resolved.contact?.mobile_phone, "+441632960002", JSON.stringify(row))
  }
})

it("charges nothing for what the cache stood in for", () => {
  const known = { lookup: { contact: { ...BLANK, ...EMAIL }, fresh: false }, mobile: null }
  assert.strictEqual(format(resolve(wanting("em"), known, BLANK).charge), "0")
  const searched = { ...known, mobile: { phone: "+441632960002", fresh: true } }
  assert.strictEqual(format(resolve(wanting("em"), searched, BLANK).charge), "17")
})
