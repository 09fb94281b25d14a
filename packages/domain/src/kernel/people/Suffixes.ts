/** Below which names strangers have domains of their own. */
import { getDomain, parse } from "tldts"
import { HOST_CHARS_MAX } from "./Host.js"

/**
 * Names of companies that give each customer a host below their own, where the public-suffix list has none of them: of
 * tenants of mail systems, of helpdesks, and of sites. Two hosts below one are strangers to each other.
 */
const SHARED: ReadonlySet<string> = new Set(
  [
    "onmicrosoft.com onmicrosoft.de onmicrosoft.us onmschina.cn test-google-a.com gsuite.com intercom-mail.com",
    "zendesk.com freshdesk.com freshservice.com helpscoutapp.com gorgias.com desk.com zohodesk.com zohodesk.eu",
    "atlassian.net sharepoint.com service-now.com my.salesforce.com force.com odoo.com teamwork.com basecamphq.com",
    "business.site jimdo.com jimdofree.com jimdosite.com weebly.com webnode.com webnode.page mystrikingly.com ueniweb.com",
    "squarespace.com wordpress.com tumblr.com substack.com typepad.com livejournal.com over-blog.com canalblog.com",
    "e-monsite.com pagesperso-orange.fr narod.ru ucoz.ru ucoz.com beepworld.de fc2.com mailchimpsites.com page.link",
    "zohosites.com wpengine.com bandcamp.com etsy.com"
  ].flatMap((line) => line.split(" "))
)

/** Of these nobody is the company itself: the name alone belongs to no one who could be meant. */
const NOBODY: ReadonlySet<string> = new Set([
  "onmicrosoft.com",
  "onmicrosoft.de",
  "onmicrosoft.us",
  "onmschina.cn",
  "test-google-a.com",
  "business.site",
  "jimdofree.com",
  "jimdosite.com",
  "page.link"
])

/** The name below which strangers have hosts, which this one is or stands under; null: none. */
const sharedAbove = (labels: ReadonlyArray<string>): number | null => {
  for (let from = 0; from < labels.length - 1; from += 1) {
    if (SHARED.has(labels.slice(from).join("."))) return from
  }
  return null
}

/**
 * The domain of whoever has this host (lower-case ASCII): by the public-suffix list with its private part, so that
 * strangers under `uk.com` or `github.io` are strangers. Null: it is itself such a suffix, an IP address, or too long.
 */
export const ownDomainOf = (host: string): string | null => {
  if (host.length > HOST_CHARS_MAX) return null
  const domain = getDomain(host, { validateHostname: false, allowPrivateDomains: true })
  if (domain === null) return null
  const labels = host.split(".")
  const at = sharedAbove(labels)
  if (at === null) return domain
  const shared = labels.slice(at).join(".")
  if (at === 0 || (at === 1 && labels[0] === "www")) return NOBODY.has(shared) ? null : domain
  return labels.slice(at - 1).join(".")
}

/** Whoever runs the host's domain, however many strangers have hosts there: a provider, for a server of its. */
export const operatorOf = (host: string): string | null => getDomain(host, { validateHostname: false })

/** Ends of names that no registry gives out (RFC 2606, 6761, 6762 and ICANN's for private use). */
const RESERVED: ReadonlySet<string> = new Set(["test", "example", "invalid", "localhost", "local", "internal"])

/** Whether the host (lower-case ASCII) ends as names of the public internet do, or as those kept for tests and private nets. */
export const hasKnownEnd = (host: string): boolean => {
  const { isIcann, isPrivate } = parse(host, { validateHostname: false, allowPrivateDomains: true })
  return isIcann === true || isPrivate === true || RESERVED.has(host.slice(host.lastIndexOf(".") + 1))
}
