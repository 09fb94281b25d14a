import { dnsZonesContract } from "@outbound/testkit/contracts/dnsZones.js"
import { makeCloudflare } from "../../src/dns/Cloudflare.js"
import { makeRoute53 } from "../../src/dns/Route53.js"

dnsZonesContract("cloudflare", makeCloudflare)
dnsZonesContract("route53", makeRoute53)
