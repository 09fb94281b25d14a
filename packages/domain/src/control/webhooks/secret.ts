import type { Context } from "effect"
import { Redacted } from "effect"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { Endpoint } from "./WebhookStore.js"

type Sealing = Context.Tag.Service<typeof Crypto>

/** What the secrets of Standard Webhooks begin with; base64 of the key follows. */
export const SECRET_PREFIX = "whsec_"

/** For how long the secret before a rotation goes on signing. */
export const ROTATION_MILLIS = 24 * 60 * 60_000

type Bound = Pick<Endpoint, "workspaceId" | "endpointId">

/** A secret opens for the endpoint that it was sealed for alone. */
const boundTo = ({ endpointId, workspaceId }: Bound): string => `${workspaceId}/${endpointId}`

/** 32 random bytes, in the base64 that Standard Webhooks writes secrets in. */
export const makeSecret = (crypto: Sealing): string =>
  `${SECRET_PREFIX}${crypto.randomToken().replaceAll("-", "+").replaceAll("_", "/")}=`

export const sealSecret = (crypto: Sealing, of: Bound, secret: string): string =>
  crypto.seal("webhook_secret", secret, boundTo(of))

/** The secrets that sign now, newest first. Empty: they were sealed under another server's secret. */
export const secretsOf = (crypto: Sealing, of: Endpoint, nowMillis: number): ReadonlyArray<Redacted.Redacted> => {
  const sealed = [
    of.sealedSecret,
    ...(of.previous !== null && nowMillis < of.previous.untilMillis ? [of.previous.sealedSecret] : [])
  ]
  return sealed.flatMap((one) => {
    const secret = crypto.open("webhook_secret", one, boundTo(of))
    return secret === null ? [] : [Redacted.make(secret)]
  })
}
