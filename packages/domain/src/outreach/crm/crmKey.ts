import { type Context, Redacted } from "effect"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import { isPossibleSecret } from "../../sources/ownKeys/secret.js"
import type { CrmConnection } from "./CrmStore.js"

type Sealing = Context.Tag.Service<typeof Crypto>
type Whose = Pick<CrmConnection, "workspaceId" | "vendor">

const boundTo = ({ vendor, workspaceId }: Whose): string => `${workspaceId}/${vendor}`

export const sealCrmKey = (crypto: Sealing, whose: Whose, secret: string): string =>
  crypto.seal("crm_key", secret, boundTo(whose))

/** Null: it was sealed with another server secret. */
export const openCrmKey = (
  crypto: Sealing,
  connection: Whose & Pick<CrmConnection, "sealedSecret">
): Redacted.Redacted | null => {
  const secret = crypto.open("crm_key", connection.sealedSecret, boundTo(connection))
  return secret === null || !isPossibleSecret(secret) ? null : Redacted.make(secret)
}
