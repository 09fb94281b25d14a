import { type Context, Redacted } from "effect"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { ZoneAccess, ZoneVendor } from "./DnsZones.js"
import type { SendingDomain, SendingDomainRef } from "./SendingDomainStore.js"

type Sealing = Context.Tag.Service<typeof Crypto>

/** The form of each host's credential, and how a person is told of it. */
export const ZONE_SECRETS: Readonly<Record<ZoneVendor, { readonly pattern: RegExp; readonly words: string }>> = {
  cloudflare: { pattern: /^[\x21-\x7e]{20,200}$/, words: "an API token" },
  route53: { pattern: /^[A-Z0-9]{16,128}:[\x21-\x7e]{20,200}$/, words: "access key id:secret access key" }
}

const boundTo = ({ domainId, workspaceId }: SendingDomainRef, vendor: ZoneVendor): string =>
  `${workspaceId}/${domainId}/${vendor}`

export const sealZoneSecret = (
  crypto: Sealing,
  of: SendingDomainRef,
  { secret, vendor }: { readonly vendor: ZoneVendor; readonly secret: string }
): string => crypto.seal("dns_zone", secret, boundTo(of, vendor))

/** Null: there is none, or it was sealed under another server's secret. */
export const zoneAccess = (crypto: Sealing, domain: SendingDomain): ZoneAccess | null => {
  if (domain.zone === null) return null
  const { sealedSecret, vendor } = domain.zone
  const secret = crypto.open("dns_zone", sealedSecret, boundTo(domain, vendor))
  return secret === null || !ZONE_SECRETS[vendor].pattern.test(secret)
    ? null
    : { vendor, secret: Redacted.make(secret) }
}
