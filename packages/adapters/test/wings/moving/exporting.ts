import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { type ExportKey, exportWorkspace } from "../../../src/wings/moving/Export.js"
import { type Installation, rowsOf, temporaryFolder } from "../../postgres/Installation.js"

const AT = new Date("2026-05-04T12:00:00Z")
export const KEY: ExportKey = { fingerprint: "one", mac: Buffer.alloc(32, 1) }

export const place = Effect.map(temporaryFolder, (folder) => join(folder, "workspace.jsonl.gz"))

export const exporting = (from: Installation, workspaceId: string, path: string, key = KEY) =>
  exportWorkspace(from.url, workspaceId, path, key, AT)

export const nothingCame = (to: Installation, workspaceId: string) =>
  Effect.gen(function* () {
    const held = [...(yield* rowsOf(to, workspaceId))].filter(([, rows]) => rows.length > 0)
    assert.deepStrictEqual(held, [])
  })
