/** The addresses that stand in the lists, by domain: whom the stand-ins of their mail servers know. */
import type { DirectoryPerson } from "@outbound/domain/data/directory/Records.js"
import { domainToASCII } from "node:url"

export class Addresses {
  private readonly byDomain = new Map<string, Set<string>>()

  /** An address that the list itself calls wrong is nobody's. */
  readonly add = ({ emailStatus, workEmail }: DirectoryPerson): void => {
    if (workEmail !== null) this.addEmail(workEmail, emailStatus !== "invalid")
  }

  /** An address whose mail server may be asked; `isSomeones`: it accepts mail. */
  addEmail(email: string, isSomeones = true): void {
    const at = email.lastIndexOf("@")
    const domain = domainToASCII(email.slice(at + 1)).toLowerCase()
    if (domain === "") return
    const locals = this.byDomain.get(domain) ?? new Set()
    if (isSomeones) locals.add(email.slice(0, at).toLowerCase())
    this.byDomain.set(domain, locals)
  }

  get domains(): ReadonlyArray<string> {
    return [...this.byDomain.keys()]
  }

  /** One address of a domain, if there is any. */
  someoneAt(domain: string): string | null {
    const [local] = this.byDomain.get(domain) ?? []
    return local === undefined ? null : `${local}@${domain}`
  }

  has(address: string): boolean {
    const at = address.lastIndexOf("@")
    const domain = domainToASCII(address.slice(at + 1)).toLowerCase()
    return this.byDomain.get(domain)?.has(address.slice(0, at).toLowerCase()) ?? false
  }

  /**
   * The domain whose server takes every address: the one with the fewest, so that most addresses can be proven. Null:
   * there is but one that anybody is at.
   */
  get leastKnown(): string | null {
    const known = [...this.byDomain].filter(([, { size }]) => size > 0)
    if (known.length < 2) return null
    return known.reduce((least, one) => (one[1].size <= least[1].size ? one : least))[0]
  }
}
