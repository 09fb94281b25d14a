import { assert, it } from "@effect/vitest"
import { place } from "@outbound/testkit/wings/openDirectory/openRecords.js"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { call } from "../../support/Client.js"
import { assertClean, operate, serve } from "../../support/Host.js"
import { liveTenant } from "../../support/OwnMail.js"
import { sharedPlace, temporaryDirectory } from "../../support/Place.js"
import { OUTBOUND, Running } from "../../support/Program.js"

const PLACES = 120_000

/** Every place but each tenth, which has no website, is a company of its own. */
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const over = at % 10 === 0 ? { site: null } : { site: `https://place-${at}.de` }
    const city = at < 50 ? "Kiel" : "Berlin"
    return `${JSON.stringify(place(`p${at}`, { ...over, city, category: "bakery" }))}\n`
  }).join("")

it.live(
  "a published file goes on after kill -9, counts as one import, and is found by every live workspace of the service",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const [file, providers] = [join(folder, "places.jsonl"), join(folder, "providers.json")]
      writeFileSync(file, linesOf(PLACES))
      writeFileSync(providers, JSON.stringify({ ports: { company_source: ["directory", "open_directory"] } }))
      const own = yield* sharedPlace
      const place = { ...own, environment: { ...own.environment, OUTBOUND_PROVIDERS: providers } }
      const host = yield* serve(place)

      const importing = ["directory", "import", "--from", "overture", "--part", "germany", file]
      const killed = new Running(
        spawn(process.execPath, [OUTBOUND, ...importing], {
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...process.env, ...place.environment }
        })
      )
      yield* Effect.promise(() => killed.said("50,000 records"))
      killed.child.kill("SIGKILL")
      yield* Effect.promise(() => killed.ended)
      const { files } = yield* operate(place, "directory", "published")
      const [begun] = files as ReadonlyArray<{ readonly state: string; readonly records: number }>
      assert.strictEqual(begun?.state, "reading")
      assert.isAtLeast(begun?.records ?? 0, 50_000)
      assert.isBelow(begun?.records ?? 0, PLACES)

      const going = new Running(
        spawn(process.execPath, [OUTBOUND, ...importing, "--json"], {
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...process.env, ...place.environment }
        })
      )
      const { code, err, out } = yield* Effect.promise(() => going.ended)
      assert.strictEqual(code, 0, err)
      assert.match(err, /Goes on after record [5-9]\d,000|Goes on after record 1\d\d,000/)
      const withSite = PLACES - PLACES / 10
      assert.deepInclude(JSON.parse(out), {
        state: "ended",
        records: PLACES,
        added: withSite,
        updated: 0,
        known: 0,
        retired: 0
      })
      assert.deepStrictEqual(JSON.parse(out).refused, [{ reason: "no_website", count: PLACES / 10, first_record: 1 }])

      const search = { mode: "local", locations: ["Kiel, Germany"], categories: ["bakery"], limit: 50 }
      const found = (apiKey: string) =>
        Effect.map(call(host, apiKey, "find_companies", search, randomUUID()), ({ json, status, text }) => {
          assert.strictEqual(status, 200, text)
          return json.result
        })
      const [one, other] = [yield* liveTenant(place), yield* liveTenant(place)]
      const { companies } = yield* found(one.apiKey)
      assert.lengthOf(companies, 45)
      assert.deepInclude(companies[0], { city: "Kiel", country: "Germany" })
      assert.include(companies[0].matched_signals[0].summary, "Overture Maps Foundation (meta), CDLA-Permissive-2.0")
      assert.deepStrictEqual((yield* found(other.apiKey)).companies, companies)

      // A later file of the part retires what it lacks: of the first 100,000, nine with a site are missing.
      writeFileSync(file, linesOf(PLACES).split("\n").slice(11, 100_000).join("\n"))
      const later = yield* operate(place, ...importing)
      assert.deepInclude(later, { added: 0, updated: 0, retired: withSite - (90_000 - 9) })
      assert.lengthOf((yield* found((yield* liveTenant(place)).apiKey)).companies, 36)
      yield* assertClean(place)
    }),
  600_000
)
