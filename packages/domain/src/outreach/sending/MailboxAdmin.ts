import { Context, Redacted } from "effect"
import type { AnyWireError, Issue } from "../../kernel/errors/Wire.js"
import type { ProbeReport } from "../mail/MailProbe.js"
import type { MailAccount, MailServer } from "../mail/MailTransport.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import type { MailboxPauseReason, MailboxState } from "./MailboxMachine.js"
import type { Vital } from "../authentication/vitals.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { grantOf } from "./mailGrant.js"

/** Most own mailboxes of a workspace. */
export const OWN_MAILBOXES_MAX = 500

/** A mailbox that an owner adds. */
export interface MailboxConnection extends Pick<
  MailAccount,
  "address" | "displayName" | "smtp" | "imap" | "username" | "auth" | "secret"
> {
  /** Selectors under which its domain publishes DKIM keys. Empty: we try the common ones. */
  readonly dkimSelectors: ReadonlyArray<string>
}

/** An own mailbox, without its secret. */
export interface MailboxSummary extends Omit<MailAccount, "workspaceId" | "secret" | "keepsMessageIds" | "isSandbox"> {
  readonly state: MailboxState
  readonly pauseReason: MailboxPauseReason | null
  /** How many messages in it could not be read and were skipped; they may include replies. */
  readonly skipped: number
  readonly createdAtMillis: number
}

/** What an owner states of a mailbox that sends elsewhere already. */
export interface MailboxStatement {
  /** Messages a day, of the last weeks. */
  readonly sends: number
  /** Since when it sends so much. */
  readonly sinceMillis: number
}

/** Most messages a day that a statement names. */
export const STATED_SENDS_MAX = 2_000

/** All errors in it. */
export const statementIssues = ({ sends, sinceMillis }: MailboxStatement, nowMillis: number): ReadonlyArray<Issue> => [
  ...(Number.isInteger(sends) && sends >= 1 && sends <= STATED_SENDS_MAX
    ? []
    : [issue("sends", `must be a whole number from 1 to ${STATED_SENDS_MAX}`)]),
  ...(Number.isFinite(sinceMillis) && sinceMillis > 0 && sinceMillis <= nowMillis
    ? []
    : [issue("since", "must be a day that is over")])
]

/** Everything that adding a mailbox found out, whether or not it was added. */
export interface AddReport {
  /** The stored mailbox; null: not stored, because it can't sign in, send or be read. */
  readonly mailbox: MailboxSummary | null
  readonly probe: Omit<ProbeReport, "secret">
  /** Its domain's DNS records. They never prevent adding a mailbox. */
  readonly vitals: ReadonlyArray<Vital>
  /** What is wrong or missing and how to fix it: one or two sentences each, most urgent first. */
  readonly advice: ReadonlyArray<string>
}

/** The actor: `console` for a signed-in owner, `system` for the operator's program. */
type By = Extract<TrailSource, "console" | "system">

type Answer<A> = FromStore<A, AnyWireError>

/**
 * Own mailboxes, managed by a workspace's owner or by the operator for them. Only live workspaces have any: a test list
 * must never become real mail. The surface checks the member's permission.
 */
export class MailboxAdmin extends Context.Service<
  MailboxAdmin,
  {
    /**
     * Tests the mailbox, checks its domain, and stores it if it works. An existing mailbox gets the new connection and
     * keeps its history and age. It resumes if its sign-in, its owner or an unreachable server had paused it. Takes up
     * to two minutes, because it waits for a message to itself.
     */
    readonly add: (workspaceId: string, connection: MailboxConnection, by: By) => Answer<AddReport>
    /** By address. */
    readonly list: (workspaceId: string) => Answer<ReadonlyArray<MailboxSummary>>
    /** Stops sending; incoming mail is still read. Its leads wait until it resumes. */
    readonly pause: (workspaceId: string, mailboxId: string, by: By) => Answer<MailboxSummary>
    /** Resumes it, whatever the reason of its pause. */
    readonly resume: (workspaceId: string, mailboxId: string, by: By) => Answer<MailboxSummary>
    /**
     * Records the owner's statement of what the mailbox sends elsewhere, which its ramp counts as if it had been delivered
     * today. A later statement replaces it.
     */
    readonly declare: (
      workspaceId: string,
      mailboxId: string,
      statement: MailboxStatement,
      by: By
    ) => Answer<MailboxSummary>
    /**
     * Permanently deletes its connection and secret. It stops sending and reading; its history stays in the trail.
     * Campaigns without another mailbox are paused for lack of capacity.
     */
    readonly remove: (workspaceId: string, mailboxId: string, by: By) => Answer<void>
  }
>()("@outbound/domain/outreach/sending/MailboxAdmin") {}

/** Validates an owner's mailbox settings before any connection is made. */

const NAME_CHARS_MAX = 120
const USERNAME_CHARS_MAX = 320
const SECRET_CHARS_MAX = 16_384
const SELECTORS_MAX = 10

const CONTROL = /\p{Cc}/u
const SELECTOR = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/i
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i
const HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|[0-9a-f:.]*:[0-9a-f:.]*)$/i

/** Addresses within the service's own machine or network. */
const INTERNAL =
  /^(?:localhost|.*\.(?:localhost|local|internal|lan|svc|home\.arpa)|0\..*|10\..*|127\..*|169\.254\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|::1?|::ffff:.*|f[cd].*:.*|fe[89ab].*:.*)$/i

