import { assert, it } from "@effect/vitest"
import { openDifferences } from "./open.js"

const UA = { "user-agent": "outbound/1 (Acme ops@acme.example)", "accept-encoding": "gzip" }
const asked = (host: string, path: string, headers: Readonly<Record<string, string>> = UA) =>
  openDifferences({ host, path, headers })

it.each([
  ["greenhouse", "/boards/acme/jobs?content=true"],
  ["lever", "/postings/acme?mode=json&limit=100&skip=100"],
  ["acme.recruitee", "/api/offers/"],
  ["acme.personio", "/xml"],
  ["smart_recruiters", "/companies/Acme/postings?limit=100&offset=100"],
  ["search", "/search-index?q=%22Acme%22&forms=D"],
  ["data", "/submissions/CIK0001234567.json"],
  ["archives", "/edgar/data/1234567/000123456726000001/primary_doc.xml"],
  ["acme.example", "/anything?at=all"]
])("a request as %s publishes it passes: %s", (host, path) => assert.deepStrictEqual(asked(host, path), []))

it.each([
  ["another name of a parameter", "lever", "/postings/acme?mode=json&offset=100"],
  ["a page that is too large", "smart_recruiters", "/companies/Acme/postings?limit=500&offset=0"],
  ["a value that is not one of its list", "gdelt", "/doc/doc?query=acme&mode=List"],
  ["a parameter that is missing", "search", "/search-index?forms=D"],
  ["another path", "ashby", "/job-boards/acme"],
  ["a number without its zeros", "data", "/submissions/CIK1234567.json"],
  ["dashes in a folder", "archives", "/edgar/data/1234567/0001234567-26-000001/primary_doc.xml"]
])("what is not published is noticed: %s", (_what, host, path) => assert.isNotEmpty(asked(host, path)))

it("a reader without a contact is noticed", () => {
  const path = "/submissions/CIK0001234567.json"
  assert.isNotEmpty(asked("data", path, { ...UA, "user-agent": "outbound/1" }))
  assert.isNotEmpty(asked("data", path, { "user-agent": "outbound/1 (a@b.example)" }))
})
