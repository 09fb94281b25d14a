import { HELD_MAX } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import type { MailClient } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import type { WhoSignsUp } from "@outbound/domain/control/signUp/policy.js"
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import { type Blocklist, BLOCKLISTS_MAX } from "@outbound/domain/outreach/reputation/blocklists.js"
import { type Gate, GATE_NAMES } from "@outbound/domain/calls/releases/Releases.js"
import { Effect, type LogLevel, Option, Redacted, Result } from "effect"
import { availableParallelism } from "node:os"
import { mailClients } from "./config/MailClients.js"
import { type ServiceMailConfig, serviceMail } from "./config/ServiceMail.js"
import { all, mapped, mistake, parsed, secretOf, textOf, variable, withDefault } from "./config/Setting.js"
import { signUp } from "./config/SignUp.js"
import { VARIABLES, type VariableName } from "./ConfigVariables.js"
import { contactOf } from "./discovery/securityText.js"
import { rangeOf } from "./http/Addresses.js"

export interface DatabaseConfig {
  /** The directory of the embedded database and its secret. */
  readonly dataDir: string
  /** None means the embedded database. */
  readonly url: Option.Option<Redacted.Redacted>
  /** Required with an external database; created for the embedded one. */
  readonly secret: Option.Option<Redacted.Redacted>
  /** The secret before it, while a rotation is under way. */
  readonly secretBefore?: Option.Option<Redacted.Redacted>
}

/** The setting with which live workspaces have no providers. Every host serves sandbox workspaces. */
export const SANDBOX = "sandbox"

export interface StripeConfig {
  readonly secretKey: Redacted.Redacted
  readonly webhookSecret: Option.Option<Redacted.Redacted>
}

export interface OutboundConfig {
  readonly host: string
  readonly port: number
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly metricsPort: Option.Option<number>
  /** The processes that answer. */
  readonly workers: number
  /** Most own mailboxes that this host sends from and reads. */
  readonly heldMailboxes: number
  /** Addresses and CIDR ranges of the proxies before this host. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly database: DatabaseConfig
  /** `sandbox`, or the path of the providers file. */
  readonly providers: string
  /** How long a day of a sequence takes in the sandbox. Absent: a second. */
  readonly sandboxDayMillis?: number
  /** The features paused on this host. */
  readonly unreleased: ReadonlyArray<Gate>
  /** A file of additional certificates (PEM) to trust mail servers by. */
  readonly mailCaFile: Option.Option<string>
  /** The operator's OAuth clients at providers of mailboxes. */
  readonly mailClients: ReadonlyArray<MailClient>
  /** The blocklists that watched domains are looked up in. */
  readonly blocklists: ReadonlyArray<Blocklist>
  /** Hosts and ranges of private networks where CRMs may be. */
  readonly crmHosts: ReadonlyArray<string>
  /** Whom to tell of a hole, as `security.txt` writes it. */
  readonly securityContact: Option.Option<string>
  /** Who may make a workspace of their own, and how many a day. */
  readonly signUp: {
    readonly who: WhoSignsUp
    readonly perDayMax: number
    readonly perNetworkMax: number
  }
  readonly serviceMail: Option.Option<ServiceMailConfig>
  readonly stripe: Option.Option<StripeConfig>
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: LogFormat
  /** The collector's address, without a trailing slash. */
  readonly otlpEndpoint: Option.Option<string>
}

/** How log lines are written. By default, `pretty` on a terminal and `logfmt` elsewhere. */
export const LOG_FORMATS = ["pretty", "logfmt", "json"] as const
export type LogFormat = (typeof LOG_FORMATS)[number] | null

/** Shorter secrets can be guessed. */
export const SECRET_CHARS_MIN = 32

const portOf = (text: string): number | undefined => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

const urlOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.search === "" && url.hash === "" && url.username === "" && url.password === ""
  return /^https?:$/.test(url.protocol) && isPlain ? url.href.replace(/\/+$/, "") : undefined
}

/** REST and the console are at the root, so the base URL has no path. */
const baseUrlOf = (text: string): string | undefined => {
  const url = urlOf(text)
  return url !== undefined && new URL(url).pathname === "/" ? url : undefined
}

const LEVELS: Readonly<Record<string, LogLevel.LogLevel>> = {
  debug: "Debug",
  info: "Info",
  warning: "Warn",
  error: "Error",
  none: "None"
}

const PORT = 8080

/** More processes than this want more connections than PostgreSQL usually has. */
export const WORKERS_MAX = 64
const WORKERS_USUAL_MAX = 4

