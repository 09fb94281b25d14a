import { assert, describe, it } from "@effect/vitest"
import { valueOf } from "@outbound/domain/kernel/tables/Cell.js"
import { draft, launched, member, ok, pass, sender, to } from "@outbound/testkit/contracts/service/stories.js"
import { parse } from "csv-parse/sync"
import { Effect, type Layer } from "effect"
import { ServiceHost, signedIn } from "./support/Signed.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

type Row = Readonly<Record<string, string>>

const rowsOf = (csv: string): ReadonlyArray<Row> =>
  (parse(csv, { columns: true }) as ReadonlyArray<Row>).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, valueOf(cell)]))
  )

/** A cell that a spreadsheet would run. */
const RUNS = /(?:^|,)"?[=+@]/m

describe("files of the console", () => {
  it.effect("the people of a campaign: all of them, as the page filters them, and given again they are the same", () =>
    run(
      Effect.gen(function* () {
        const client = yield* member()
        const recipients = Array.from({ length: 620 }, (_, index) => ({
          email: `silent+${index}@magic.test`,
          first_name: `Ann ${index}`,
          ...(index === 0 ? { company_name: "=cmd()" } : {}),
          ...(index === 1 ? { company_name: 'Head, "Quarters"' } : {}),
          ...(index === 619 ? { custom: { last_of_all: "@once\nand again" } } : {})
        }))
        const body = { sequence: [{ subject: "Hello", body: "Hi {{first_name|there}}" }] }
        const { campaign_id } = (yield* draft(client, { ...body, recipients })).result
        const { get } = yield* signedIn(client.ownerEmail)
        const path = `/console/campaigns/${campaign_id}`
        assert.include((yield* get(path)).text, `${path}/leads/csv`)
        const csv = (yield* get(`${path}/leads/csv`)).text
        assert.notMatch(csv, RUNS)
        const rows = rowsOf(csv)
        assert.deepStrictEqual(
          rows.map(({ email, first_name, company_name, last_of_all }) => ({
            email,
            first_name,
            ...(company_name === "" ? {} : { company_name }),
            ...(last_of_all === "" ? {} : { custom: { last_of_all } })
          })) as ReadonlyArray<unknown>,
          recipients
        )
        assert.deepInclude(rows[0], { lead_state: "pending", lead_status: "", lead_messages: "0" })
        const again = (yield* draft(client, {
          ...body,
          recipients: rows.map(({ email = "", first_name = "" }) => ({ email, first_name }))
        })).result
        assert.deepStrictEqual([again.leads_accepted, again.leads_suppressed], [620, 0])
        const one = rowsOf((yield* get(`${path}/leads/csv?q=${encodeURIComponent("quarters")}`)).text)
        assert.deepStrictEqual(
          one.map(({ email }) => email),
          ["silent+1@magic.test"]
        )
        assert.lengthOf(rowsOf((yield* get(`${path}/leads/csv?state=replied`)).text), 0)
        const stranger = yield* signedIn((yield* member()).ownerEmail)
        assert.strictEqual((yield* stranger.get(`${path}/leads/csv`)).status, 404)
      })
    )
  )

  it.effect("replies: those of the page's filters, with their whole text", () =>
    run(
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, {
          name: "=HYPERLINK",
          recipients: to("interested@magic.test", "not_interested@magic.test", "out_of_office@magic.test")
        })
        yield* pass("20 seconds")
        const { get } = yield* signedIn(client.ownerEmail)
        assert.include((yield* get("/console/replies")).text, "/console/replies/csv")
        const csv = (yield* get("/console/replies/csv?classification=all")).text
        assert.notMatch(csv, RUNS)
        const rows = rowsOf(csv)
        const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
        assert.deepStrictEqual(
          new Set(rows.map(({ reply_id }) => reply_id)),
          new Set(replies.map(({ reply_id }: { readonly reply_id: string }) => reply_id))
        )
        for (const row of rows) assert.deepInclude(row, { campaign: "=HYPERLINK", campaign_id })
        const interested = rowsOf((yield* get("/console/replies/csv?classification=interested")).text)
        assert.deepStrictEqual(
          interested.map(({ classification, email }) => [email, classification]),
          [["interested@magic.test", "interested"]]
        )
        assert.isAbove(interested[0]?.["text"]?.length ?? 0, 0)
        const stranger = yield* signedIn((yield* member()).ownerEmail)
        assert.lengthOf(rowsOf((yield* stranger.get("/console/replies/csv?classification=all")).text), 0)
      })
    )
  )
})
