import { AFTER_SECONDS_MAX } from "@outbound/domain/sources/Later.js"
import { Schema } from "effect"
import { Resolver } from "node:dns"
import { isIP } from "node:net"
import { hostname } from "node:os"

const millis = (min: number, max: number, usual: number, description: string) =>
  Schema.optionalWith(
    Schema.Int.pipe(Schema.between(min, max)).annotations({ description: `${description} In milliseconds.` }),
    { default: () => usual }
  )

const count = (max: number, usual: number, description: string) =>
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, max)).annotations({ description }), { default: () => usual })

const maybe = (schema: Schema.Schema<string>, description: string) =>
  Schema.optionalWith(Schema.NullOr(schema).annotations({ description }), { default: () => null })

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

const Server = Schema.String.pipe(
  Schema.filter(isResolver, { message: () => "must be an `address` or `address:port`" })
)

const Address = Schema.String.pipe(
  Schema.filter((text) => isIP(text) !== 0, { message: () => "must be an IP address" })
)

const Host = Schema.String.pipe(Schema.pattern(/^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?$/i))

/** The operator's settings. All have defaults. */
export const ProberSettings = Schema.Struct({
  resolvers: Schema.optionalWith(
    Schema.Array(Server).pipe(
      Schema.maxItems(8),
      Schema.annotations({
        description:
          "Name servers as `address` or `address:port`, also for the DNS checks of own mailboxes, websites and webhooks. Empty: the machine's own."
      })
    ),
    { default: () => [] }
  ),
  heloName: Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(HELO)).annotations({
      description: "Our name in HELO. It should resolve to the address that connections come from."
    }),
    { default: () => hostname() }
  ).pipe(Schema.fromKey("helo_name")),
  mailFrom: Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(REVERSE_PATH)).annotations({
      description: "The sender in MAIL FROM. Empty: the null reverse-path `<>`."
    }),
    { default: () => "" }
  ).pipe(Schema.fromKey("mail_from")),
  sourceAddress: maybe(Address, "The local address of connections. Null: chosen by the system.").pipe(
    Schema.fromKey("source_address")
  ),
  smtpPort: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, 65_535)).annotations({ description: "The TCP port of mail servers." }),
    { default: () => 25 }
  ).pipe(Schema.fromKey("smtp_port")),
  allowPrivateTargets: Schema.optionalWith(
    Schema.Boolean.annotations({
      description:
        "Whether servers with non-public addresses may be asked. Only for tests on one machine. Link-local ones never are."
    }),
    { default: () => false }
  ).pipe(Schema.fromKey("allow_private_targets")),

  deadlineMillis: millis(50, 18_000, 15_000, "Time limit for one address.").pipe(Schema.fromKey("deadline_millis")),
  dnsMillis: millis(20, 10_000, 2_000, "Time limit for a name server, for each of two attempts.").pipe(
    Schema.fromKey("dns_millis")
  ),
  connectMillis: millis(20, 15_000, 5_000, "Time limit to connect to one address of a server.").pipe(
    Schema.fromKey("connect_millis")
  ),
  greetingMillis: millis(
    20,
    15_000,
    8_000,
    "Time limit for the server's greeting. Some servers delay it for strangers."
  ).pipe(Schema.fromKey("greeting_millis")),
  commandMillis: millis(
    20,
    15_000,
    12_000,
    "Time limit for the response to one command, and for the upgrade to TLS. `deadline_millis` bounds them together."
  ).pipe(Schema.fromKey("command_millis")),
  idleMillis: millis(0, 60_000, 8_000, "How long an idle connection is kept.").pipe(Schema.fromKey("idle_millis")),

  connectionsMax: count(1_000, 64, "Most open connections in all.").pipe(Schema.fromKey("connections_max")),
  connectionsPerHost: count(20, 2, "Most open connections to one server.").pipe(Schema.fromKey("connections_per_host")),
  probesPerConnection: count(500, 20, "Most addresses checked over one connection.").pipe(
    Schema.fromKey("probes_per_connection")
  ),
  hostPaceMillis: millis(0, 60_000, 100, "Time between the starts of two probes of one server.").pipe(
    Schema.fromKey("host_pace_millis")
  ),
  hostsPerProbe: count(10, 3, "Most mail servers of a domain tried for one address.").pipe(
    Schema.fromKey("hosts_per_probe")
  ),

  routeKeepMillis: millis(0, 86_400_000, 300_000, "How long a domain's mail servers are remembered.").pipe(
    Schema.fromKey("route_keep_millis")
  ),
  catchAllKeepMillis: millis(
    0,
    86_400_000,
    600_000,
    "How long it is remembered whether a domain accepts every address."
  ).pipe(Schema.fromKey("catch_all_keep_millis")),
  hostRestMillis: millis(0, 86_400_000, 120_000, "How long an unreachable server is skipped.").pipe(
    Schema.fromKey("host_rest_millis")
  ),

  askAgainSeconds: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, AFTER_SECONDS_MAX)).annotations({
      description:
        "When we ask again about an address that a server deferred. Greylists usually take up to five minutes."
    }),
    { default: () => 330 }
  ).pipe(Schema.fromKey("ask_again_seconds")),
  askAgainMax: count(10, 4, "How many times we ask again.").pipe(Schema.fromKey("ask_again_max")),
  answerKeepSeconds: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(60, 2_592_000)).annotations({
      description: "How long a follow-up's result is kept."
    }),
    { default: () => 86_400 }
  ).pipe(Schema.fromKey("answer_keep_seconds")),

  checkDomain: maybe(Host, "A domain whose mail server `providers check` connects to. Null: none.").pipe(
    Schema.fromKey("check_domain")
  ),
  checkHost: maybe(Host, "A mail server that `providers check` connects to, instead of one of `check_domain`.").pipe(
    Schema.fromKey("check_host")
  )
})

export type ProberSettings = typeof ProberSettings.Type

export const proberDefaults = (): ProberSettings => Schema.decodeSync(ProberSettings)({})
