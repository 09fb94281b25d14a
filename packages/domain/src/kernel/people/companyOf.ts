import { isSharedByMany } from "./sharedMail.js"
import { ownDomainOf } from "./Suffixes.js"

/**
 * The company of an address, by its registrable domain. Null: anybody may have an address there, as at a mail provider,
 * so that it says nothing of the person's company; or there is no such domain.
 */
export const companyOf = (email: string): string | null => {
  const domain = ownDomainOf(email.slice(email.lastIndexOf("@") + 1))
  return domain === null || isSharedByMany(domain) ? null : domain
}
