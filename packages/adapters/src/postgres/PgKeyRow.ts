import type { KeyState } from "@outbound/domain/calls/keys/KeyMachine.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import type { Capability, Scope } from "@outbound/domain/verbs/Policy.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"

/** The columns of `api_keys k`. */
export const API_KEY_COLUMNS = `k.key_id::text, k.workspace_id::text, k.workspace_kind, k.name, k.prefix, k.state, k.paused_at, k.scopes,
  k.capabilities_off, k.autonomous_external_actions, k.monthly_spend_cap, k.premium_allowance, k.rate_per_minute,
  k.run_required, k.created_at`

export interface ApiKeyRow {
  readonly key_id: string
  readonly workspace_id: string
  readonly workspace_kind: WorkspaceKind
  readonly name: string
  readonly prefix: string
  readonly state: KeyState
  readonly paused_at: Date | null
  readonly scopes: ReadonlyArray<Scope>
  readonly capabilities_off: ReadonlyArray<Capability>
  readonly autonomous_external_actions: boolean
  readonly monthly_spend_cap: bigint | null
  readonly premium_allowance: bigint
  readonly rate_per_minute: number
  readonly run_required: boolean
  readonly created_at: Date
}

export const fromApiKeyRow = (row: ApiKeyRow): ApiKey => ({
  keyId: row.key_id,
  workspaceId: row.workspace_id,
  workspaceKind: row.workspace_kind,
  name: row.name,
  prefix: row.prefix,
  state: row.state,
  pausedAtMillis: row.paused_at?.getTime() ?? null,
  scopes: row.scopes,
  capabilitiesOff: row.capabilities_off,
  autonomousExternalActions: row.autonomous_external_actions,
  monthlySpendCap: row.monthly_spend_cap === null ? null : fromMicros(row.monthly_spend_cap),
  premiumAllowance: fromMicros(row.premium_allowance),
  ratePerMinute: row.rate_per_minute,
  runRequired: row.run_required,
  createdAtMillis: row.created_at.getTime()
})
