import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { addressHashInput, emailFlaw } from "@outbound/domain/kernel/people/EmailAddress.js"
import type { InvalidRecipient } from "@outbound/domain/verbs/campaignFields.js"
import { HOLIDAY_COUNTRIES } from "@outbound/domain/kernel/places/holidayCountries.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, Effect, type Layer } from "effect"
import { type Client, makeKey } from "../../service/Client.js"
import {
  deliveries,
  draft,
  freshKey,
  launched,
  member,
  ok,
  pass,
  refused,
  sender,
  SEQUENCE,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const BODY: JsonObject = { name: "Story", recipients: to("silent@magic.test"), sequence: SEQUENCE }
const STEP = { subject: "Hello", body: "Hi" }

const pathsOf = (client: Client, change: JsonObject) =>
  Effect.map(client.call("create_campaign", { ...BODY, ...change }, { key: freshKey() }), (answer) => {
    if (answer.status === 200) return []
    refused(answer, 400, "invalid_request")
    const issues = answer.error?.details?.issues as ReadonlyArray<{ readonly path: string }>
    return [...new Set(issues.map((issue) => issue.path))].sort()
  })

/** As an owner's import would: no verb does it. */
const importSuppression = (client: Client, email: string) =>
  Effect.gen(function* () {
    const suppressions = yield* SuppressionStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = client
    const addressHash = crypto.mac("suppression", addressHashInput(workspaceId, email))
    const atMillis = yield* Clock.currentTimeMillis
    yield* atomically(suppressions.add({ workspaceId, addressHash, source: "owner_import", atMillis }))
  })

type Faulty = (typeof InvalidRecipient)["Type"]

/** Drafting a campaign. */
export const createCampaignContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`create_campaign (${name})`, (it) => {
    it.effect("every field has its bounds, and every mistake is named", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const wrong: ReadonlyArray<readonly [JsonObject, ReadonlyArray<string>]> = [
          [{ name: "" }, ["name"]],
          [{ name: "n".repeat(121) }, ["name"]],
          [{ name: "😀".repeat(121) }, ["name"]],
          [{ recipients: [] }, ["recipients"]],
          [{ recipients: silent(5001) }, ["recipients"]],
          [{ recipients: [{ first_name: "A" }] }, ["recipients.0.email"]],
          [{ recipients: [{ email: "a@b.test", phone: "1" }] }, ["recipients.0.phone"]],
          [{ sequence: [] }, ["sequence"]],
          [{ sequence: Array.from({ length: 11 }, () => STEP) }, ["sequence"]],
          [{ sequence: [{ body: "Hi" }] }, ["sequence.0.subject"]],
          [{ sequence: [{ ...STEP, wait_days: 1 }] }, ["sequence.0.wait_days"]],
          [{ sequence: [STEP, { body: "x", wait_days: 91 }] }, ["sequence.1.wait_days"]],
          [{ sequence: [STEP, { body: "x", wait_days: -1 }] }, ["sequence.1.wait_days"]],
          [{ sequence: [STEP, { body: "x", wait_days: 0.5 }] }, ["sequence.1.wait_days"]],
          [{ sequence: [{ subject: "Hello" }] }, ["sequence.0.body"]],
          [{ sequence: [{ subject: "two\nlines", body: "x" }] }, ["sequence.0.subject"]],
          [{ sequence: [{ subject: "  ", body: "\n " }] }, ["sequence.0.body", "sequence.0.subject"]],
          [{ sequence: [{ variants: [] }] }, ["sequence.0.variants"]],
          [{ sequence: [{ variants: Array.from({ length: 7 }, () => STEP) }] }, ["sequence.0.variants"]],
          [{ sequence: [{ ...STEP, variants: [STEP] }] }, ["sequence.0.body", "sequence.0.subject"]],
          [{ sequence: [{ variants: [STEP, { body: "x" }] }] }, ["sequence.0.variants.1.subject"]],
          [{ sequence: [{ variants: [STEP, { subject: "x", body: "{{nick}}" }] }] }, ["sequence.0.variants.1.body"]],
          [{ sequence: [STEP, { wait_days: 1 }] }, ["sequence.1.body"]],
          [{ schedule: { timezone: "Mars/Olympus" } }, ["schedule.timezone"]],
          [{ schedule: { timezone: "+02:00" } }, ["schedule.timezone"]],
          [{ schedule: { days: [] } }, ["schedule.days"]],
          [{ schedule: { days: ["mon", "mon"] } }, ["schedule.days"]],
          [{ schedule: { days: ["monday"] } }, ["schedule.days.0"]],
          [{ schedule: { start_hour: 24 } }, ["schedule.start_hour"]],
          [{ schedule: { end_hour: 25 } }, ["schedule.end_hour"]],
          [{ schedule: { start_hour: 9, end_hour: 9 } }, ["schedule.end_hour"]],
          [{ schedule: { recipient_timezone: "yes" } }, ["schedule.recipient_timezone"]],
          [{ schedule: { skip_holidays: "DE" } }, ["schedule.skip_holidays"]],
          [
            { schedule: { skip_holidays: ["DE", "XX", "de", "DE", "recipient", "QA"] } },
            [1, 2, 3, 4, 5].map((index) => `schedule.skip_holidays.${index}`)
          ],
          [
            { schedule: { skip_holidays: [...HOLIDAY_COUNTRIES].slice(0, 21), start_hour: 24 } },
            ["schedule.skip_holidays", "schedule.start_hour"]
          ],
          [{ stop_for_company: "yes" }, ["stop_for_company"]],
          [{ max_per_company_per_day: 0 }, ["max_per_company_per_day"]],
          [{ max_per_company_per_day: 101 }, ["max_per_company_per_day"]],
          [{ max_per_company_per_day: 1.5 }, ["max_per_company_per_day"]],
          [{ campaign_id: "x" }, ["campaign_id"]]
        ]
        for (const [change, paths] of wrong) {
          // A mistake within an optional field may also be told of the field that holds it.
          const found = yield* pathsOf(client, change)
          for (const path of paths) assert.include(found, path, JSON.stringify(change).slice(0, 200))
        }
        // A mistake in one place keeps none in another from being named.
        const many: JsonObject = {
          name: "",
          recipients: [{ email: "a@b.test", custom: { "": "x", ["n".repeat(61)]: "x", ok: 1 } }],
          sequence: [
            { body: "{{nick}}", wait_days: 3 },
            { body: "", wait_days: 91 }
          ],
          schedule: { days: [], start_hour: 17 }
        }
        assert.deepStrictEqual(yield* pathsOf(client, many), [
          "name",
          `recipients.0.custom.${"n".repeat(61)}`,
          "recipients.0.custom.ok",
          "schedule.days",
          "schedule.end_hour",
          "sequence.0.body",
          "sequence.0.subject",
          "sequence.0.wait_days",
          "sequence.1.body",
          "sequence.1.wait_days"
        ])
        const right: ReadonlyArray<JsonObject> = [
          { name: "n" },
          { name: "n".repeat(120) },
          { name: "😀".repeat(120) },
          {
            sequence: [
              { ...STEP, wait_days: 0 },
              { body: "x", wait_days: 90 }
            ]
          },
          { sequence: Array.from({ length: 10 }, () => STEP) },
          { schedule: { timezone: "Asia/Kathmandu", days: ["sun"], start_hour: 23, end_hour: 24 } },
          { schedule: { start_hour: 0, end_hour: 1 } },
          { schedule: { recipient_timezone: true, skip_holidays: ["recipient"] } },
          { schedule: { recipient_timezone: false, skip_holidays: [...HOLIDAY_COUNTRIES].slice(0, 20) } },
          { schedule: { skip_holidays: [] } },
          { stop_for_company: false, max_per_company_per_day: 1 },
          { stop_for_company: true, max_per_company_per_day: 100 }
        ]
        for (const change of right) assert.deepStrictEqual(yield* pathsOf(client, change), [], JSON.stringify(change))
        refused(yield* client.call("create_campaign", BODY), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        const poor = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["data:read"] })
        refused(yield* poor.call("create_campaign", BODY, { key: freshKey() }), 403, "forbidden", {
          required_scope: "campaign:write"
        })
      })
    )

    it.effect("five thousand recipients are a campaign", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { result } = yield* draft(client, { recipients: silent(5000) })
        assert.deepStrictEqual([result.leads_accepted, result.leads_suppressed], [5000, 0])
      })
    )

    it.effect("a draft says what it took, is free, and tells the trail of each person", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const now = yield* Clock.currentTimeMillis
        const recipients = [
          ...to(
            "silent@magic.test",
            "SILENT@magic.test ",
            "not an address",
            "Not An Address",
            "x@",
            "silent+b@magic.test"
          ),
          { email: "silent+c@magic.test", custom: { "Email Opt Out": "TRUE" } }
        ]
        const body = { ...BODY, recipients }
        const dry = ok(yield* client.call("create_campaign", { ...body, dry_run: true }))
        const counts = { leads_accepted: 2, leads_suppressed: 3, suppressed_reasons: { invalid: 3 } }
        assert.deepStrictEqual(dry.result.plan.would, counts)
        assert.deepStrictEqual([dry.result.plan.credits_estimate, dry.result.plan.would_exceed], ["0", []])
        const key = freshKey()
        const created = ok(yield* client.call("create_campaign", body, { key }))
        const { campaign_id, created_at, invalid, ...rest } = created.result
        assert.deepStrictEqual(rest, { name: "Story", state: "draft", ...counts })
        const flaw = emailFlaw("not an address") ?? ""
        assert.deepInclude(invalid?.[0], {
          index: 2,
          email: "not an address",
          field: "email",
          problem: "unusable_address",
          value: "not an address",
          message: flaw
        })
        assert.deepStrictEqual(
          invalid?.map(({ index }: Faulty) => index),
          [2, 4, 6]
        )
        assert.include(dry.result.plan.warnings[0], `recipients.2.email ("not an address") ${flaw}`)
        assert.strictEqual(Date.parse(created_at), now)
        assert.strictEqual(created.svc.credits_charged, "0")
        const replay = ok(yield* client.call("create_campaign", body, { key }))
        assert.deepStrictEqual(replay.result, created.result)
        refused(
          yield* client.call("create_campaign", { ...body, name: "Else" }, { key }),
          409,
          "idempotency_conflict",
          {
            reason: "different_request"
          }
        )
        const events = yield* trailOf(client, { campaign_id })
        const unusable = { reason: "invalid", field: "email", problem: "unusable_address" }
        const opted = { reason: "invalid", field: "custom.Email Opt Out", problem: "opted_out" }
        assert.sameDeepMembers(
          events.map(({ detail, email, kind, request_id, source }) => [kind, email, detail, request_id, source]),
          [
            ["admitted", "silent@magic.test", {}, created.svc.request_id, "api"],
            ["admitted", "silent+b@magic.test", {}, created.svc.request_id, "api"],
            ["removed", "not an address", unusable, created.svc.request_id, "api"],
            ["removed", "x@", unusable, created.svc.request_id, "api"],
            ["removed", "silent+c@magic.test", opted, created.svc.request_id, "api"]
          ]
        )
      })
    )

    it.effect("one bad cell leaves its own recipient out, by name, and never refuses the others", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const one = (index: number, more: JsonObject = {}) => ({
          email: `silent+${index}@magic.test`,
          first_name: "Ann",
          ...more
        })
        const long = "x".repeat(201)
        const { result } = yield* draft(client, {
          recipients: [
            one(0),
            one(1, { email: "" }),
            one(2, { email: null }),
            one(3, { email: `${"x".repeat(321)}@a.test` }),
            one(4, { first_name: null }),
            one(5, { first_name: "#N/A" }),
            one(6, { first_name: long }),
            one(7, { last_name: null, company_name: "", custom: { "": "", city: null } }),
            one(8, { custom: { city: "x".repeat(2001) } }),
            // The most complete row of an address counts.
            { email: "silent+9@magic.test", company_name: "Acme" },
            one(9)
          ],
          sequence: [{ subject: "Hello", body: "Hi {{first_name}}" }]
        })
        assert.deepStrictEqual([result.leads_accepted, result.suppressed_reasons], [3, { invalid: 7 }])
        assert.deepStrictEqual(
          result.invalid?.map(({ field, index, problem, value }: Faulty) => [
            index,
            field,
            problem,
            value?.length ?? null
          ]),
          [
            [1, "email", "missing", null],
            [2, "email", "missing", null],
            [3, "email", "too_long", 200],
            [4, "first_name", "missing", null],
            [5, "first_name", "placeholder", 4],
            [6, "first_name", "too_long", 200],
            [8, "custom.city", "too_long", 200]
          ]
        )
      })
    )

    it.effect("variables: known ones are filled, unknown ones refuse the call, a missing value is invalid", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const texts = (subject: string, body: string) => ({ sequence: [{ subject, body }] })
        const unknown = { sequence: [{ subject: "{{nick}}", body: "{{First_name}}" }, { body: "{{custom.}} {{}}" }] }
        assert.deepStrictEqual(yield* pathsOf(client, unknown), [
          "sequence.0.body",
          "sequence.0.subject",
          "sequence.1.body"
        ])
        // What was meant for a variable goes out to nobody as it stands.
        for (const half of ["Hi {{first_name", "Hi {{first_name}", "{{custom.x|a {b}}}", "{{ {{email}} }}"]) {
          assert.deepStrictEqual(yield* pathsOf(client, texts("Hello", half)), ["sequence.0.body"], half)
        }
        assert.isEmpty(yield* pathsOf(client, texts("{Hello}", "{{email}} }} {")))
        // What other systems call a variable would go out as it stands.
        for (const foreign of ["Hi {{{first_name}}}", "Hi [First Name]", "Hi *|FNAME|*", "{Hi|Hello}"]) {
          assert.deepStrictEqual(yield* pathsOf(client, texts("Hello", foreign)), ["sequence.0.body"], foreign)
        }
        const missing = yield* draft(client, {
          recipients: [
            { email: "silent+1@magic.test", first_name: "Ann", custom: { team: "Sales" } },
            { email: "silent+2@magic.test", first_name: " ", custom: { team: "Sales" } },
            { email: "silent+3@magic.test", first_name: "Cy", custom: { team: "" } },
            { email: "silent+4@magic.test", first_name: "Di" }
          ],
          ...texts("{{first_name}}", "{{custom.team}}")
        })
        assert.deepStrictEqual(missing.result.suppressed_reasons, { invalid: 3 })
        // Members that every object has are no values of a recipient.
        for (const inherited of ["__proto__", "constructor", "toString"]) {
          const recipients = to("silent+5@magic.test")
          const { result } = yield* draft(client, { recipients, ...texts("Hello", `{{custom.${inherited}}}`) })
          assert.deepStrictEqual(result.suppressed_reasons, { invalid: 1 })
        }
        const campaign = yield* launched(client, {
          recipients: [
            {
              email: "silent+6@magic.test",
              first_name: "Eve\r\nBcc: all@magic.test",
              last_name: "{{email}}",
              company_name: "Acme & $& Co",
              custom: { "pet name": "Rex" }
            }
          ],
          ...texts(
            "{{ first_name }} {{last_name}}",
            "{{company_name}}|{{email}}|{{custom.pet name}}|{{custom.none|a fallback, really}}|{{custom.none|}}|"
          )
        })
        yield* pass("1 second")
        const [message] = yield* deliveries(campaign)
        assert.strictEqual(message?.subject, "Eve Bcc: all@magic.test {{email}}")
        assert.notMatch(`${message?.to.name}`, /[\r\n]/)
        assert.match(message?.text ?? "", /^Acme & \$& Co\|silent\+6@magic\.test\|Rex\|/)
      })
    )

    it.effect("where several reasons apply the first counts, and their sum is what is suppressed", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* launched(client, {
          recipients: to("interested@magic.test", "silent@magic.test", "out_of_office@magic.test")
        })
        yield* pass("3 seconds")
        for (const email of ["silent+imported@magic.test", "silent@magic.test", "interested@magic.test"]) {
          yield* importSuppression(client, email)
        }
        const recipients = [
          ...to("silent+imported@magic.test", "silent@magic.test", "out_of_office@magic.test", "silent+new@magic.test"),
          // Suppressed, contacted and without the value that the text needs.
          { email: "interested@magic.test", first_name: "" }
        ].map((recipient) => ({ custom: { x: "y" }, ...recipient }))
        const sequence = [{ subject: "Hello", body: "{{custom.x}}" }]
        const { result } = yield* draft(client, { recipients, sequence })
        const reasons = { opted_out: 1, platform_blocked: 2, capped: 1 }
        assert.deepStrictEqual(result.suppressed_reasons, reasons)
        assert.deepStrictEqual([result.leads_accepted, result.leads_suppressed], [1, 4])
        const needy = yield* draft(client, { recipients, sequence: [{ subject: "Hello", body: "{{first_name}}" }] })
        assert.deepStrictEqual(needy.result.suppressed_reasons, { invalid: 5 })
        const removed = yield* trailOf(client, { kind: "removed", campaign_id: result.campaign_id })
        assert.sameDeepMembers(
          removed.map(({ detail, email }) => [email, detail.reason]),
          [
            ["silent+imported@magic.test", "platform_blocked"],
            ["silent@magic.test", "platform_blocked"],
            ["interested@magic.test", "opted_out"],
            ["out_of_office@magic.test", "capped"]
          ]
        )
      })
    )

    it.effect("who said no in one workspace may be written to by another", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* sender(), yield* member()]
        yield* launched(one, { recipients: to("unsubscribe@magic.test") })
        yield* pass("3 seconds")
        const again = yield* draft(one, { recipients: to("unsubscribe@magic.test") })
        assert.deepStrictEqual(again.result.suppressed_reasons, { opted_out: 1 })
        const elsewhere = yield* draft(other, { recipients: to("unsubscribe@magic.test") })
        assert.deepStrictEqual([elsewhere.result.leads_accepted, elsewhere.result.suppressed_reasons], [1, {}])
      })
    )

    it.effect("a draft never sends", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(3) })
        yield* pass("5 seconds")
        assert.isEmpty(yield* deliveries(result.campaign_id))
      })
    )
  })
}
