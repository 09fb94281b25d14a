import type { SealPurpose } from "@outbound/domain/kernel/ports/Crypto.js"

/** Where values of a purpose are stored, and what each is bound to. */
export interface SealedColumns {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  /** The columns of its primary key. */
  readonly key: ReadonlyArray<string>
  /** What a value may be bound to, made of the row: one of these. A test opens each with the domain's own functions. */
  readonly boundTo: ReadonlyArray<(row: Readonly<Record<string, string | null>>) => string>
}

const joined =
  (separator: string, ...columns: ReadonlyArray<string>): SealedColumns["boundTo"][number] =>
  (row) =>
    columns.map((column) => row[column] ?? "").join(separator)

const kept =
  (what: "request" | "answer"): SealedColumns["boundTo"][number] =>
  (row) =>
    [what, row["workspace_id"], row["source"], row["subject_hash"]].join("\n")

/** Every place of each purpose. */
export const SEALED: Readonly<Record<SealPurpose, SealedColumns>> = {
  mailbox_secret: {
    table: "own_mailboxes",
    columns: ["secret", "renewed_secret"],
    key: ["workspace_id", "mailbox_id"],
    boundTo: [joined("\n", "workspace_id", "mailbox_id")]
  },
  webhook_secret: {
    table: "webhook_endpoints",
    columns: ["sealed_secret", "previous_secret"],
    key: ["workspace_id", "endpoint_id"],
    boundTo: [joined("/", "workspace_id", "endpoint_id")]
  },
  own_key: {
    table: "own_keys",
    columns: ["sealed_secret"],
    key: ["workspace_id", "vendor"],
    boundTo: [joined("/", "workspace_id", "vendor")]
  },
  later: {
    table: "follow_ups",
    columns: ["sealed"],
    key: ["workspace_id", "source", "subject_hash"],
    boundTo: [kept("request"), kept("answer")]
  },
  chat_channel: {
    table: "chat_channels",
    columns: ["sealed_url"],
    key: ["workspace_id", "kind"],
    boundTo: [joined("/", "workspace_id", "kind")]
  },
  crm_key: {
    table: "crm_connections",
    columns: ["sealed_secret"],
    key: ["workspace_id"],
    boundTo: [joined("/", "workspace_id", "vendor")]
  },
  dns_zone: {
    table: "sending_domains",
    columns: ["zone_secret"],
    key: ["workspace_id", "domain_id"],
    boundTo: [joined("/", "workspace_id", "domain_id", "zone_vendor")]
  },
  postmaster_grant: {
    table: "postmaster_connections",
    columns: ["sealed_grant"],
    key: ["workspace_id"],
    boundTo: [joined("", "workspace_id")]
  }
}
