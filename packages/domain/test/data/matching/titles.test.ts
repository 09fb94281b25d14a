import { assert, describe, it } from "@effect/vitest"
import { titleFits } from "@outbound/domain/data/matching/titles.js"
import * as fc from "fast-check"

const fits = (sought: string, title: string) => titleFits([sought])(title)

describe("titles are sought", () => {
  it.each([
    // A short form, by whole words and in full.
    ["CTO", "CTO", true],
    ["cto", "Co-Founder & CTO", true],
    ["CTO", "CTO/Founder", true],
    ["CTO", "Chief Technology Officer", true],
    ["CTO", "Chief Technical Officer (interim)", true],
    ["CTO", "Director of Sales", false],
    ["CTO", "Sales Director", false],
    ["COO", "Project Coordinator", false],
    ["COO", "Chief Operations Officer", true],
    ["CEO", "Chief Executive", true],
    ["CFO", "Group CFO, EMEA", true],
    ["VP", "SVP Sales", true],
    ["VP", "Senior Vice President, Sales", true],
    ["VP", "Vice-President", true],
    ["VP", "President", false],
    ["EVP", "VP Sales", false],
    ["VP Sales", "Vice President of Sales & Marketing", true],
    ["VP Sales", "VP, Sales", true],
    ["VP of Sales", "VP Sales", true],
    ["VP Sales", "VP Marketing", false],
    ["HR", "Chrome Engineer", false],
    ["HR Manager", "Human Resources Manager", true],
    ["IT Manager", "Audit Manager", false],
    ["R&D", "Head of Research and Development", true],
    // The full name, as it is and in short.
    ["Chief Technology Officer", "CTO", true],
    ["Vice President", "VP Engineering", true],
    ["Chief Technology Officer", "Deputy Chief Technology Officers' Office", true],
    // Everything else is contained, as the interface says.
    ["Sales", "Presales Engineer", true],
    ["Director", "Managing Directorate", true],
    ["dev", "Developer", true],
    ["C++", "Senior C++ Developer", true],
    ["Head of IT", "Head of Information Technology", true],
    ["営業部長", "株式会社営業部長", true]
  ])("%s: %s is %s", (sought, title, expected) => {
    assert.strictEqual(fits(sought, title), expected)
  })

  it("nothing sought fits everybody, and who has no title is unknown", () => {
    assert.isTrue(titleFits([])("anything"))
    assert.isNull(titleFits(["CTO"])(null))
    assert.isTrue(titleFits(["CTO", "CFO"])("CFO"))
  })

  it("a title that says what was sought, and more around it, fits, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.string({ maxLength: 30 }), (sought, more) => {
        assert.isTrue(fits(sought, `${more} ${sought}, ${more}`.normalize("NFKC")))
      })
    )
  })
})
