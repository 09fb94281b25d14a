import { Option, Redacted, Schema } from "effect"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import { isPossibleSecret } from "../../sources/ownKeys/secret.js"
import type { CrmAccess } from "./CrmAccess.js"
import type { CrmConnection } from "./CrmStore.js"

type Whose = Pick<CrmConnection, "workspaceId" | "vendor">

const boundTo = ({ vendor, workspaceId }: Whose): string => `${workspaceId}/${vendor}`

/** What is sealed of an account with its own address: so a key is never sent to an address that it was not given for. */
const Sealed = Schema.fromJsonString(
  Schema.Struct({
    address: Schema.NullOr(Schema.String),
    clientId: Schema.NullOr(Schema.String),
    secret: Schema.String
  })
)

/** A key by itself is sealed as it is. */
const textOf = ({ address, clientId, secret }: CrmAccess): string => {
  const key = Redacted.value(secret)
  const isAlone = address === null && clientId === null && !key.startsWith("{")
  return isAlone ? key : JSON.stringify({ address, clientId, secret: key })
}

export const sealCrmKey = (crypto: Crypto["Service"], whose: Whose, access: CrmAccess): string =>
  crypto.seal("crm_key", textOf(access), boundTo(whose))

/** Null: it was sealed with another server secret. */
export const openCrmKey = (
  crypto: Crypto["Service"],
  connection: Whose & Pick<CrmConnection, "sealedSecret">
): CrmAccess | null => {
  const text = crypto.open("crm_key", connection.sealedSecret, boundTo(connection))
  if (text === null) return null
  const held = text.startsWith("{")
    ? Option.getOrNull(Schema.decodeOption(Sealed)(text))
    : { address: null, clientId: null, secret: text }
  return held === null || !isPossibleSecret(held.secret) ? null : { ...held, secret: Redacted.make(held.secret) }
}

/** An account that its key alone opens. */
export const byKeyAlone = (secret: string): CrmAccess => ({
  address: null,
  clientId: null,
  secret: Redacted.make(secret)
})
