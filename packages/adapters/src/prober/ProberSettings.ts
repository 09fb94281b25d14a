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

/** A host name in ASCII, or an address literal as RFC 5321 §4.1.3 writes it. */
const HELO = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f.:]+\]|\[IPv6:[0-9a-f.:]+\])$/i

/** Nothing, or an address that holds neither blanks nor brackets, so that it ends no command. */
const REVERSE_PATH = /^(?:|[^\s<>@\p{C}]{1,64}@[a-z0-9.-]{1,253})$/iu

/** Whether the platform takes it for a name server. */
const isResolver = (text: string): boolean => {
  // It takes a larger port for another one.
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

/** What the operator may say of the prober. Everything has a default. */
export const ProberSettings = Schema.Struct({
  resolvers: Schema.optionalWith(
    Schema.Array(Server).pipe(
      Schema.maxItems(8),
      Schema.annotations({ description: "Name servers as `address` or `address:port`; empty: those of the machine." })
    ),
    { default: () => [] }
  ),
  heloName: Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(HELO)).annotations({
      description: "How we name ourselves to mail servers; it should resolve to the address that we come from."
    }),
    { default: () => hostname() }
  ).pipe(Schema.fromKey("helo_name")),
  mailFrom: Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(REVERSE_PATH)).annotations({
      description: "The sender that is named; empty: the null reverse-path `<>`, as that of a notice."
    }),
    { default: () => "" }
  ).pipe(Schema.fromKey("mail_from")),
  sourceAddress: maybe(
    Address,
    "The address of this machine that connections come from; null: as the system chooses."
  ).pipe(Schema.fromKey("source_address")),
  smtpPort: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, 65_535)).annotations({ description: "The port of mail servers." }),
    { default: () => 25 }
  ).pipe(Schema.fromKey("smtp_port")),
  allowPrivateTargets: Schema.optionalWith(
    Schema.Boolean.annotations({
      description: "Whether servers at addresses that are not public may be asked: for tests and local loops alone."
    }),
    { default: () => false }
  ).pipe(Schema.fromKey("allow_private_targets")),

  deadlineMillis: millis(50, 18_000, 15_000, "How long one address may take in all.").pipe(
    Schema.fromKey("deadline_millis")
  ),
  dnsMillis: millis(20, 10_000, 2_000, "How long a name server is waited for, each of two times.").pipe(
    Schema.fromKey("dns_millis")
  ),
  connectMillis: millis(20, 15_000, 5_000, "For a connection to one address of a host.").pipe(
    Schema.fromKey("connect_millis")
  ),
  greetingMillis: millis(20, 15_000, 8_000, "For its greeting; some servers let strangers wait.").pipe(
    Schema.fromKey("greeting_millis")
  ),
  commandMillis: millis(20, 15_000, 6_000, "For the answer to one command, and for the upgrade to TLS.").pipe(
    Schema.fromKey("command_millis")
  ),
  idleMillis: millis(0, 60_000, 8_000, "For how long a connection is kept that nobody uses.").pipe(
    Schema.fromKey("idle_millis")
  ),

  connectionsMax: count(1_000, 64, "How many connections are open in all.").pipe(Schema.fromKey("connections_max")),
  connectionsPerHost: count(20, 2, "How many connections to one host are open.").pipe(
    Schema.fromKey("connections_per_host")
  ),
  probesPerConnection: count(500, 20, "After how many addresses a connection is given up.").pipe(
    Schema.fromKey("probes_per_connection")
  ),
  hostPaceMillis: millis(0, 60_000, 100, "Between the beginnings of two probes of one host.").pipe(
    Schema.fromKey("host_pace_millis")
  ),
  hostsPerProbe: count(10, 3, "How many of a domain's hosts are tried for one address.").pipe(
    Schema.fromKey("hosts_per_probe")
  ),

  routeKeepMillis: millis(0, 86_400_000, 300_000, "For how long a domain's mail hosts are remembered.").pipe(
    Schema.fromKey("route_keep_millis")
  ),
  catchAllKeepMillis: millis(
    0,
    86_400_000,
    600_000,
    "For how long it is remembered whether a domain takes every address."
  ).pipe(Schema.fromKey("catch_all_keep_millis")),
  hostRestMillis: millis(0, 86_400_000, 120_000, "For how long a host that can't be reached is left alone.").pipe(
    Schema.fromKey("host_rest_millis")
  ),

  askAgainSeconds: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, AFTER_SECONDS_MAX)).annotations({
      description:
        "When an address is asked for again that a server put off. Greylists usually take up to five minutes."
    }),
    { default: () => 330 }
  ).pipe(Schema.fromKey("ask_again_seconds")),
  askAgainMax: count(10, 4, "How often it is asked for again.").pipe(Schema.fromKey("ask_again_max")),
  answerKeepSeconds: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(60, 2_592_000)).annotations({
      description: "For how long an answer that came late is told."
    }),
    { default: () => 86_400 }
  ).pipe(Schema.fromKey("answer_keep_seconds")),

  checkDomain: maybe(Host, "A domain whose mail server the check connects to; null: none.").pipe(
    Schema.fromKey("check_domain")
  ),
  checkHost: maybe(Host, "A mail server that the check connects to, instead of one of `check_domain`.").pipe(
    Schema.fromKey("check_host")
  )
})

export type ProberSettings = typeof ProberSettings.Type

/** All defaults. */
export const proberDefaults = (): ProberSettings => Schema.decodeSync(ProberSettings)({})