const workersOf = (text: string): number | undefined => {
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return workers >= 1 && workers <= WORKERS_MAX ? workers : undefined
}

/** Far more than anybody measured. */
const HELD_MAILBOXES_MAX = 20_000

const heldMailboxesOf = (text: string): number | undefined => {
  const held = /^\d{1,5}$/.test(text) ? Number(text) : -1
  return held >= 0 && held <= HELD_MAILBOXES_MAX ? held : undefined
}

/** One for each core but one, which PostgreSQL, the primary or the system needs. */
const usualWorkers = (): number => Math.max(1, Math.min(availableParallelism() - 1, WORKERS_USUAL_MAX))

const databaseUrl = secretOf("DATABASE_URL", (url) => /^postgres(ql)?:\/\/./.test(url), "must begin with postgres://")

const isSecret = (given: string): boolean => given.length >= SECRET_CHARS_MIN
const SHORT_SECRET = `must have at least ${SECRET_CHARS_MIN} characters`

const secret = secretOf("OUTBOUND_SECRET", isSecret, SHORT_SECRET)

const database = mapped(
  all({
    dataDir: withDefault(textOf("OUTBOUND_DATA_DIR"), ".outbound"),
    url: databaseUrl,
    secret,
    secretBefore: secretOf("OUTBOUND_SECRET_BEFORE", isSecret, SHORT_SECRET)
  }),
  (given) =>
    Option.isSome(given.url) && Option.isNone(given.secret)
      ? Result.fail(
          mistake(
            "OUTBOUND_SECRET",
            "is required with DATABASE_URL and must be the same on every host. Create one: openssl rand -base64 32"
          )
        )
      : Result.succeed(given)
)

const providers = withDefault(
  parsed("OUTBOUND_PROVIDERS", "sandbox, or the path of a JSON file such as ./providers.json", (text) =>
    text === SANDBOX || /[./\\]/.test(text) ? text : undefined
  ),
  SANDBOX
)

const isGate = (name: string): name is Gate => (GATE_NAMES as ReadonlyArray<string>).includes(name)

const unreleased = withDefault<ReadonlyArray<Gate>>(
  variable("OUTBOUND_UNRELEASED", (text) => {
    const names = text.split(",").flatMap((name) => name.trim() || [])
    const unknown = names.filter((name) => !isGate(name))
    return unknown.length === 0
      ? Result.succeed(names.filter(isGate))
      : Result.fail(mistake("OUTBOUND_UNRELEASED", `unknown: ${unknown.join(", ")}. Known: ${GATE_NAMES.join(", ")}`))
  }),
  []
)

const trustedProxies = withDefault<ReadonlyArray<string>>(
  parsed("OUTBOUND_TRUSTED_PROXIES", "a list of addresses and CIDR ranges, such as 127.0.0.1, 10.0.0.0/8", (text) => {
    const ranges = text.split(",").map((range) => range.trim())
    return ranges.every((range) => rangeOf(range) !== null) ? ranges : undefined
  }),
  []
)

const listOf = (text: string): Blocklist | null => {
  const [of = "", name = "", ...rest] = text.split(":").map((part) => part.trim())
  const zone = hostOf(name)
  return (of === "domain" || of === "address") && zone !== null && rest.length === 0 ? { of, zone } : null
}

const blocklists = withDefault<ReadonlyArray<Blocklist>>(
  parsed(
    "OUTBOUND_BLOCKLISTS",
    `a list of at most ${BLOCKLISTS_MAX} zones, such as domain:dbl.example.org, address:ip.example.org`,
    (text) => {
      const lists = text.split(",").flatMap((one) => listOf(one) ?? [])
      return lists.length === text.split(",").length && lists.length <= BLOCKLISTS_MAX ? lists : undefined
    }
  ),
  []
)

export const CRM_HOSTS_MAX = 50

/** A name of one label or more. The last one begins with a letter, so it is no address. */
const HOST_NAME = /^(?:[a-z\d_](?:[a-z\d_-]*[a-z\d_])?\.)*[a-z](?:[a-z\d_-]*[a-z\d_])?$/i

const crmHosts = withDefault<ReadonlyArray<string>>(
  parsed(
    "OUTBOUND_CRM_HOSTS",
    `a list of at most ${CRM_HOSTS_MAX} host names, addresses and CIDR ranges, such as twenty.internal, 10.0.5.0/24`,
    (text) => {
      const hosts = text.split(",").map((host) => host.trim())
      const isKnown = (host: string) => rangeOf(host) !== null || (HOST_NAME.test(host) && host.length <= 253)
      return hosts.length <= CRM_HOSTS_MAX && hosts.every(isKnown) ? hosts : undefined
    }
  ),
  []
)

