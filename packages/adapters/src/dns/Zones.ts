import { DnsZones, type ZoneVendor } from "@outbound/domain/outreach/domains/DnsZones.js"
import { Layer } from "effect"
import { CLOUDFLARE_URL, makeCloudflare } from "./Cloudflare.js"
import { makeRoute53, ROUTE53_URL } from "./Route53.js"

export interface ZonesOptions {
  readonly cloudflareUrl: string
  readonly route53Url: string
}

/** The DNS hosts, each asked in its own words. */
export const layer = (
  { cloudflareUrl, route53Url }: ZonesOptions = { cloudflareUrl: CLOUDFLARE_URL, route53Url: ROUTE53_URL }
): Layer.Layer<DnsZones> =>
  Layer.sync(DnsZones, () => {
    const hosts: Readonly<Record<ZoneVendor, DnsZones["Service"]>> = {
      cloudflare: makeCloudflare(cloudflareUrl),
      route53: makeRoute53(route53Url)
    }
    return {
      find: (access, domain) => hosts[access.vendor].find(access, domain),
      read: (access, zone, names) => hosts[access.vendor].read(access, zone, names),
      change: (access, zone, change) => hosts[access.vendor].change(access, zone, change)
    }
  })
