/**
 * Amazon Route 53. Its user needs route53:ListHostedZonesByName, ListResourceRecordSets and ChangeResourceRecordSets. A
 * change deletes the set as we read it and creates the new one in one batch, so it fails as a whole if somebody was
 * faster.
 */
import type { DnsZones, Zone, ZoneAccess, ZoneChange } from "@outbound/domain/outreach/domains/DnsZones.js"
import { added, removed } from "@outbound/domain/outreach/domains/planRecords.js"
import { isBetween, isSet } from "@outbound/domain/outreach/domains/standing.js"
import { canonical, type RecordSet } from "@outbound/domain/outreach/domains/Wishes.js"
import { AwsV4Signer } from "aws4fetch"
import { Clock, Effect, Redacted } from "effect"
import { childrenOf, readXml, textAt, type XmlElement } from "../platform/readXml.js"
import { readTxt, writeTxt } from "./txtText.js"
import { candidatesOf, failure, send } from "./zoneHttp.js"

export const ROUTE53_URL = "https://route53.amazonaws.com"

const VERSION = "2013-04-01"
const PAGE_SETS = 100
const PAGES_MAX = 20

/** The TTL of a new set. A set that stands there keeps its own. */
const TTL_SECONDS = 300

const REFUSED = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "InvalidClientTokenId",
  "SignatureDoesNotMatch",
  "IncompleteSignature",
  "MissingAuthenticationToken",
  "OptInRequired",
  "ExpiredToken"
])
/** Nothing happened; they say so with the status 400. */
const LATER = new Set(["Throttling", "ThrottlingException", "PriorRequestNotComplete", "RequestExpired"])

