import { assert, describe, it } from "@effect/vitest"
import { draft, freshKey, member, ok } from "@outbound/testkit/contracts/service/stories.js"
import { parse } from "csv-parse/sync"
import { Effect, type Layer } from "effect"
import { ServiceHost, signedIn } from "./support/Signed.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

const CUSTOM = "role"

describe("who was left out of a campaign", () => {
  it.effect("stands on its pages with the cell, its value and the reason, all of them, and in a file to mend", () =>
    run(
      Effect.gen(function* () {
        const client = yield* member()
        yield* client.call("add_suppressions", { emails: ["no@acme.test"], reason: "customer" }, { key: freshKey() })
        const bad = Array.from({ length: 60 }, (_, index) => ({
          email: `silent+bad${index}@magic.test`,
          first_name: "#N/A",
          last_name: "=1+1",
          custom: { [CUSTOM]: `Head, "${index}"` }
        }))
        const { result } = yield* draft(client, {
          recipients: [
            { email: "silent+good@magic.test", first_name: "Ann" },
            { email: "no@acme.test", first_name: "Bo" },
            { email: "nobody \u202Etset", first_name: "Cy" },
            ...bad
          ],
          sequence: [{ subject: "Hello", body: "Hi {{first_name}}" }]
        })
        assert.deepStrictEqual([result.leads_accepted, result.leads_suppressed], [1, 62])
        const path = `/console/campaigns/${result.campaign_id}`
        const { get } = yield* signedIn(client.ownerEmail)
        const page = (yield* get(path)).text
        for (const words of ["Left out", "62 people were", `${path}/left-out`]) assert.include(page, words)
        const first = (yield* get(`${path}/left-out`)).text
        for (const words of ["nobody", "&lt;U+202E>", "first_name", "#N/A", "stands for no value", ">3<"]) {
          assert.include(first, words)
        }
        assert.notInclude(first, "bad59")
        const next = /href="([^"]*left-out\?after=[^"]*)"/.exec(first)?.[1] ?? ""
        const second = (yield* get(next)).text
        for (const words of ["bad59", "no@acme.test", "opted out"]) assert.include(second, words)

        const csv = (yield* get(`${path}/left-out/csv`)).text
        const rows: ReadonlyArray<Record<string, string>> = parse(csv, { columns: true })
        assert.lengthOf(rows, 62)
        const [unusable, placeholder] = rows
        assert.deepInclude(unusable, { left_out_row: "3", left_out_reason: "invalid", left_out_field: "email" })
        assert.deepInclude(placeholder, {
          email: "silent+bad0@magic.test",
          first_name: "#N/A",
          [CUSTOM]: 'Head, "0"',
          left_out_row: "4",
          left_out_field: "first_name",
          left_out_value: "#N/A"
        })
        assert.notMatch(csv, /(?:^|,)=/m)
        // The mended rows join as they are.
        const leads = rows
          .filter(({ left_out_field }) => left_out_field === "first_name")
          .map(({ email, [CUSTOM]: role = "" }) => ({ email: email ?? "", first_name: "Ann", custom: { role } }))
        const added = ok(
          yield* client.call("add_leads", { campaign_id: result.campaign_id, leads }, { key: freshKey() })
        ).result
        assert.deepStrictEqual([added.leads_accepted, added.leads_suppressed], [60, 0])
        const stranger = yield* signedIn((yield* member()).ownerEmail)
        for (const other of [`${path}/left-out`, `${path}/left-out/csv`]) {
          assert.strictEqual((yield* stranger.get(other)).status, 404)
        }
      })
    )
  )
})
