import { type Context, Redacted } from "effect"
import type { ChatKind } from "../../calls/approvals/notices/NoticeStore.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"

type Sealing = Context.Tag.Service<typeof Crypto>

/** Binds a sealed address to its workspace and product. */
const boundTo = (workspaceId: string, kind: ChatKind): string => `${workspaceId}/${kind}`

export const sealUrl = (crypto: Sealing, workspaceId: string, kind: ChatKind, url: string): string =>
  crypto.seal("chat_channel", url, boundTo(workspaceId, kind))

/** Null: it was sealed with another server secret. */
export const openUrl = (
  crypto: Sealing,
  workspaceId: string,
  kind: ChatKind,
  sealed: string
): Redacted.Redacted | null => {
  const url = crypto.open("chat_channel", sealed, boundTo(workspaceId, kind))
  return url === null ? null : Redacted.make(url)
}
