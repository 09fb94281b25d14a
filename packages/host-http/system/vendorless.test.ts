import { assert, it } from "@effect/vitest"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { audit } from "./support/Books.js"
import { call, until } from "./support/Client.js"
import { assertClean, operate, serve } from "./support/Host.js"
import {
  addMailboxes,
  ALWAYS,
  answer,
  beside,
  countsOf,
  growUp,
  launched,
  liveTenant,
  salesUsers
} from "./support/OwnMail.js"
import { embeddedPlace } from "./support/Place.js"
import { approved } from "./support/Sending.js"

const NAMES = ["Ada Adler", "Ben Brandt", "Cem Celik"] as const
/** In the lists, and without a mailbox: gone. */
const LEFT = "Fay Falk"
/** Whom the second campaign reaches. */
const LATER = "hal.huber@bolt.test"

const emailOf = (name: string): string => `${name.toLowerCase().replace(" ", ".")}@people.test`

const PEOPLE = [
  "name,job title,company,website,email,city,country",
  ...[...NAMES, LEFT].map((name) => `${name},Head of Sales,Acme,people.test,${emailOf(name)},Berlin,Germany`),
  "Gil Graf,Head of Finance,Acme,people.test,gil.graf@people.test,Berlin,Germany",
  `Hal Huber,Head of Sales,Bolt,bolt.test,${LATER},Vienna,Austria`,
  "Ida Imhof,Head of Sales,Acme,people.test,nobody,Berlin,Germany",
  `${NAMES[0]},Head of Sales,Acme,people.test,${emailOf(NAMES[0])},Berlin,Germany`
]

const COMPANIES = [
  "website,name,industry,employees,city,country",
  "people.test,Acme,Software Development,120,Berlin,Germany",
  "bolt.test,Bolt,Insurance,80,Vienna,Austria"
]

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-vendorless-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const SUPPRESSED = "SELECT source FROM suppressions WHERE workspace_id = $1"

it.live(
  "the loop with no vendor: own lists, own verifier, own mailboxes; who answers is left out of the next campaign",
  () =>
    Effect.gen(function* () {
      const users = salesUsers(2)
      const bed = yield* mailBed({ users, recipients: [...NAMES.map(emailOf), LATER] })
      const here = { a: ["127.0.0.1"] }
      const names = yield* mailNameServer({ "people.test": here, "bolt.test": here })
      const files = yield* folder
      const [people, companies, providers] = ["people.csv", "companies.csv", "providers.json"].map((name) =>
        join(files, name)
      ) as [string, string, string]
      writeFileSync(people, PEOPLE.join("\n"))
      writeFileSync(companies, COMPANIES.join("\n"))
      writeFileSync(
        providers,
        JSON.stringify({
          ports: {
            lead_source: ["directory"],
            company_source: ["directory"],
            contact_enricher: ["directory"],
            email_verifier: ["prober"]
          },
          prober: {
            resolvers: [names.address],
            smtp_port: bed.ports.strict,
            allow_private_targets: true,
            helo_name: "probe.outbound.test",
            host_pace_millis: 0
          }
        })
      )
      const own = beside(yield* embeddedPlace, bed)
      const place = { ...own, environment: { ...own.environment, OUTBOUND_PROVIDERS: providers } }
      const host = yield* serve(place)
      const auditor = yield* audit(place)
      const tenant = yield* liveTenant(place)
      const { apiKey, workspaceId } = tenant

      // Own lists.
      const importList = (file: string) => operate(place, "directory", "import", "--workspace", workspaceId, file)
      const imported = yield* importList(people)
      assert.deepInclude(imported, { kind: "people", rows: 8, added: 6, known: 1, unusable: 1 })
      assert.deepInclude(yield* importList(companies), { kind: "companies", rows: 2, added: 2, unusable: 0 })

      // Found as an agent finds them.
      const asked = (verb: string, body: unknown) =>
        Effect.map(call(host, apiKey, verb, body, randomUUID()), ({ json, status, text }) => {
          assert.strictEqual(status, 200, text)
          return json.result
        })
      const { companies: found } = yield* asked("find_companies", {
        mode: "firmographic",
        industries: ["Software Development"],
        country_codes: ["DE"]
      })
      assert.deepStrictEqual(
        found.map((one: Record<string, unknown>) => one["company_domain"]),
        ["people.test"]
      )
      const { leads } = yield* asked("find_leads", {
        audience: "Heads of sales in Germany",
        titles: ["Sales"],
        locations: ["Germany"]
      })
      const wanted = leads.map((lead: Record<string, string>) => lead["full_name"]).toSorted()
      assert.deepStrictEqual(wanted, [...NAMES, LEFT].toSorted())

      // Revealed by the directory, and verified with Postfix: who left has no mailbox, and gets no campaign.
      const verified: Array<string> = []
      for (const lead of leads) {
        const person = { full_name: lead.full_name, company_domain: lead.company_domain }
        const { contact, outcome } = yield* asked("enrich", { person, want: ["work_email"] })
        assert.deepStrictEqual([outcome, contact.work_email], ["hit", emailOf(lead.full_name)])
        const { status } = yield* asked("verify_email", { email: contact.work_email })
        assert.strictEqual(status, lead.full_name === LEFT ? "invalid" : "valid", lead.full_name)
        if (status === "valid") verified.push(contact.work_email)
      }
      assert.deepStrictEqual(verified.toSorted(), NAMES.map(emailOf))
      assert.strictEqual((yield* asked("verify_email", { email: LATER })).status, "valid")
      for (const email of [...verified, LATER]) assert.deepStrictEqual(bed.inbox(email), [], "probing delivers nothing")

      // From own mailboxes, once the human has approved.
      yield* addMailboxes(place, bed, tenant, users)
      yield* growUp(auditor, tenant)
      yield* launched(place, host, tenant, "first", verified)
      yield* until(
        Effect.sync(() => [...countsOf(bed, verified).values()]),
        (counts) => counts.every((count) => count === 1),
        180
      )

      // An answer, and what it does.
      const [no = "", ...others] = verified
      yield* answer(bed, no, ["We are not interested, thank you."])
      const { replies } = yield* until(asked("get_replies", { limit: 10 }), (result) => result.replies.length > 0, 180)
      assert.deepInclude(replies[0], { classification: "not_interested", from_email: no })
      assert.deepStrictEqual(yield* auditor.list(SUPPRESSED, workspaceId), ["reply"])

      // People just emailed don't come in again, and people who declined never do.
      const draft = {
        name: "second",
        recipients: [...verified, LATER].map((email) => ({ email })),
        sequence: [{ subject: "Once more", body: "Hello" }],
        schedule: ALWAYS
      }
      const drafted = yield* asked("create_campaign", draft)
      assert.deepInclude(drafted, { leads_accepted: 1, leads_suppressed: verified.length })
      assert.deepInclude(drafted.suppressed_reasons, { opted_out: 1, capped: others.length })
      const { campaign_id } = drafted
      const launch = yield* approved(place, host, tenant, "launch_campaign", { campaign_id }, "ask second")
      assert.strictEqual((yield* asked(launch.verb, launch.body)).leads_active, 1)
      yield* until(
        Effect.sync(() => bed.inbox(LATER).length),
        (count) => count === 1,
        180
      )
      assert.deepStrictEqual(new Set(countsOf(bed, verified).values()), new Set([1]))

      yield* assertClean(place)
      host.signal("SIGTERM")
      assert.strictEqual(yield* host.ended, 0)
    }),
  600_000
)
