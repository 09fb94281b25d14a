import {
  type CodeToExchange,
  ConsentFailed,
  type MailClient,
  MailClients
} from "@outbound/domain/outreach/sending/connect/MailClients.js"
import { isEnough } from "@outbound/domain/outreach/sending/connect/consent.js"
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import { Granted, makeFormPost, Refused, type TokenEndpointOptions } from "./TokenEndpoint.js"

const decodeGranted = Schema.decodeUnknownResult(Granted)
const decodeRefused = Schema.decodeUnknownResult(Refused)

/** The form of RFC 6749 §4.1.3 and RFC 7636 §4.5. */
const formOf = ({ clientId, clientSecret }: MailClient, { code, redirectUri, verifier }: CodeToExchange): string =>
  new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: clientId,
    ...(clientSecret === null ? {} : { client_secret: Redacted.value(clientSecret) })
  }).toString()

/** What an error code says (RFC 6749 §5.2). Google has `redirect_uri_mismatch` of its own. */
const REASONS: Readonly<Record<string, ConsentFailed["reason"]>> = {
  invalid_grant: "used",
  invalid_client: "client",
  unauthorized_client: "client",
  redirect_uri_mismatch: "client",
  invalid_request: "client",
  invalid_scope: "client",
  unsupported_grant_type: "client"
}

const failed = (reason: ConsentFailed["reason"]) => Effect.fail(new ConsentFailed({ reason }))

const answerOf = (client: MailClient, asked: string | undefined, status: number, text: string) => {
  if (status === 200) {
    const granted = decodeGranted(text)
    if (Result.isFailure(granted)) return failed("unreachable")
    const { refresh_token, scope } = granted.success
    if (!isEnough(client.provider, scope ?? null, asked)) return failed("scope")
    return typeof refresh_token === "string" ? Effect.succeed(Redacted.make(refresh_token)) : failed("no_refresh")
  }
  const refused = decodeRefused(text)
  const code = Result.isSuccess(refused) && status >= 400 && status < 500 ? refused.success.error : ""
  return failed(REASONS[code] ?? "unreachable")
}

/** Exchanges codes for refresh tokens at the providers' token endpoints. Asks once: a code works once. */
export const layer = (clients: ReadonlyArray<MailClient>, options: TokenEndpointOptions): Layer.Layer<MailClients> => {
  const post = makeFormPost(options)
  return Layer.succeed(MailClients, {
    all: clients,
    exchange: (client, of) =>
      post(client.tokenUrl, formOf(client, of)).pipe(
        Effect.mapError(() => new ConsentFailed({ reason: "unreachable" })),
        Effect.flatMap(({ status, text }) => answerOf(client, of.scope, status, text))
      )
  })
}
