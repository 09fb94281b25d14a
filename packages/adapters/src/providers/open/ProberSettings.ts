import { AFTER_SECONDS_MAX } from "@outbound/domain/sources/Later.js"
import { Schema } from "effect"
import { Resolver } from "node:dns"
import { isIP } from "node:net"
import { hostname } from "node:os"
import { setting } from "../../platform/setting.js"

/** A setting by its name in the file, with its default. */
const named = <K extends string, A, I>(key: K, schema: Schema.Codec<A, I>, usual: NoInfer<A>, description: string) => ({
  key,
  schema: setting(schema.annotate({ description }), usual)
})

/** Settings by their names in the code. */
const settingsOf = <S extends Readonly<Record<string, { readonly key: string; readonly schema: Schema.Constraint }>>>(
  settings: S
) => {
  const each = <P extends "key" | "schema">(part: P) =>
    Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, one[part]])) as {
      readonly [N in keyof S]: S[N][P]
    }
  return Schema.Struct(each("schema")).pipe(Schema.encodeKeys(each("key")))
}

const whole = <K extends string>(key: K, min: number, max: number, usual: number, description: string) =>
  named(key, Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })), usual, description)

const millis = <K extends string>(key: K, min: number, max: number, usual: number, description: string) =>
  whole(key, min, max, usual, `${description} In milliseconds.`)

const maybe = <K extends string>(key: K, schema: Schema.Codec<string>, description: string) =>
  named(key, Schema.NullOr(schema), null, description)

/** An ASCII host name, or an address literal (RFC 5321 §4.1.3). */
const HELO = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f.:]+\]|\[IPv6:[0-9a-f.:]+\])$/i

/** Empty, or an address without blanks and brackets, so that it can't end a command. */
const REVERSE_PATH = /^(?:|[^\s<>@\p{C}]{1,64}@[a-z0-9.-]{1,253})$/iu

/** Whether the platform accepts it as a name server. */
const isResolver = (text: string): boolean => {
  // The platform wraps larger ports around.
  if (Number(/[\]\d]:(\d+)$/.exec(isIP(text) === 0 ? text : "")?.[1] ?? 1) > 65_535) return false
  try {
    new Resolver().setServers([text])
    return true
  } catch {
    return false
  }
}

const Server = Schema.String.check(Schema.makeFilter(isResolver, { message: "must be an `address` or `address:port`" }))

const Address = Schema.String.check(Schema.makeFilter((text) => isIP(text) !== 0, { message: "must be an IP address" }))

const Host = Schema.String.check(Schema.isPattern(/^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?$/i))

/** The operator's settings. All have defaults. */
export const ProberSettings = settingsOf({
  resolvers: named(
    "resolvers",
    Schema.Array(Server).check(Schema.isMaxLength(8)),
    [],
    "Name servers as `address` or `address:port`, also for the DNS checks of own mailboxes, websites and webhooks. Empty: the machine's own."
  ),
  heloName: named(
    "helo_name",
    Schema.String.check(Schema.isPattern(HELO)),
    hostname(),
    "Our name in HELO. It should resolve to the address that connections come from."
  ),
  mailFrom: named(
    "mail_from",
    Schema.String.check(Schema.isPattern(REVERSE_PATH)),
    "",
    "The sender in MAIL FROM. Empty: the null reverse-path `<>`."
  ),
  sourceAddress: maybe("source_address", Address, "The local address of connections. Null: chosen by the system."),
  smtpPort: whole("smtp_port", 1, 65_535, 25, "The TCP port of mail servers."),
  allowPrivateTargets: named(
    "allow_private_targets",
    Schema.Boolean,
    false,
    "Whether servers with non-public addresses may be asked. Only for tests on one machine. Link-local ones never are."
  ),

  deadlineMillis: millis("deadline_millis", 50, 18_000, 15_000, "Time limit for one address."),
  dnsMillis: millis("dns_millis", 20, 10_000, 2_000, "Time limit for a name server, for each of two attempts."),
  connectMillis: millis("connect_millis", 20, 15_000, 5_000, "Time limit to connect to one address of a server."),
  greetingMillis: millis(
    "greeting_millis",
    20,
    15_000,
    8_000,
    "Time limit for the server's greeting. Some servers delay it for strangers."
  ),
  commandMillis: millis(
    "command_millis",
    20,
    15_000,
    12_000,
    "Time limit for the response to one command, and for the upgrade to TLS. `deadline_millis` bounds them together."
  ),
  idleMillis: millis("idle_millis", 0, 60_000, 8_000, "How long an idle connection is kept."),

  connectionsMax: whole("connections_max", 1, 1_000, 64, "Most open connections in all."),
  connectionsPerHost: whole("connections_per_host", 1, 20, 2, "Most open connections to one server."),
  probesPerConnection: whole("probes_per_connection", 1, 500, 20, "Most addresses checked over one connection."),
  hostPaceMillis: millis("host_pace_millis", 0, 60_000, 100, "Time between the starts of two probes of one server."),
  hostsPerProbe: whole("hosts_per_probe", 1, 10, 3, "Most mail servers of a domain tried for one address."),

  routeKeepMillis: millis(
    "route_keep_millis",
    0,
    86_400_000,
    300_000,
    "How long a domain's mail servers are remembered."
  ),
  catchAllKeepMillis: millis(
    "catch_all_keep_millis",
    0,
    86_400_000,
    600_000,
    "How long it is remembered whether a domain accepts every address."
  ),
  hostRestMillis: millis("host_rest_millis", 0, 86_400_000, 120_000, "How long an unreachable server is skipped."),

  askAgainSeconds: whole(
    "ask_again_seconds",
    1,
    AFTER_SECONDS_MAX,
    330,
    "When we ask again about an address that a server deferred. Greylists usually take up to five minutes."
  ),
  askAgainMax: whole("ask_again_max", 1, 10, 4, "How many times we ask again."),
  answerKeepSeconds: whole("answer_keep_seconds", 60, 2_592_000, 86_400, "How long a follow-up's result is kept."),

  checkDomain: maybe("check_domain", Host, "A domain whose mail server `providers check` connects to. Null: none."),
  checkHost: maybe(
    "check_host",
    Host,
    "A mail server that `providers check` connects to, instead of one of `check_domain`."
  )
})

export type ProberSettings = typeof ProberSettings.Type

export const proberDefaults = (): ProberSettings => Schema.decodeSync(ProberSettings)({})
