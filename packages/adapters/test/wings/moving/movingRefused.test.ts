import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { admitted, anAttempt, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { freshId, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Layer, Result } from "effect"
import { createHmac } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { gunzipSync, gzipSync } from "node:zlib"
import { migrations } from "../../../src/postgres/migrations/migrations.js"
import { importWorkspace } from "../../../src/wings/moving/Import.js"
import { filled, installation } from "../../postgres/Installation.js"
import { exporting, KEY, nothingCame, place } from "./exporting.js"

it.layer(Layer.empty, SUITE)("a workspace that moves", (it) => {
  it.effect("is refused whole where its file is cut, changed, of another key, or no export", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      const whole = readFileSync(path)
      const lines = gunzipSync(whole).toString("utf8").trimEnd().split("\n")
      const refused = (bytes: Buffer, words: RegExp) =>
        Effect.gen(function* () {
          writeFileSync(path, bytes)
          assert.match((yield* Effect.flip(importWorkspace(to.url, path, KEY))).message, words)
          yield* nothingCame(to, workspaceId)
        })
      const packed = (changed: ReadonlyArray<string>) => gzipSync(`${changed.join("\n")}\n`)
      /** With the end that whoever knows the key would write. */
      const signed = (changed: ReadonlyArray<string>) => {
        const mac = createHmac("sha256", KEY.mac)
          .update(changed.map((line) => `${line}\n`).join(""))
          .digest("hex")
        const end: unknown = JSON.parse(lines.at(-1) ?? "")
        return packed([...changed, JSON.stringify({ ...(end as object), mac })])
      }
      for (const share of [0.1, 0.5, 0.99])
        yield* refused(whole.subarray(0, whole.length * share), /damaged: it can't be unpacked/)
      yield* refused(packed(lines.slice(0, -1)), /damaged: it has no end, so it was cut/)
      yield* refused(gzipSync(lines.join("\n").slice(0, -9)), /damaged: its last line is cut/)
      yield* refused(packed([...lines, lines[1] ?? ""]), /damaged: it goes on after its end/)
      const row = lines.findIndex((line) => line.includes("owner_import"))
      yield* refused(packed(lines.toSpliced(row, 1)), /damaged: it is not what was written/)
      yield* refused(packed(lines.toSpliced(row, 0, lines[row] ?? "")), /damaged: it is not what was written/)
      yield* refused(
        packed(lines.with(row, (lines[row] ?? "").replace("owner_import", "unsubscribe"))),
        /not what was written/
      )
      yield* refused(
        signed(lines.slice(0, -1).with(row, (lines[row] ?? "").replace(workspaceId, freshId()))),
        /a row is of another workspace/
      )
      yield* refused(signed(lines.slice(0, -1).with(row, '["one"]')), /a row is not of its table/)
      const heading = lines.findIndex((line) => line.startsWith('{"table"'))
      yield* refused(
        signed(lines.slice(0, -1).with(heading, '{"table":"nothing"}')),
        /tables are not those of its manifest/
      )
      yield* refused(Buffer.from("nothing"), /damaged: it can't be unpacked/)
      yield* refused(gzipSync("{}\n"), /is no export of a workspace/)
      writeFileSync(path, whole)
      const otherKey = { ...KEY, mac: Buffer.alloc(32, 2) }
      assert.match((yield* Effect.flip(importWorkspace(to.url, path, otherKey))).message, /not what was written/)
      yield* importWorkspace(to.url, path, KEY)
    })
  )

  it.effect("is refused under another secret, which says what would be lost", () =>
    Effect.gen(function* () {
      const [from, to, path] = [yield* installation, yield* installation, yield* place]
      const { workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      const error = yield* Effect.flip(importWorkspace(to.url, path, { ...KEY, fingerprint: "another" }))
      assert.match(error.message, /another OUTBOUND_SECRET.*nobody would recognise 250 people.*0 credentials/)
      yield* nothingCame(to, workspaceId)
    })
  )

  it.effect("arrives once, and not where one of its ids is taken or the tables are others", () =>
    Effect.gen(function* () {
      const [from, to, third, path] = [yield* installation, yield* installation, yield* installation, yield* place]
      const { keyHash, workspaceId } = yield* filled(from)
      yield* exporting(from, workspaceId, path)
      assert.match((yield* Effect.flip(importWorkspace(from.url, path, KEY))).message, /is here already/)
      const both = yield* Effect.all(
        [1, 2].map(() => Effect.result(importWorkspace(to.url, path, KEY))),
        {
          concurrency: "unbounded"
        }
      )
      assert.lengthOf(both.filter(Result.isSuccess), 1)
      assert.match(both.find(Result.isFailure)?.failure.message ?? "", /is here already|is taken here already/)
      yield* third.sql("INSERT INTO key_catalogue VALUES ($1, gen_random_uuid(), gen_random_uuid())", [keyHash])
      assert.match(
        (yield* Effect.flip(importWorkspace(third.url, path, KEY))).message,
        /taken here already \(key_catalogue/
      )
      yield* nothingCame(third, workspaceId)
      yield* third.sql("DELETE FROM key_catalogue")
      yield* third.sql("INSERT INTO migrations (id, name) VALUES ($1, 'later')", [migrations.length + 1])
      assert.match(
        (yield* Effect.flip(importWorkspace(third.url, path, KEY))).message,
        /Bring both installations to the same version/
      )
      yield* nothingCame(third, workspaceId)
    })
  )

  it.effect(
    "is not exported while work is under way that both installations would finish, and then leaves no file",
    () =>
      Effect.gen(function* () {
        const [from, path] = [yield* installation, yield* place]
        const { keyHash, workspaceId } = yield* filled(from)
        const open = yield* from.on(admitted(anAttempt(keyHash)))
        assert.match((yield* Effect.flip(exporting(from, workspaceId, path))).message, /^1 call is under way/)
        yield* from.on(Effect.flatMap(CallJournal, (journal) => journal.settle(settlementOf(open))))
        const underWay = [
          [
            "erasures",
            "INSERT INTO erasures VALUES ($1, gen_random_uuid(), 'h', NULL, now(), '{}', false, NULL)",
            /erasure has/
          ],
          [
            "payments",
            `INSERT INTO payments (workspace_id, payment_id, user_id, credits, cents, state, created_at, changed_at, next_look_at)
             SELECT $1, gen_random_uuid(), user_id, 1, 1, 'created', now(), now(), now() FROM users LIMIT 1`,
            /payment is open/
          ],
          [
            "operations",
            `INSERT INTO operations (workspace_id, operation_id, kind, status, request_id, items, created_at, updated_at)
             VALUES ($1, gen_random_uuid(), 'reply', 'queued', gen_random_uuid(), '[]', now(), now())`,
            /operation has not ended/
          ],
          [
            "vendor_campaigns",
            `INSERT INTO vendor_campaigns (workspace_id, campaign_id, vendor, account, state, ref, owes_pause, failures, turn)
             SELECT $1, campaign_id, 'instantly', 'service', 'sending', 'r', false, 0, 1 FROM campaigns`,
            /campaign runs at a sending vendor/
          ]
        ] as const
        for (const [table, statement, words] of underWay) {
          yield* from.sql(statement, [workspaceId])
          assert.match((yield* Effect.flip(exporting(from, workspaceId, path))).message, words)
          yield* from.sql(`DELETE FROM ${table}`)
        }
        assert.isFalse(existsSync(path))
        assert.match((yield* Effect.flip(exporting(from, freshId(), path))).message, /There is no workspace/)
        yield* exporting(from, workspaceId, path)
        const whole = readFileSync(path)
        assert.match((yield* Effect.flip(exporting(from, workspaceId, path))).message, /is there already/)
        assert.deepStrictEqual(readFileSync(path), whole)
      })
  )
})
