import { Context } from "effect"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
import type { Direction } from "./PolicyChange.js"

/** Who made a change: a key through the API, a member in the console, the operator's program, or an approved rule. */
export type Actor =
  | { readonly kind: "key"; readonly keyId: string; readonly name: string }
  | { readonly kind: "user"; readonly userId: string; readonly email: string }
  | { readonly kind: "operator" }
  | { readonly kind: "rule"; readonly approvalId: string }

/** Whom the trail names. */
export const nameOf = (actor: Actor): string =>
  actor.kind === "user" ? actor.email : actor.kind === "key" ? actor.keyId : actor.kind

export const ACTOR_KINDS = ["key", "user", "operator", "rule"] as const

/** The action. The first five concern a key, the others its workspace. */
export const CONTROL_ACTIONS = [
  "create_key",
  "pause_key",
  "resume_key",
  "revoke_key",
  "set_policy",
  "create_run",
  "close_run",
  "set_caps",
  "set_postal_address",
  "set_reply_send",
  "kill",
  "clear_suspension",
  "add_member",
  "set_role",
  "remove_member",
  "add_webhook",
  "set_webhook",
  "rotate_webhook_secret",
  "set_alert_threshold",
  "set_own_key",
  "remove_own_key",
  "set_chat_channel",
  "remove_chat_channel",
  "set_approval_rules",
  "choose_variant",
  "set_winner_rule",
  "start_list",
  "set_overlap",
  "set_crm",
  "remove_crm",
  "map_crm_owner",
  "add_domain",
  "remove_domain",
  "set_dns_access",
  "remove_dns_access",
  "approve_dns_records",
  "check_domain",
  "set_reputation_rule",
  "export_person",
  "set_rules",
  "set_words",
  "set_link_host",
  "remove_link_host",
  "set_canaries",
  "set_postmaster",
  "save_answer",
  "remove_saved_answer"
] as const
export type ControlAction = (typeof CONTROL_ACTIONS)[number]

/** One change and who made it. Written in the same transaction as the change, never rewritten. */
export interface ControlLogEntry {
  readonly controlLogId: string
  readonly workspaceId: string
  readonly atMillis: number
  readonly actor: Actor
  readonly action: ControlAction
  readonly direction: Direction
  /** Null where the workspace itself was changed. */
  readonly keyId: string | null
  /** The change request behind it, if any. */
  readonly changeRequestId: string | null
  /** JSON values for people to read; amounts are decimal strings. */
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

export class ControlLog extends Context.Service<
  ControlLog,
  {
    readonly append: (entry: ControlLogEntry) => InTx<void>
    /** Newest first, at most `limit`, older than the entry `before` if given. `keyId` null: the whole workspace. */
    readonly page: (of: {
      readonly workspaceId: string
      readonly keyId: string | null
      readonly limit: number
      readonly before: string | null
    }) => FromStore<ReadonlyArray<ControlLogEntry>>
  }
>()("@outbound/domain/control/ControlLog") {}
