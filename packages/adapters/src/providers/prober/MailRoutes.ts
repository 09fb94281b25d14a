import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { isForbiddenAddress, isPublicAddress } from "../../site/Address.js"
import type { ProberSettings } from "../open/ProberSettings.js"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import { codeOf } from "../../platform/errors.js"

/** Where a domain's mail goes (RFC 5321 §5.1). */
export type MailRoute =
  /** Its hosts in the order to ask; equal preferences in any order. */
  | { readonly _tag: "Hosts"; readonly hosts: ReadonlyArray<string>; readonly from: "mx" | "address" }
  /** It declares that it takes no mail (RFC 7505). */
  | { readonly _tag: "NullMx" }
  /** The name does not exist. */
  | { readonly _tag: "NoDomain" }
  /** The name exists, without a host that could take mail. */
  | { readonly _tag: "NoHost" }
  /** Unknown. */
  | { readonly _tag: "Unresolved"; readonly why: string; readonly isOurs: boolean }

/** A mail host's addresses, or why it isn't asked. */
export type HostAddresses =
  | { readonly _tag: "Addresses"; readonly addresses: ReadonlyArray<string> }
  | { readonly _tag: "NotPublic" }
  | { readonly _tag: "None"; readonly why: string }

type Records<A> =
  | { readonly _tag: "Found"; readonly records: ReadonlyArray<A> }
  | { readonly _tag: "NoName" }
  | { readonly _tag: "Failed"; readonly code: string }

const TRIES = 2
const DOMAINS_MAX = 20_000
const HOSTS_MAX = 20_000
const MX_MAX = 20
const ADDRESSES_MAX = 4

/** How long a failed lookup isn't repeated. */
const DOUBT_KEEP_MILLIS = 10_000

/** No name server was reachable. */
const NOBODY_ASKED = new Set(["ECONNREFUSED", "EREFUSED", "EADDRGETNETWORKPARAMS"])

const queryRecords = async <A>(look: Promise<ReadonlyArray<A>>): Promise<Records<A>> => {
  try {
    return { _tag: "Found", records: await look }
  } catch (error) {
    const code = codeOf(error, "failed")
    if (code === "ENODATA") return { _tag: "Found", records: [] }
    return code === "ENOTFOUND" ? { _tag: "NoName" } : { _tag: "Failed", code }
  }
}

const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, by: Math.random() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ value }) => value)

/** Looks up and caches mail routes. Concurrent lookups of a domain are shared. */
export class MailRoutes {
  private readonly routes = new ExpiringCache<Promise<MailRoute>>(DOMAINS_MAX)
  private readonly hosts = new ExpiringCache<Promise<HostAddresses>>(HOSTS_MAX)
  private readonly resolver: Resolver

  constructor(private readonly settings: ProberSettings) {
    this.resolver = new Resolver({ timeout: settings.dnsMillis, tries: TRIES })
    if (settings.resolvers.length > 0) this.resolver.setServers([...settings.resolvers])
  }

  route(domain: string, nowMillis: number): Promise<MailRoute> {
    return this.remembered(
      this.routes,
      domain,
      nowMillis,
      () => this.findRoute(domain),
      (found) => found._tag === "Unresolved"
    )
  }

  addresses(host: string, nowMillis: number): Promise<HostAddresses> {
    return this.remembered(
      this.hosts,
      host,
      nowMillis,
      () => this.findAddresses(host),
      (found) => found._tag === "None"
    )
  }

  private remembered<A>(
    memory: ExpiringCache<Promise<A>>,
    key: string,
    nowMillis: number,
    find: () => Promise<A>,
    isDoubt: (found: A) => boolean
  ): Promise<A> {
    const known = memory.get(key, nowMillis)
    if (known !== undefined) return known
    const { routeKeepMillis } = this.settings
    const finding = find()
    memory.set(key, finding, nowMillis, Math.max(1, routeKeepMillis))
    void finding.then((found) => {
      if (isDoubt(found)) memory.set(key, finding, nowMillis, Math.min(routeKeepMillis, DOUBT_KEEP_MILLIS))
    })
    return finding
  }

  private async findRoute(domain: string): Promise<MailRoute> {
    const found = await queryRecords(this.resolver.resolveMx(domain))
    if (found._tag === "Failed") {
      return { _tag: "Unresolved", why: `MX: ${found.code}`, isOurs: NOBODY_ASKED.has(found.code) }
    }
    const records = found._tag === "Found" ? found.records : []
    if (records.length === 0) return this.withoutMx(domain, found._tag === "NoName")
    const named = records.filter(({ exchange }) => exchange !== "" && exchange !== "." && isIP(exchange) === 0)
    if (named.length === 0) {
      return records.length === 1 && isIP(records[0]?.exchange ?? "") === 0 ? { _tag: "NullMx" } : { _tag: "NoHost" }
    }
    const hosts = shuffled(named)
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ exchange }) => exchange.toLowerCase())
    return { _tag: "Hosts", hosts: [...new Set(hosts)].slice(0, MX_MAX), from: "mx" }
  }

  /** A domain without MX is its own mail host if it has an address. */
  private async withoutMx(domain: string, isNoName: boolean): Promise<MailRoute> {
    const [v4, v6] = await Promise.all([
      queryRecords(this.resolver.resolve4(domain)),
      queryRecords(this.resolver.resolve6(domain))
    ])
    if ([v4, v6].some((found) => found._tag === "Found" && found.records.length > 0)) {
      return { _tag: "Hosts", hosts: [domain], from: "address" }
    }
    const failed = [v4, v6].find((found) => found._tag === "Failed")
    if (failed !== undefined) {
      return { _tag: "Unresolved", why: `A: ${failed.code}`, isOurs: NOBODY_ASKED.has(failed.code) }
    }
    // Some name servers deny a name whose addresses they know: only if all queries say so, it doesn't exist.
    return isNoName && v4._tag === "NoName" && v6._tag === "NoName" ? { _tag: "NoDomain" } : { _tag: "NoHost" }
  }

  private async findAddresses(host: string): Promise<HostAddresses> {
    const [v4, v6] = await Promise.all([
      queryRecords(this.resolver.resolve4(host)),
      queryRecords(this.resolver.resolve6(host))
    ])
    const of = (found: Records<string>) => (found._tag === "Found" ? found.records : [])
    const all = [...of(v4), ...of(v6)]
    // A non-public address among public ones is a known attack on internal hosts.
    const isAllowed = (address: string) =>
      isPublicAddress(address) || (this.settings.allowPrivateTargets && !isForbiddenAddress(address))
    if (!all.every(isAllowed)) return { _tag: "NotPublic" }
    const { sourceAddress } = this.settings
    const usable = sourceAddress === null ? all : all.filter((address) => isIP(address) === isIP(sourceAddress))
    if (usable.length > 0) return { _tag: "Addresses", addresses: usable.slice(0, ADDRESSES_MAX) }
    const failed = [v4, v6].find((found) => found._tag === "Failed")
    return { _tag: "None", why: failed === undefined ? "no address" : `A: ${failed.code}` }
  }
}