/** A public host name: several labels, the last of which isn't numeric. */
const PUBLIC_NAME = /^[^:]*\.[a-z][a-z0-9-]*$/i

const issue = (path: string, message: string): Issue => ({ path, message })

const serverIssues = (path: string, { host, port, security }: MailServer): ReadonlyArray<Issue> => [
  ...(host.length <= 253 && HOST.test(host) ? [] : [issue(path, "names no host")]),
  ...(Number.isInteger(port) && port >= 1 && port <= 65_535 ? [] : [issue(path, "must have a port from 1 to 65535")]),
  ...(security !== "none" || LOOPBACK.test(host)
    ? []
    : [issue(path, "must use TLS: only a server on this machine can do without")])
]

const textIssues = (path: string, text: string, charsMax: number): ReadonlyArray<Issue> =>
  text.trim() === "" || text.length > charsMax || CONTROL.test(text)
    ? [issue(path, `must have 1 to ${charsMax} characters on one line`)]
    : []

const insideIssues = (path: string, { host }: Pick<MailServer, "host">): ReadonlyArray<Issue> =>
  INTERNAL.test(host) || !PUBLIC_NAME.test(host)
    ? [issue(path, "must be a public host name: only the operator can add a server on the service's own network")]
    : []

const TOKEN_URL_CHARS_MAX = 2_048
const CLIENT_ID_CHARS_MAX = 512
const SCOPE_CHARS_MAX = 2_048

const tokenUrlIssues = (text: string, isOperator: boolean): ReadonlyArray<Issue> => {
  const path = "token-url"
  if (text.length > TOKEN_URL_CHARS_MAX || !URL.canParse(text)) return [issue(path, "must be a URL")]
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, "")
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(host))) {
    return [issue(path, "must begin with https:")]
  }
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    return [issue(path, "must not have a user name, password or fragment")]
  }
  return isOperator ? [] : insideIssues(path, { host })
}

const grantIssues = (secret: Redacted.Redacted, isOperator: boolean): ReadonlyArray<Issue> => {
  const grant = grantOf(secret)
  if (grant === null) return [issue("secret", "must contain what is needed to get access tokens")]
  return [
    ...tokenUrlIssues(grant.tokenUrl, isOperator),
    ...textIssues("client-id", grant.clientId, CLIENT_ID_CHARS_MAX),
    ...(grant.clientSecret === null
      ? []
      : textIssues("client-secret", Redacted.value(grant.clientSecret), SECRET_CHARS_MAX)),
    ...textIssues("refresh-token", Redacted.value(grant.refreshToken), SECRET_CHARS_MAX),
    ...(grant.scope === null ? [] : textIssues("scope", grant.scope, SCOPE_CHARS_MAX))
  ]
}

/** All errors in it. Only the operator may make the service connect to its own network. */
export const connectionIssues = (given: MailboxConnection, isOperator: boolean): ReadonlyArray<Issue> => [
  ...(usableEmail(given.address) === null ? [issue("address", "must be an email address")] : []),
  ...textIssues("name", given.displayName, NAME_CHARS_MAX),
  ...serverIssues("smtp", given.smtp),
  ...serverIssues("imap", given.imap),
  ...(isOperator ? [] : [...insideIssues("smtp", given.smtp), ...insideIssues("imap", given.imap)]),
  ...textIssues("username", given.username, USERNAME_CHARS_MAX),
  ...(given.auth === "oauth"
    ? grantIssues(given.secret, isOperator)
    : textIssues("secret", Redacted.value(given.secret), SECRET_CHARS_MAX)),
  ...(given.dkimSelectors.length <= SELECTORS_MAX && given.dkimSelectors.every((one) => SELECTOR.test(one))
    ? []
    : [issue("dkim-selector", `must be at most ${SELECTORS_MAX} names such as google or s1`)])
]

const SCHEMES: Readonly<Record<string, readonly [MailServer["security"], smtp: number, imap: number]>> = {
  smtps: ["tls", 465, 0],
  "smtp+starttls": ["starttls", 587, 0],
  smtp: ["none", 25, 0],
  imaps: ["tls", 0, 993],
  "imap+starttls": ["starttls", 0, 143],
  imap: ["none", 0, 143]
}

/**
 * Parses `smtps://host:465`, `smtp+starttls://host:587`, `imaps://host:993`, `imap+starttls://host:143`. The plain
 * schemes are unencrypted. The port is optional. Null: not valid.
 */
export const serverOf = (protocol: "smtp" | "imap", text: string): MailServer | null => {
  const match = /^([a-z+]+):\/\/(\[[0-9a-f:.]+\]|[^\s:/@?#[\]]+)(?::(\d{1,5}))?\/?$/i.exec(text.trim())
  const scheme = SCHEMES[match?.[1]?.toLowerCase() ?? ""]
  const host = match?.[2]
  if (scheme === undefined || host === undefined) return null
  const [security, smtp, imap] = scheme
  const usual = protocol === "smtp" ? smtp : imap
  if (usual === 0) return null
  const port = match?.[3] === undefined ? usual : Number(match[3])
  return { host: host.replace(/^\[|\]$/g, "").toLowerCase(), port, security }
}
