import { Clock, Effect, Result } from "effect"
import ipaddr from "ipaddr.js"
import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { isForbiddenAddress } from "../../site/Address.js"
import { MailRoutes } from "./MailRoutes.js"
import type { ProberSettings } from "../open/ProberSettings.js"
import { SmtpWire } from "./SmtpWire.js"
import type { ProberFinding } from "../open/OwnSource.js"
import { codeOf } from "../../platform/errors.js"

const TRIES = 2

/** The reverse name of an address (RFC 1035 §3.5, RFC 3596 §2.5). */
const reverseNameOf = (address: string): string => {
  const bytes = ipaddr.parse(address).toByteArray()
  return bytes.length === 4
    ? `${bytes.toReversed().join(".")}.in-addr.arpa`
    : `${[...Buffer.from(bytes).toString("hex")].toReversed().join(".")}.ip6.arpa`
}

/** "No such record" is an answer too. */
const ANSWERS = new Set(["ENODATA", "ENOTFOUND"])

const queryDns = <A>(look: () => Promise<ReadonlyArray<A>>): Effect.Effect<Result.Result<ReadonlyArray<A>, string>> =>
  Effect.result(Effect.tryPromise({ try: look, catch: (error) => codeOf(error, "no answer") }))

const recordsOf = <A>(answer: Result.Result<ReadonlyArray<A>, string>): ReadonlyArray<A> =>
  Result.getOrElse(answer, () => [])

const checkResolver = (resolver: Resolver, { checkDomain, heloName, resolvers }: ProberSettings) =>
  Effect.gen(function* () {
    const name = checkDomain ?? (heloName.startsWith("[") ? "example.com" : heloName)
    const answer = yield* queryDns(() => resolver.resolve4(name))
    const servers = resolvers.length === 0 ? "the machine's name servers" : resolvers.join(", ")
    const isAlive = Result.isSuccess(answer) || ANSWERS.has(answer.failure)
    return {
      what: "resolver",
      state: isAlive ? "works" : "fails",
      text: isAlive
        ? `Names are looked up at ${servers}.`
        : `No name is looked up at ${servers}: ${Result.isFailure(answer) ? answer.failure : ""}.`
    } as const satisfies ProberFinding
  })

/** The host to connect to, with its addresses. Left: why there is none. */
const targetOf = (settings: ProberSettings) =>
  Effect.gen(function* () {
    const { checkDomain, checkHost } = settings
    const routes = new MailRoutes(settings)
    const now = yield* Clock.currentTimeMillis
    let host = checkHost
    if (host === null && checkDomain !== null) {
      const route = yield* Effect.promise(() => routes.route(checkDomain, now))
      if (route._tag !== "Hosts") return Result.fail(`${checkDomain} has no mail server that could be found`)
      host = route.hosts[0] ?? null
    }
    if (host === null) return null
    const named = host
    if (isIP(named) !== 0 && isForbiddenAddress(named)) return Result.fail(`${named} may never be connected to`)
    const found = isIP(named) === 0 ? yield* Effect.promise(() => routes.addresses(named, now)) : null
    if (found === null) return Result.succeed({ host: named, addresses: [named] })
    if (found._tag === "Addresses") return Result.succeed({ host: named, addresses: found.addresses })
    return Result.fail(
      found._tag === "NotPublic" ? `${named} has an address that is not public` : `${named}: ${found.why}`
    )
  })

interface Reached {
  readonly finding: ProberFinding
  /** Our address on the connection, as this machine sees it. */
  readonly localAddress: string | null
}

