import { Redacted } from "effect"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { OwnKey } from "./OwnKeyStore.js"

/** Printable, without white space. */
const SECRET = /^[\x21-\x7e]{8,4096}$/

export const isPossibleSecret = (text: string): boolean => SECRET.test(text)

/** A secret opens only for its workspace and vendor. */
const boundTo = ({ vendor, workspaceId }: Pick<OwnKey, "workspaceId" | "vendor">): string => `${workspaceId}/${vendor}`

export const sealOwnKey = (
  crypto: Crypto["Service"],
  of: Pick<OwnKey, "workspaceId" | "vendor">,
  secret: string
): string => crypto.seal("own_key", secret, boundTo(of))

/** Null: unusable, because it was sealed under another server's secret or changed since. */
export const openOwnKey = (crypto: Crypto["Service"], key: OwnKey): Redacted.Redacted | null => {
  const secret = crypto.open("own_key", key.sealedSecret, boundTo(key))
  return secret === null || !isPossibleSecret(secret) ? null : Redacted.make(secret)
}
