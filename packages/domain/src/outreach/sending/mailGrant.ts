import { Redacted, Result, Schema } from "effect"

/** Credentials for renewing a mailbox's access tokens (RFC 6749 §6). */
export interface MailGrant {
  /** The token endpoint: https, or http on this machine. */
  readonly tokenUrl: string
  readonly clientId: string
  /** Null: a public client. */
  readonly clientSecret: Redacted.Redacted | null
  readonly refreshToken: Redacted.Redacted
  /** Null: the granted scope. */
  readonly scope: string | null
}

export const GRANT_PROVIDERS = ["google", "microsoft"] as const
export type GrantProvider = (typeof GRANT_PROVIDERS)[number]

/**
 * Providers' token endpoints and the scopes for sending and reading. Google: "OAuth 2.0 Mechanism" of Gmail IMAP and
 * SMTP. Microsoft: "Authenticate an IMAP, POP or SMTP connection using OAuth"; `offline_access` is required for new
 * refresh tokens.
 */
export const GRANT_PRESETS: Readonly<Record<GrantProvider, Pick<MailGrant, "tokenUrl" | "scope">>> = {
  google: { tokenUrl: "https://oauth2.googleapis.com/token", scope: "https://mail.google.com/" },
  microsoft: {
    tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    scope: "https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access"
  }
}

/** A preset's endpoint and scopes, or the given ones; null: no endpoint. */
export const grantPlace = (
  provider: GrantProvider | null,
  tokenUrl: string | null
): Pick<MailGrant, "tokenUrl" | "scope"> | null => {
  const preset = provider === null ? null : GRANT_PRESETS[provider]
  const url = tokenUrl ?? preset?.tokenUrl
  return url === undefined ? null : { tokenUrl: url, scope: preset?.scope ?? null }
}

/** The stored form of a grant, as its mailbox's secret. */
const Kept = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    token_url: Schema.String,
    client_id: Schema.String,
    client_secret: Schema.NullOr(Schema.String),
    refresh_token: Schema.String,
    scope: Schema.NullOr(Schema.String)
  })
)

const encode = Schema.encodeSync(Kept)
const decode = Schema.decodeUnknownResult(Kept)

/** Writes a grant as a mailbox's secret. */
export const grantSecret = ({ clientId, clientSecret, refreshToken, scope, tokenUrl }: MailGrant): Redacted.Redacted =>
  Redacted.make(
    encode({
      v: 1,
      token_url: tokenUrl,
      client_id: clientId,
      client_secret: clientSecret === null ? null : Redacted.value(clientSecret),
      refresh_token: Redacted.value(refreshToken),
      scope
    })
  )

/** Reads a grant from a secret; null: it is none. */
export const grantOf = (secret: Redacted.Redacted): MailGrant | null => {
  const kept = decode(Redacted.value(secret))
  if (Result.isFailure(kept)) return null
  const { client_id, client_secret, refresh_token, scope, token_url } = kept.success
  return {
    tokenUrl: token_url,
    clientId: client_id,
    clientSecret: client_secret === null ? null : Redacted.make(client_secret),
    refreshToken: Redacted.make(refresh_token),
    scope
  }
}
