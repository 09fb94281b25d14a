import { Effect } from "effect"
import { Resolver } from "node:dns/promises"

const DNS_MILLIS = 1_500
const HOSTS_MAX = 20

/** The hosts that take a domain's mail, by these name servers (none: the machine's). None if they can't be told now. */
export const mailHostsBy =
  (servers: ReadonlyArray<string>) =>
  (domain: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.promise(async () => {
      const resolver = new Resolver({ timeout: DNS_MILLIS, tries: 2 })
      if (servers.length > 0) resolver.setServers(servers)
      try {
        return (await resolver.resolveMx(domain)).map(({ exchange }) => exchange).slice(0, HOSTS_MAX)
      } catch {
        return []
      }
    })
