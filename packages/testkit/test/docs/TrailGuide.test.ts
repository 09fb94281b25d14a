import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { appended, eventIn, exported, faultOf, sealedAt } from "../../src/contracts/seals.js"
import { freshId, MINUTE, NOON } from "../../src/contracts/fixtures.js"
import { layer } from "../../src/memory/layer.js"

const guide = readFileSync(new URL("../../../../docs/guides/trail.md", import.meta.url), "utf8")

it.effect("the verifier in the guide agrees with ours on true and on forged exports", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-guide-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true }))
    )
    const script = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail("the guide has no verifier")
    writeFileSync(join(folder, "verify.mjs"), script)
    const verdict = (lines: ReadonlyArray<string>): string | null => {
      writeFileSync(join(folder, "trail.jsonl"), `${lines.join("\n")}\n`)
      const { status, stdout } = spawnSync(process.execPath, ["verify.mjs", "trail.jsonl"], { cwd: folder })
      return status === 0 ? stdout.toString().trim() : null
    }
    const workspaceId = freshId()
    for (const kind of ["launched", "sent", "reply"] as const) {
      yield* appended(
        eventIn(workspaceId, { kind, campaignId: freshId(), email: "ann@example.com", detail: { "ü\n": [kind] } }),
        eventIn(workspaceId, { kind, requestId: freshId() })
      )
      yield* sealedAt(workspaceId, NOON + 2 * MINUTE)
    }
    const { head, lines } = yield* exported(workspaceId)
    assert.strictEqual(verdict(lines), head)
    const forged = [
      lines.map((line) => line.replace("ann@", "bob@")),
      lines.map((line) => line.replace('"kind":"sent"', '"kind":"reply"')),
      lines.toSpliced(3, 1),
      lines.toSpliced(1, 3),
      lines.with(2, lines[3] ?? "").with(3, lines[2] ?? ""),
      lines.slice(0, -1)
    ]
    for (const changed of forged) {
      assert.isNotNull(faultOf(changed))
      assert.isNull(verdict(changed))
    }
  }).pipe(Effect.provide(layer))
)
