import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import {
  eventHash,
  firstLine,
  lastLine,
  type SealedEvent,
  sealHash,
  sealLines
} from "@outbound/domain/kernel/trail/seals.js"
import { personFileText } from "@outbound/domain/control/personFile/fileText.js"
import { only, running } from "../support/Program.js"

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

const EMPTY = "0".repeat(64)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-trail-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

describe("outbound trail", () => {
  it.effect("exports into a new file that its owner alone may read, and verifies it", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const path = join(yield* folder, "trail.jsonl")
      const id = "01900000-0000-7000-8000-000000000000"
      const made = only(yield* run(["trail", "export", path, "--workspace", id, "--json"]))
      assert.deepStrictEqual(made, { file: path, workspace_id: id, seals: 0, events: 0, head: EMPTY })
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.match((yield* run(["trail", "export", path, "--workspace", id])).complaint ?? "", /is there already/)
      const verified = only(yield* run(["trail", "verify", path, "--json"]))
      assert.deepInclude(verified, { ok: true, workspace_id: id, head: EMPTY, fault: null })
    })
  )

  it.effect("verifies one person's file as it was printed, and refuses it after a change", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const path = join(yield* folder, "person.json")
      const content = { workspace: { workspace_id: "w", name: "Acme" }, email: "ann@acme.test", leads: [] }
      const text = personFileText(sha256, content, [])
      writeFileSync(path, text)
      assert.deepInclude(only(yield* run(["trail", "verify", path, "--json"])), { ok: true, workspace_id: "w" })
      writeFileSync(path, text.replace("ann@", "bob@"))
      const { out } = yield* run(["trail", "verify", path, "--json"])
      assert.deepInclude(JSON.parse(out[0] ?? ""), { ok: false, fault: "the file is not as it was made" })
    })
  )

  it.effect("exports a trail of which a part is archived, if it is told where", () =>
    Effect.gen(function* () {
      const id = "01900000-0000-7000-8000-000000000000"
      const event: SealedEvent = {
        eventId: id,
        kind: "killed",
        source: "api",
        observedAtMillis: 0,
        campaignId: null,
        campaignLeadId: null,
        replyId: null,
        requestId: null,
        operationId: null,
        person: null,
        email: null,
        salt: null,
        detail: "{}"
      }
      const link = { workspaceId: id, number: 1, previous: EMPTY, sealedAtMillis: 0, count: 1 }
      const head = sealHash(sha256, link, [eventHash(sha256, event)])
      const lines = sealLines(sha256, { ...link, hash: head }, [event])
      const run = yield* running([], { archived: { totals: { seals: 1, events: 1, head }, lines } })
      const path = join(yield* folder, "trail.jsonl")
      const without = yield* run(["trail", "export", path, "--workspace", id])
      assert.match(
        without.complaint ?? "",
        /The beginning of this trail \(1 event in 1 seal\) is in an archive.*--archive FOLDER/
      )
      assert.isFalse(existsSync(path))
      const made = only(yield* run(["trail", "export", path, "--workspace", id, "--archive", "cold", "--json"]))
      assert.deepInclude(made, { seals: 1, events: 1, head })
      assert.isTrue((yield* run(["trail", "verify", path, "--head", head])).isGood)
    })
  )

  it.effect("verifies a part of an archive, and says what the part before it must end with", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const path = join(yield* folder, "part.jsonl.gz")
      const before = { seals: 3, events: 8, head: "a".repeat(64) }
      const id = "01900000-0000-7000-8000-000000000000"
      const part = gzipSync(`${firstLine(id, before)}\n${lastLine(before)}\n`)
      writeFileSync(path, part)
      const { isGood, out } = yield* run(["trail", "verify", path, "--head", before.head])
      assert.isTrue(isGood)
      assert.include(out[0], `It is a part, and goes on after seal 3, whose hash must be ${before.head}`)
      writeFileSync(path, part.subarray(0, part.length - 9))
      assert.match((yield* run(["trail", "verify", path])).complaint ?? "", /unexpected end of file/)
    })
  )

  it.effect("fails on an export that is cut off or changed, and says where", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const path = join(yield* folder, "trail.jsonl")
      yield* run(["trail", "export", path, "--workspace", "01900000-0000-7000-8000-000000000000"])
      const text = readFileSync(path, "utf8")
      const faultOf = (changed: string, ...flags: ReadonlyArray<string>) => {
        writeFileSync(path, changed)
        return Effect.map(run(["trail", "verify", path, ...flags]), ({ isGood, out }) => (isGood ? null : out[0]))
      }
      assert.isNull(yield* faultOf(text))
      assert.match((yield* faultOf(text.split("\n")[0] ?? "")) ?? "", /cut off/)
      assert.match((yield* faultOf("")) ?? "", /cut off/)
      assert.match((yield* faultOf(`${text}x`)) ?? "", /^Line 3: it is no line of an export/)
      assert.match((yield* faultOf(text, "--head", "a".repeat(64))) ?? "", /noted head is not in this chain/)
      assert.match((yield* run(["trail", "verify", path, "--head", "x"])).complaint ?? "", /64 hex digits/)
      assert.match((yield* run(["trail", "verify", `${path}.not`])).complaint ?? "", /ENOENT/)
    })
  )
})
