import { type Door, doorTo } from "../../site/door.js"
import { checkedAddresses, NotAllowed, type Resolve, resolveBy } from "../../site/Gate.js"
import { privateHostsOf } from "./PrivateHosts.js"

export interface CrmsOptions {
  /** Whether an account may be on this machine: only where the user runs the service themselves. */
  readonly isAtHome: boolean
  /** Host names, addresses and ranges of private networks where an account may be; default: none. */
  readonly privateHosts?: ReadonlyArray<string>
  /** Name resolution of accounts' own addresses; default: the machine's name servers. */
  readonly resolve?: Resolve
}

/**
 * The way to an account's own address, checked for each connection: public addresses by https, and those that the
 * operator listed. A host that is listed as written needs no https, but is then asked only within its network.
 */
export const doorToCrm = ({ isAtHome, privateHosts = [], resolve = resolveBy() }: CrmsOptions) => {
  const hosts = privateHostsOf(privateHosts)
  const checked: Door = {
    addresses: (hostname) => checkedAddresses(resolve, hostname, (address) => hosts.allows(hostname, address))
  }
  const inner: Door = {
    addresses: async (hostname, port) => {
      const found = await checked.addresses(hostname, port)
      if (found.every(({ address }) => hosts.allows(hostname, address))) return found
      throw new NotAllowed({ reason: "unsafe", cause: "a public address, without https" })
    }
  }
  return (url: URL): Door | null => {
    const isListed = hosts.isListed(url.hostname)
    const door = doorTo(url, isAtHome || isListed, checked)
    // A literal address is connected to without a look-up: it was checked as it was listed.
    return isListed && (door === null || door === checked) ? (url.protocol === "https:" ? checked : inner) : door
  }
}