interface FoundSet extends RecordSet {
  readonly ttl: string
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(String.raw`\052`, "*")

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const valueOf = (type: string, value: string): string => (type === "TXT" ? readTxt(value) : value.replace(/\.$/, ""))

const writtenOf = (type: string, value: string): string =>
  type === "TXT" ? writeTxt(value) : `${value.replace(/\.$/, "")}.`

const setOf = (element: XmlElement): FoundSet => {
  const type = textAt(element, "Type")
  const values = childrenOf(element, "ResourceRecords", "ResourceRecord", "Value").map(({ text }) =>
    valueOf(type, text)
  )
  const isSpecial = ["AliasTarget", "SetIdentifier", "TrafficPolicyInstanceId"].some(
    (name) => childrenOf(element, name).length > 0
  )
  const name = plain(textAt(element, "Name"))
  return { name, type, values, ttl: textAt(element, "TTL"), ...(isSpecial ? { isSpecial } : {}) }
}

const changeXml = (action: string, { name, type }: ZoneChange, values: ReadonlyArray<string>, ttl: string): string =>
  [
    `<Change><Action>${action}</Action><ResourceRecordSet><Name>${escaped(name)}.</Name><Type>${type}</Type>`,
    `<TTL>${escaped(ttl)}</TTL><ResourceRecords>`,
    ...values.map((value) => `<ResourceRecord><Value>${escaped(writtenOf(type, value))}</Value></ResourceRecord>`),
    "</ResourceRecords></ResourceRecordSet></Change>"
  ].join("")

export const makeRoute53 = (baseUrl: string = ROUTE53_URL): DnsZones["Service"] => {
  const ask = ({ secret }: ZoneAccess, method: "GET" | "POST", path: string, body?: string) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const given = Redacted.value(secret)
      const at = given.indexOf(":")
      const signer = new AwsV4Signer({
        method,
        url: `${baseUrl}/${VERSION}/${path}`,
        accessKeyId: given.slice(0, at),
        secretAccessKey: given.slice(at + 1),
        service: "route53",
        region: "us-east-1",
        datetime: new Date(nowMillis).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
        ...(body === undefined ? {} : { body, headers: { "content-type": "application/xml" } })
      })
      const signed = yield* Effect.promise(() => signer.sign())
      const headers = Object.fromEntries([...signed.headers].filter(([name]) => name !== "host"))
      const answer = yield* send(
        { method, url: String(signed.url), headers, ...(body === undefined ? {} : { body }) },
        nowMillis
      )
      const root = readXml(answer.text)
      if (answer.status < 300 && root !== null) return root
      if (answer.status === 429) return yield* failure("rate_limited", "too many requests", answer.retryAfterMillis)
      if (root === null)
        return yield* failure(method === "GET" ? "unavailable" : "unknown", "an answer that isn’t Route 53’s")
      const isBatch = root.name === "InvalidChangeBatch"
      const code = isBatch ? root.name : textAt(root, "Error", "Code")
      const messages = childrenOf(root, "Messages", "Message").map(({ text }) => text)
      const says = `${messages.length > 0 ? messages.join("; ") : textAt(root, "Error", "Message")} (${code})`
      if (LATER.has(code)) return yield* failure("rate_limited", says, answer.retryAfterMillis)
      if (REFUSED.has(code)) return yield* failure("refused", says)
      if (code === "NoSuchHostedZone") return yield* failure("no_zone", says)
      const isRace = /already exists|not found|do not match|conflicts with/i.test(says)
      return yield* failure(code === "InvalidChangeBatch" && isRace ? "changed" : "invalid", says)
    })

  const setsAt = (access: ZoneAccess, { zoneId }: Zone, name: string) =>
    Effect.gen(function* () {
      const found: Array<FoundSet> = []
      let from: Record<string, string> = { name: `${name}.` }
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = new URLSearchParams({ ...from, maxitems: String(PAGE_SETS) })
        const root = yield* ask(access, "GET", `hostedzone/${encodeURIComponent(zoneId)}/rrset?${query}`)
        const sets = childrenOf(root, "ResourceRecordSets", "ResourceRecordSet").map(setOf)
        found.push(...sets.filter((set) => set.name === name))
        // They come by name, from this one on.
        if (textAt(root, "IsTruncated") !== "true" || sets.some((set) => set.name !== name)) return found
        const identifier = textAt(root, "NextRecordIdentifier")
        from = {
          name: textAt(root, "NextRecordName"),
          type: textAt(root, "NextRecordType"),
          ...(identifier === "" ? {} : { identifier })
        }
      }
      return yield* failure("unavailable", `more records at ${name} than we read`)
    })

  return {
    find: (access, domain) =>
      Effect.gen(function* () {
        for (const name of candidatesOf(domain)) {
          const query = new URLSearchParams({ dnsname: `${name}.`, maxitems: "20" })
          const root = yield* ask(access, "GET", `hostedzonesbyname?${query}`)
          const zones = childrenOf(root, "HostedZones", "HostedZone").filter(
            (zone) => plain(textAt(zone, "Name")) === name && textAt(zone, "Config", "PrivateZone") !== "true"
          )
          if (zones.length > 1) return yield* failure("no_zone", `there are ${zones.length} public zones of ${name}`)
          const [zone] = zones
          if (zone !== undefined) return { zoneId: textAt(zone, "Id").replace(/^\/hostedzone\//, ""), name }
        }
        return yield* failure("no_zone", `no public zone of ${domain} or above it`)
      }),

    read: (access, zone, names) =>
      Effect.map(
        Effect.forEach(names, (name) => setsAt(access, zone, name)),
        (sets) => sets.flat()
      ),

    change: (access, zone, change) =>
      Effect.gen(function* () {
        const { name, type } = change
        const set = (yield* setsAt(access, zone, name)).find((one) => one.type === type)
        const values = set?.values ?? []
        if (isSet(change, values)) return
        if (!isBetween(change, values) || set?.isSpecial === true) {
          return yield* failure("changed", `other records at ${name}`)
        }
        const going = removed(change)
        const stays = values.filter((value) => !going.some((one) => canonical(type, one) === canonical(type, value)))
        const next = [...stays, ...added({ type, before: stays, after: change.after })]
        const ttl = set === undefined || set.ttl === "" ? String(TTL_SECONDS) : set.ttl
        const changes = [
          ...(set === undefined ? [] : [changeXml("DELETE", change, values, ttl)]),
          ...(next.length === 0 ? [] : [changeXml("CREATE", change, next, ttl)])
        ]
        const body = [
          '<?xml version="1.0" encoding="UTF-8"?>',
          `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/${VERSION}/">`,
          `<ChangeBatch><Changes>${changes.join("")}</Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`
        ].join("")
        yield* ask(access, "POST", `hostedzone/${encodeURIComponent(zone.zoneId)}/rrset/`, body)
      })
  }
}
