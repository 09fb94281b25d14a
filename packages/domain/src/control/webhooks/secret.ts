import { Redacted } from "effect"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { Endpoint } from "./WebhookStore.js"

/** Prefix of Standard Webhooks secrets, followed by the base64 key. */
export const SECRET_PREFIX = "whsec_"

/** How long the old secret also signs after a rotation. */
export const ROTATION_MILLIS = 24 * 60 * 60_000

type Bound = Pick<Endpoint, "workspaceId" | "endpointId">

/** Binds a sealed secret to its endpoint. */
const boundTo = ({ endpointId, workspaceId }: Bound): string => `${workspaceId}/${endpointId}`

/** 32 random bytes in the base64 form of Standard Webhooks. */
export const makeSecret = (crypto: Crypto["Type"]): string =>
  `${SECRET_PREFIX}${crypto.randomToken().replaceAll("-", "+").replaceAll("_", "/")}=`

export const sealSecret = (crypto: Crypto["Type"], of: Bound, secret: string): string =>
  crypto.seal("webhook_secret", secret, boundTo(of))

/** The current signing secrets, newest first. Empty: they were sealed with another server secret. */
export const secretsOf = (
  crypto: Crypto["Type"],
  of: Endpoint,
  nowMillis: number
): ReadonlyArray<Redacted.Redacted> => {
  const sealed = [
    of.sealedSecret,
    ...(of.previous !== null && nowMillis < of.previous.untilMillis ? [of.previous.sealedSecret] : [])
  ]
  return sealed.flatMap((one) => {
    const secret = crypto.open("webhook_secret", one, boundTo(of))
    return secret === null ? [] : [Redacted.make(secret)]
  })
}