const checkPort = (settings: ProberSettings): Effect.Effect<Reached> =>
  Effect.gen(function* () {
    const { connectMillis, greetingMillis, smtpPort: port, sourceAddress } = settings
    const found = (state: ProberFinding["state"], text: string, localAddress: string | null = null): Reached => ({
      finding: { what: "smtp_port", state, text },
      localAddress
    })
    const target = yield* targetOf(settings)
    if (target === null) {
      return found("untested", `Whether port ${port} can be reached was not tested: name a check_domain or check_host.`)
    }
    if (Result.isFailure(target)) return found("fails", `Port ${port} was not tested: ${target.failure}.`)
    const { addresses, host } = target.success
    let why = "no address"
    for (const address of addresses) {
      const greeted = yield* Effect.acquireUseRelease(
        SmtpWire.connect({ address, port, sourceAddress, connectMillis }).pipe(Effect.interruptible),
        (wire) => Effect.map(wire.greeting(greetingMillis), (reply) => ({ reply, localAddress: wire.localAddress })),
        (wire) => Effect.sync(() => wire.quit())
      ).pipe(Effect.result)
      if (Result.isSuccess(greeted)) {
        const { localAddress, reply } = greeted.success
        return reply.code === 220
          ? found("works", `Port ${port} can be reached: ${host} (${address}) greeted.`, localAddress)
          : found(
              "warning",
              `${host} (${address}) does not want to talk to us: ${reply.code} ${reply.text}`,
              localAddress
            )
      }
      const { detail, kind } = greeted.failure
      if (kind !== "unreachable") {
        return found("warning", `${host} (${address}) can be reached, and did not greet: ${detail}.`)
      }
      why = detail
    }
    return found(
      "fails",
      `Outbound port ${port} seems to be blocked: ${host} can't be reached (${why}). Many hosting providers block it until ` +
        "asked; until then every address stays unknown."
    )
  })

/** Whether our name resolves to our address, and the address back to the name. */
const checkName = (
  resolver: Resolver,
  { heloName, sourceAddress }: ProberSettings,
  localAddress: string | null
): Effect.Effect<ReadonlyArray<ProberFinding>> =>
  Effect.gen(function* () {
    const warning = (text: string): ReadonlyArray<ProberFinding> => [{ what: "helo_name", state: "warning", text }]
    if (heloName.startsWith("[")) return warning(`Servers know us as ${heloName}; many trust a name more.`)
    const [v4, v6] = yield* Effect.all([
      queryDns(() => resolver.resolve4(heloName)),
      queryDns(() => resolver.resolve6(heloName))
    ])
    const addresses = [...recordsOf(v4), ...recordsOf(v6)]
    if (addresses.length === 0) {
      return warning(`${heloName} has no address: many servers refuse a client with such a name.`)
    }
    const source = sourceAddress ?? localAddress
    const isOurs = source !== null && addresses.includes(source)
    const forward: ProberFinding = {
      what: "helo_name",
      state: isOurs ? "works" : "warning",
      text: isOurs
        ? `${heloName} leads to ${source}.`
        : `${heloName} leads to ${addresses.join(", ")}, and connections come from ${source ?? "an address not known here"}. ` +
          "Behind address translation that may be as it should."
    }
    const of = isOurs && source !== null ? source : (addresses[0] ?? "")
    const names = recordsOf(yield* queryDns(() => resolver.resolvePtr(reverseNameOf(of))))
    const isConfirmed = names.some((name) => name.replace(/\.$/, "").toLowerCase() === heloName.toLowerCase())
    const text = isConfirmed
      ? `${of} leads back to ${heloName}.`
      : `${of} leads back to ${names.length === 0 ? "no name" : names.join(", ")}: many servers refuse addresses without a ` +
        "reverse name that is confirmed by the forward one."
    const back: ProberFinding = { what: "reverse_name", state: isConfirmed ? "works" : "warning", text }
    return [forward, back]
  })

export const checkProber = (settings: ProberSettings): Effect.Effect<ReadonlyArray<ProberFinding>> =>
  Effect.gen(function* () {
    const resolver = new Resolver({ timeout: settings.dnsMillis, tries: TRIES })
    if (settings.resolvers.length > 0) resolver.setServers([...settings.resolvers])
    const resolves = yield* checkResolver(resolver, settings)
    if (resolves.state === "fails") return [resolves]
    const { finding, localAddress } = yield* checkPort(settings)
    const names = yield* checkName(resolver, settings, localAddress)
    return [resolves, finding, ...names]
  })
