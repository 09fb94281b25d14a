/** Consent at a provider of mailboxes: what is asked for, what was allowed, and what to say of a refusal. Pure. */
import type { MailServer } from "../../mail/MailTransport.js"
import { GRANT_PRESETS, type GrantProvider, type MailGrant } from "../mailGrant.js"
import type { ConsentFailed, MailClient } from "./MailClients.js"

export const PROVIDER_NAMES: Readonly<Record<GrantProvider, string>> = { google: "Google", microsoft: "Microsoft" }

/** Where each provider's people consent. Microsoft's tenant: `common` is every organisation and personal account. */
export const authorizeUrlOf = (provider: GrantProvider, tenant: string): string =>
  provider === "google"
    ? "https://accounts.google.com/o/oauth2/v2/auth"
    : `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`

export const tokenUrlOf = (provider: GrantProvider, tenant: string): string =>
  provider === "google"
    ? GRANT_PRESETS.google.tokenUrl
    : `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`

/** The servers of each provider's mailboxes. */
export const PROVIDER_SERVERS: Readonly<
  Record<GrantProvider, { readonly smtp: MailServer; readonly imap: MailServer }>
> = {
  google: {
    smtp: { host: "smtp.gmail.com", port: 465, security: "tls" },
    imap: { host: "imap.gmail.com", port: 993, security: "tls" }
  },
  microsoft: {
    smtp: { host: "smtp.office365.com", port: 587, security: "starttls" },
    imap: { host: "outlook.office365.com", port: 993, security: "tls" }
  }
}

/** What sending and reading need, and nothing else. */
export const scopeOf = (provider: GrantProvider): string => GRANT_PRESETS[provider].scope ?? ""

/** Each provider's words for: a refresh token, please, and let the person choose the account. */
const OFFLINE: Readonly<Record<GrantProvider, Readonly<Record<string, string>>>> = {
  // Google gives a refresh token again only if the person consents again.
  google: { access_type: "offline", prompt: "consent" },
  // Here the scope asks for it.
  microsoft: { response_mode: "query", prompt: "select_account" }
}

/** The address at which the person consents (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export const consentUrl = (
  client: MailClient,
  asked: {
    readonly address: string
    readonly state: string
    /** SHA-256 of the verifier, base64url. */
    readonly challenge: string
    readonly redirectUri: string
    /** What is asked for, if not a mailbox. */
    readonly scope?: string
  }
): string => {
  const url = new URL(client.authorizeUrl)
  const parameters = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: asked.redirectUri,
    scope: asked.scope ?? scopeOf(client.provider),
    state: asked.state,
    code_challenge: asked.challenge,
    code_challenge_method: "S256",
    login_hint: asked.address,
    ...OFFLINE[client.provider]
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Microsoft names its mail servers' scopes by either host. */
const bare = (scope: string): string => scope.toLowerCase().replace(/^https:\/\/outlook\.office(?:365)?\.com\//, "")

/** Whether everything needed was allowed. `granted` null: what was asked for (RFC 6749 §5.1). */
export const isEnough = (provider: GrantProvider, granted: string | null, wanted = scopeOf(provider)): boolean => {
  if (granted === null) return true
  const allowed = new Set(granted.split(/\s+/).map(bare))
  return wanted
    .split(" ")
    .filter((scope) => scope !== "offline_access")
    .every((scope) => allowed.has(bare(scope)))
}

/** The stored grant of a mailbox that was connected so. */
export const grantFor = (
  { clientId, clientSecret, provider, tokenUrl }: MailClient,
  refreshToken: MailGrant["refreshToken"]
): MailGrant => ({ tokenUrl, clientId, clientSecret, refreshToken, scope: GRANT_PRESETS[provider].scope })

const AGAIN = "Nothing was stored."

/** What a person can do about a failed exchange. */
export const failureWords = (reason: ConsentFailed["reason"], provider: GrantProvider): string => {
  const name = PROVIDER_NAMES[provider]
  switch (reason) {
    case "used":
      return `${name} says that this consent was used already or is too old. ${AGAIN} Press the button again.`
    case "client":
      return `${name} refuses the client of this service. ${AGAIN} The operator of the service has to correct its id, its secret or its redirect address.`
    case "no_refresh":
      return provider === "google"
        ? `Google allowed access for an hour only. ${AGAIN} Remove this service at myaccount.google.com/connections, and press the button again.`
        : `Microsoft allowed access for an hour only. ${AGAIN} Ask your administrator to allow the permission “offline_access”, and press the button again.`
    case "scope":
      return `${name} was not allowed to give the service all it needs: to send from the mailbox and to read it. ${AGAIN} Press the button again and leave every box ticked.`
    case "unreachable":
      return `${name} gave no usable answer in time. ${AGAIN} Press the button again in a minute.`
  }
}

const CODE = /^[a-z_]{1,40}$/

/** What a refusal at the provider's own page means (RFC 6749 §4.1.2.1). Its description is not shown: anyone can write it. */
export const refusalWords = (error: string, provider: GrantProvider): string => {
  const name = PROVIDER_NAMES[provider]
  switch (error) {
    case "access_denied":
      return `You, or a rule of your organisation, did not allow access at ${name}. ${AGAIN} If you did not decline, ask your administrator to allow this service for the mailbox.`
    case "admin_policy_enforced":
    case "consent_required":
    case "interaction_required":
    case "unauthorized_client":
      return `Your organisation has to allow this service at ${name} first. ${AGAIN} Ask your administrator, then press the button again.`
    case "invalid_scope":
    case "invalid_request":
    case "unsupported_response_type":
      return `${name} does not accept how this service asks (${error}). ${AGAIN} Its operator has to correct the client’s permissions and redirect address there.`
    case "server_error":
    case "temporarily_unavailable":
      return `${name} has trouble just now. ${AGAIN} Press the button again in a minute.`
    default:
      return `${name} refused${CODE.test(error) ? ` (${error})` : ""}. ${AGAIN} Press the button again, or add the mailbox with an app password.`
  }
}
