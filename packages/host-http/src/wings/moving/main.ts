import { type ExportKey, exportWorkspace } from "@outbound/adapters/wings/moving/Export.js"
import { importWorkspace } from "@outbound/adapters/wings/moving/Import.js"
import type { SecretState } from "@outbound/adapters/postgres/SecretFingerprint.js"
import { Clock, Effect, Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { resolve } from "node:path"
import type { OutboundConfig } from "../../Config.js"
import type { ExportReport, ImportReport } from "./MovingActions.js"
import { opened } from "../../main/Operator.js"
import { assertSecret, fingerprintOf, SecretError } from "../../main/Secret.js"

const MAC_BYTES = 32

/** Two databases of one secret differ where one of them keeps the keys of a secret before it. */
const keyOf = (secret: Redacted.Redacted, { carriedFingerprint }: SecretState): ExportKey => ({
  fingerprint: carriedFingerprint === null ? fingerprintOf(secret) : `${fingerprintOf(secret)}/${carriedFingerprint}`,
  mac: Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "outbound/mac/export/v1", MAC_BYTES))
})

/** The configured database, migrated and of the configured secret. */
const ready = (config: OutboundConfig) =>
  Effect.gen(function* () {
    const { connection, secret, url } = yield* opened(config)
    const state = yield* Effect.provide(assertSecret(config.database, secret), connection)
    if (state.next !== null) {
      return yield* new SecretError({
        message: "A rotation of the secret is under way. Finish it first: outbound secret rotate"
      })
    }
    return { url, key: keyOf(secret, state) }
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
