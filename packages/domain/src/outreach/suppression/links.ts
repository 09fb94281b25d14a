/** The unsubscribe links of messages, and whose they are. */
import { Effect, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { unsubscribeUrl } from "../../kernel/Settings.js"
import { LinkBases, type LinkOf } from "./linkBases.js"

type Hashing = Pick<Crypto["Service"], "mac" | "sha256Hex">

/** The proof in a person's link that we made it. */
export const linkMac = (crypto: Pick<Hashing, "mac">, workspaceId: string, campaignLeadId: string): string =>
  crypto.mac("unsubscribe", `${workspaceId}\n${campaignLeadId}`)

/** Whether it is the proof. Comparing digests hides from timing how much of it was right. */
export const isLinkMac = (crypto: Hashing, workspaceId: string, campaignLeadId: string, mac: string): boolean =>
  crypto.sha256Hex(mac) === crypto.sha256Hex(linkMac(crypto, workspaceId, campaignLeadId))

/** The parts of an unsubscribe link's path. Third-party text. */
export interface UnsubscribeLink {
  readonly workspaceId: string
  readonly token: string
}

const WHOLE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The lead that a genuine link names; null for any other. */
export const leadOfLink = (crypto: Hashing, { token, workspaceId }: UnsubscribeLink): string | null => {
  const [campaignLeadId = "", mac = "", ...more] = token.split(".")
  if (more.length > 0 || !WHOLE_UUID.test(workspaceId) || !WHOLE_UUID.test(campaignLeadId)) return null
  return isLinkMac(crypto, workspaceId, campaignLeadId, mac) ? campaignLeadId : null
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const LINK = new RegExp(`/u/(${UUID})/(${UUID})\\.([A-Za-z0-9_-]{43})`, "g")

/** How much of a text is searched, and most links that are looked at. */
const TEXT_CHARS_MAX = 300_000
const LINKS_MAX = 20

/** Mail programs wrap long lines of what they quote, and servers put links inside their own. */
const unwrapped = (text: string): string => text.replace(/[= ]\r?\n/g, "\n").replace(/\r?\n[ \t>|]{0,100}/g, "")
const decoded = (text: string): string =>
  text
    .replace(/%(?:25){1,3}(?=2[EF])/gi, "%")
    .replace(/%2F/gi, "/")
    .replace(/%2E/gi, ".")

/** Gateways that rewrite links put ours into their own: Proofpoint in a writing of its own, Sophos in base64. */
const PROOFPOINT = /\/v2\/url\?u=([\w.-]{20,2000})/g
const IN_BASE64 = /[?&]u=([A-Za-z0-9+/_-]{40,2000})/g
const rewritten = (text: string): ReadonlyArray<string> => [
  ...[...text.matchAll(PROOFPOINT)]
    .slice(0, LINKS_MAX)
    .map(([, link = ""]) =>
      link
        .replace(/_/g, "/")
        .replace(/-([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
    ),
  ...[...text.matchAll(IN_BASE64)]
    .slice(0, LINKS_MAX)
    .map(([, link = ""]) =>
      Result.getOrElse(Base64Url.decodeString(link.replace(/\+/g, "-").replace(/\//g, "_")), () => "")
    )
]

/** The leads of this workspace whose genuine links a text quotes, in order. */
export const leadsLinkedIn = (crypto: Hashing, workspaceId: string, text: string): ReadonlyArray<string> => {
  const plain = decoded(text.slice(0, TEXT_CHARS_MAX))
  const [whole, own] = [unwrapped(plain), rewritten(plain).join("\n")]
  const found = [plain, whole, own].flatMap((one) => [...one.matchAll(LINK)].slice(0, LINKS_MAX))
  const leads = found.flatMap(([, workspace = "", lead = "", mac = ""]) =>
    workspace === workspaceId && isLinkMac(crypto, workspaceId, lead, mac) ? [lead] : []
  )
  return [...new Set(leads)]
}

/**
 * The same way out by mail (RFC 2369), for programs that don't know one click: a message to the mailbox itself, whose
 * subject holds the path of the link.
 */
export const unsubscribeMailto = (address: string, unsubscribeUrl: string): string => {
  const at = address.lastIndexOf("@")
  const subject = encodeURIComponent(`unsubscribe ${new URL(unsubscribeUrl).pathname}`)
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${address.slice(at + 1)}?subject=${subject}`
}

/** The lead of this workspace that a message with this subject unsubscribes; null: none. */
export const leadUnsubscribedBy = (crypto: Hashing, workspaceId: string, subject: string): string | null =>
  /^\s*unsubscribe\s/i.test(subject) ? (leadsLinkedIn(crypto, workspaceId, subject)[0] ?? null) : null

/**
 * People's unsubscribe addresses in a workspace's mail from a domain. The path is the same in all messages to them, and its host is the
 * sender's at that moment. It never expires, on any host.
 */
export const makeUnsubscribeUrls = Effect.gen(function* () {
  const crypto = yield* Crypto
  const baseOf = yield* LinkBases
  return (of: LinkOf): FromStore<(lead: { readonly campaignLeadId: string }) => string> =>
    Effect.map(baseOf(of), (base) => ({ campaignLeadId }) => {
      const mac = linkMac(crypto, of.workspaceId, campaignLeadId)
      return unsubscribeUrl(base, of.workspaceId, `${campaignLeadId}.${mac}`)
    })
})