/** A secret with a known prefix, which shows if it is in the wrong variable. */
const secretLike = (name: VariableName, expected: string, pattern: RegExp) =>
  secretOf(name, (given) => pattern.test(given), `must begin with ${expected}`)

const stripe = mapped(
  all({
    secretKey: secretLike("OUTBOUND_STRIPE_SECRET_KEY", "sk_ or rk_", /^[sr]k_\S+$/),
    webhookSecret: secretLike("OUTBOUND_STRIPE_WEBHOOK_SECRET", "whsec_", /^whsec_\S+$/)
  }),
  ({ secretKey, webhookSecret }) =>
    Result.succeed(Option.map(secretKey, (key): StripeConfig => ({ secretKey: key, webhookSecret })))
)

const logFormat = withDefault<LogFormat>(
  parsed("OUTBOUND_LOG_FORMAT", `one of ${LOG_FORMATS.join(", ")}`, (text) =>
    LOG_FORMATS.find((format) => format === text)
  ),
  null
)

const everything = all({
  host: withDefault(textOf("OUTBOUND_HOST"), "127.0.0.1"),
  port: parsed("OUTBOUND_PORT", "a port (1 to 65535)", portOf),
  baseUrl: parsed("OUTBOUND_BASE_URL", "an http(s) URL without path and query", baseUrlOf),
  metricsPort: parsed("OUTBOUND_METRICS_PORT", "a port (1 to 65535)", portOf),
  workers: parsed("OUTBOUND_WORKERS", `a number from 1 to ${WORKERS_MAX}`, workersOf),
  heldMailboxes: parsed("OUTBOUND_HELD_MAILBOXES", `a number from 0 to ${HELD_MAILBOXES_MAX}`, heldMailboxesOf),
  trustedProxies,
  database,
  providers,
  unreleased,
  mailCaFile: textOf("OUTBOUND_MAIL_CA"),
  mailClients,
  blocklists,
  crmHosts,
  securityContact: parsed("OUTBOUND_SECURITY_CONTACT", "an email address or an https address", contactOf),
  signUp,
  serviceMail,
  stripe,
  otlpEndpoint: parsed("OTEL_EXPORTER_OTLP_ENDPOINT", "an http(s) URL without a query", urlOf),
  logLevel: withDefault<LogLevel.LogLevel>(
    parsed("OUTBOUND_LOG_LEVEL", `one of ${Object.keys(LEVELS).join(", ")}`, (text) => LEVELS[text]),
    "Info"
  ),
  logFormat
})

export class ConfigMistakes extends Error {
  constructor(readonly mistakes: ReadonlyArray<string>) {
    super(`The configuration is invalid:\n${mistakes.map((text) => `  ${text}`).join("\n")}`)
    this.name = "ConfigMistakes"
  }
}

/** An empty variable counts as not set. */
const known = (environment: Readonly<Record<string, string | undefined>>): Map<string, string> =>
  new Map(
    VARIABLES.flatMap(({ name }) => {
      const value = environment[name]
      return value === undefined || value.trim() === "" ? [] : [[name, value]]
    })
  )

/** Finds the address of the service that runs on a data directory. */
export type FindRunning = (dataDir: string) => string | undefined

/**
 * Reads the whole configuration. All errors are reported together. Where neither the base URL nor the port is set, a
 * command that talks about a running service takes that service's address.
 */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>>,
  running: FindRunning = () => undefined
): Effect.Effect<OutboundConfig, ConfigMistakes> =>
  Effect.suspend(() => Effect.fromResult(everything(known(environment)))).pipe(
    Effect.mapBoth({
      onFailure: (mistakes) => new ConfigMistakes(mistakes),
      onSuccess: ({ baseUrl, heldMailboxes, port, workers, ...given }): OutboundConfig => {
        const found = Option.isSome(port) ? undefined : running(given.database.dataDir)
        const usual = found ?? `http://localhost:${Option.getOrElse(port, () => PORT)}`
        return {
          ...given,
          port: Option.getOrElse(port, () => PORT),
          baseUrl: Option.getOrElse(baseUrl, () => usual),
          workers: Option.getOrElse(workers, usualWorkers),
          heldMailboxes: Option.getOrElse(heldMailboxes, () => HELD_MAX)
        }
      }
    })
  )
