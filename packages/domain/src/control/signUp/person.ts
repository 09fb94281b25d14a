/** Who an address belongs to, however its provider lets them spell it. */

/** Providers that ignore dots before the "@", and the names under which one mailbox of theirs answers. */
const DOTLESS: ReadonlySet<string> = new Set(["gmail.com"])

/** Providers that ignore dots, hyphens and underscores. */
const UNPUNCTUATED: ReadonlySet<string> = new Set(["proton.me"])

/** Providers whose tags begin with a hyphen. */
const HYPHEN_TAGS: ReadonlySet<string> = new Set(["yahoo.com", "ymail.com", "rocketmail.com"])

/** Domains of one provider that lead to the same mailboxes. */
const SAME_MAILBOXES: Readonly<Record<string, string>> = {
  "googlemail.com": "gmail.com",
  "protonmail.com": "proton.me",
  "protonmail.ch": "proton.me",
  "pm.me": "proton.me",
  "me.com": "icloud.com",
  "mac.com": "icloud.com",
  "yandex.com": "yandex.ru",
  "ya.ru": "yandex.ru"
}

const before = (text: string, sign: string): string => {
  const at = text.indexOf(sign)
  return at > 0 ? text.slice(0, at) : text
}

/**
 * The person of a canonical address: without a tag, without what their provider ignores, and under the provider's first
 * name. It is compared, never written to.
 */
export const personOf = (email: string): string => {
  const at = email.lastIndexOf("@")
  const given = email.slice(at + 1)
  const domain = SAME_MAILBOXES[given] ?? given
  const untagged = before(email.slice(0, at), "+")
  const local = HYPHEN_TAGS.has(domain) ? before(untagged, "-") : untagged
  if (DOTLESS.has(domain)) return `${local.replaceAll(".", "")}@${domain}`
  return UNPUNCTUATED.has(domain) ? `${local.replaceAll(/[._-]/g, "")}@${domain}` : `${local}@${domain}`
}
