import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { Data } from "effect"
import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { isForbiddenAddress, isPublicAddress, isWithin } from "./Address.js"
import { URL_CHARS_MAX } from "./limits.js"

/** Every address of a host name. Empty: none. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<LookupAddress>>

/** A server, by address and port, that may be read although it isn't public. */
export interface AllowedServer {
  readonly address: string
  readonly port: number
}

export class NotAllowed extends Data.TaggedError("NotAllowed")<{
  readonly reason: "unsafe" | "elsewhere" | "unresolved"
  readonly cause: string
}> {}

const DNS_TIMEOUT_MILLIS = 1_500
const DNS_TRIES = 2
const ADDRESSES_MAX = 16

/** Resolves by these name servers (none: the machine's), and never by its hosts file. */
export const resolveBy =
  (servers: ReadonlyArray<string> = []): Resolve =>
  async (hostname) => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MILLIS, tries: DNS_TRIES })
    if (servers.length > 0) resolver.setServers(servers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = (answer: PromiseSettledResult<ReadonlyArray<string>>, family: number) =>
      answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : []
    return [...found(v4, 4), ...found(v6, 6)].slice(0, ADDRESSES_MAX)
  }

export const portOf = (url: URL): number => (url.port !== "" ? Number(url.port) : url.protocol === "https:" ? 443 : 80)

const unsafe = (cause: string) => new NotAllowed({ reason: "unsafe", cause })

/** The host's addresses, if each one is public or allowed; otherwise fails with `NotAllowed`. */
export const checkedAddresses = async (
  resolve: Resolve,
  hostname: string,
  isAllowed: (address: string) => boolean
): Promise<ReadonlyArray<LookupAddress>> => {
  const found = await resolve(hostname)
  if (found.length === 0) throw new NotAllowed({ reason: "unresolved", cause: "no address" })
  // A non-public address among public ones is a known attack on internal hosts.
  if (found.every(({ address }) => isPublicAddress(address) || isAllowed(address))) return found
  throw unsafe("an address that is not public")
}

/**
 * Decides what may be connected to. A name is resolved once per connection, and the connection uses the addresses that
 * were checked: a later DNS answer changes nothing.
 */
export interface Gate {
  /** Checks a URL as written. Null: no objection. */
  readonly objection: (url: URL, companyDomain: string) => NotAllowed | null
  /** The host's addresses, all allowed; otherwise fails with `NotAllowed`. */
  readonly addresses: (hostname: string, port: number) => Promise<ReadonlyArray<LookupAddress>>
}

/** `privatePort`: one more port that may be asked, at addresses in `ranges` and at no other. */
export const makeGate = (
  resolve: Resolve,
  allowed: ReadonlyArray<AllowedServer>,
  ranges: ReadonlyArray<string> = [],
  privatePort: number | null = null
): Gate => {
  const allows = (address: string, port: number): boolean =>
    !isForbiddenAddress(address) &&
    (allowed.some((server) => server.address === address && server.port === port) || isWithin(address, ranges))
  const allowsPort = (port: number): boolean => port === privatePort || allowed.some((server) => server.port === port)

  return {
    objection: (url, companyDomain) => {
      const port = portOf(url)
      const standard = url.protocol === "https:" ? 443 : 80
      if (url.protocol !== "http:" && url.protocol !== "https:") return unsafe("neither http nor https")
      if (url.username !== "" || url.password !== "") return unsafe("it holds credentials")
      if (url.href.length > URL_CHARS_MAX) return unsafe("it is too long")
      if (port !== standard && !allowsPort(port)) return unsafe("a port that websites do not have")
      const host = url.hostname.replace(/^\[|\]$/g, "")
      if (isIP(host) !== 0) return unsafe("an IP address instead of a name")
      return registrableDomain(url.hostname) === companyDomain
        ? null
        : new NotAllowed({ reason: "elsewhere", cause: "another company's domain" })
    },
    addresses: async (hostname, port) => {
      const found = await checkedAddresses(resolve, hostname, (address) => allows(address, port))
      if (port === privatePort && !found.every(({ address }) => allows(address, port))) {
        throw unsafe("a port that public websites do not have")
      }
      return found
    }
  }
}
