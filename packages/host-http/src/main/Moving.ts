import { type ExportKey, exportWorkspace } from "@outbound/adapters/postgres/moving/Export.js"
import { importWorkspace } from "@outbound/adapters/postgres/moving/Import.js"
import { Clock, Effect, Layer, Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { resolve } from "node:path"
import type { OutboundConfig } from "../Config.js"
import type { ExportReport, ImportReport } from "../commands/Actions.js"
import { opened } from "./Operator.js"
import { fingerprintOf } from "./Secret.js"

const MAC_BYTES = 32

const keyOf = (secret: Redacted.Redacted): ExportKey => ({
  fingerprint: fingerprintOf(secret),
  mac: Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "outbound/mac/export/v1", MAC_BYTES))
})

/** The configured database, migrated and of the configured secret. */
const ready = (config: OutboundConfig) =>
  Effect.gen(function* () {
    const { connection, secret, url } = yield* opened(config)
    yield* Effect.scoped(Layer.build(connection))
    return { url, key: keyOf(secret) }
  })

/** `outbound export FILE` */
export const writeWorkspace = (
  config: OutboundConfig,
  workspaceId: string,
  file: string
): Effect.Effect<ExportReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { key, url } = yield* ready(config)
      const path = resolve(file)
      const at = new Date(yield* Clock.currentTimeMillis)
      const { active, manifest, rows } = yield* exportWorkspace(url, workspaceId, path, key, at)
      return {
        file: path,
        workspace_id: manifest.workspaceId,
        name: manifest.name,
        made_at: manifest.madeAt,
        rows,
        suppressed: manifest.underSecret.suppressed,
        campaigns_active: active
      }
    })
  )

/** `outbound import FILE` */
export const readWorkspace = (config: OutboundConfig, file: string): Effect.Effect<ImportReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { key, url } = yield* ready(config)
      const { approvalsCancelled, campaignsPaused, manifest, peopleKnown, rows } = yield* importWorkspace(
        url,
        resolve(file),
        key
      )
      return {
        workspace_id: manifest.workspaceId,
        name: manifest.name,
        made_at: manifest.madeAt,
        rows,
        suppressed: manifest.underSecret.suppressed,
        campaigns_paused: campaignsPaused,
        approvals_cancelled: approvalsCancelled,
        people_known: peopleKnown
      }
    })
  )
