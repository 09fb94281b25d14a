import type { WorldRecord, ZoneAnswer, ZoneRequest, ZoneWorld } from "./ZoneWorld.js"

const xml = (status: number, body: string): ZoneAnswer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`
})

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

const refused = (status: number, code: string, message: string): ZoneAnswer =>
  xml(
    status,
    `<ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`
  )

const broken = (message: string): ZoneAnswer =>
  xml(
    400,
    `<InvalidChangeBatch xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Messages><Message>${message}</Message></Messages></InvalidChangeBatch>`
  )

const written = (type: string, value: string): string =>
  type === "TXT" ? (value.match(/.{1,255}/gs) ?? [""]).map((text) => JSON.stringify(text)).join(" ") : `${value}.`

const readValue = (type: string, text: string): string =>
  type === "TXT"
    ? [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part = ""]) => part.replaceAll(/\\(.)/g, "$1")).join("")
    : text.replace(/\.$/, "")

const setsOf = (records: ReadonlyArray<WorldRecord>) => {
  const keys = [...new Set(records.map(({ name, type }) => `${name} ${type}`))].toSorted()
  return keys.map((key) => records.filter(({ name, type }) => `${name} ${type}` === key))
}

const setXml = (set: ReadonlyArray<WorldRecord>): string => {
  const [first] = set
  if (first === undefined) return ""
  const { name, ttl, type } = first
  if (first.isSpecial === true) {
    return `<ResourceRecordSet><Name>${name}.</Name><Type>${type}</Type><AliasTarget><DNSName>elsewhere.test.</DNSName></AliasTarget></ResourceRecordSet>`
  }
  const values = set.map(
    ({ value }) => `<ResourceRecord><Value>${escaped(written(type, value))}</Value></ResourceRecord>`
  )
  return `<ResourceRecordSet><Name>${name}.</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords>${values.join("")}</ResourceRecords></ResourceRecordSet>`
}

const between = (text: string, tag: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(([, inner = ""]) => inner)

/** A batch happens as a whole or not at all. */
const change = (world: ZoneWorld, body: string): ZoneAnswer => {
  const changes = between(body, "Change").map((text) => {
    const [type = ""] = between(text, "Type")
    return {
      action: between(text, "Action")[0] ?? "",
      name: (between(text, "Name")[0] ?? "").replace(/\.$/, ""),
      type,
      ttl: Number(between(text, "TTL")[0]),
      values: between(text, "Value").map((value) => readValue(type, unescaped(value)))
    }
  })
  let records = world.all()
  for (const { action, name, ttl, type, values } of changes) {
    const here = records.filter((one) => one.name === name && one.type === type)
    if (action === "DELETE") {
      const isSame = here.length === values.length && here.every((one) => values.includes(one.value) && one.ttl === ttl)
      if (here.length === 0) return broken(`Tried to delete ${name}. type ${type} but it was not found`)
      if (!isSame) return broken("but the values provided do not match the current values")
      records = records.filter((one) => !here.includes(one))
    } else {
      if (here.length > 0) return broken(`Tried to create ${name}. type ${type} but it already exists`)
      if (records.some((one) => one.name === name && [one.type, type].includes("CNAME"))) {
        return broken(
          `RRSet of type ${type} with DNS name ${name}. is not permitted as it conflicts with other records`
        )
      }
      records = [...records, ...values.map((value) => ({ id: "", name, type, value, ttl }))]
    }
  }
  for (const { action, name, ttl, type, values } of changes) {
    if (action === "DELETE") world.drop((one) => one.name === name && one.type === type)
    else for (const value of values) world.put(name, type, value, { ttl })
    world.changes.push(`${action.toLowerCase()} ${name} ${type} ${values.join(" | ")}`)
  }
  return xml(
    200,
    "<ChangeResourceRecordSetsResponse><ChangeInfo><Status>PENDING</Status></ChangeInfo></ChangeResourceRecordSetsResponse>"
  )
}

const list = (world: ZoneWorld, { isStale, url }: ZoneRequest): ZoneAnswer => {
  const query = url.searchParams
  const from = `${(query.get("name") ?? "").replace(/\.$/, "")} ${query.get("type") ?? ""}`
  const sets = setsOf(world.all(isStale)).filter((set) => `${set[0]?.name} ${set[0]?.type}` >= from)
  const page = sets.slice(0, Math.min(world.pageMax, Number(query.get("maxitems"))))
  const next = sets[page.length]?.[0]
  return xml(
    200,
    [
      "<ListResourceRecordSetsResponse><ResourceRecordSets>",
      ...page.map(setXml),
      `</ResourceRecordSets><IsTruncated>${next !== undefined}</IsTruncated>`,
      next === undefined
        ? ""
        : `<NextRecordName>${next.name}.</NextRecordName><NextRecordType>${next.type}</NextRecordType>`,
      "</ListResourceRecordSetsResponse>"
    ].join("")
  )
}

/** Route 53's API of 2013-04-01, as far as it is asked. */
export const answerAsRoute53 = (world: ZoneWorld, request: ZoneRequest): ZoneAnswer => {
  const [keyId = ""] = world.secret.split(":")
  const signed = new RegExp(
    `^AWS4-HMAC-SHA256 Credential=${keyId}/\\d{8}/us-east-1/route53/aws4_request, SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, Signature=[0-9a-f]{64}$`
  )
  if (!signed.test(request.authorization)) return refused(403, "InvalidClientTokenId", "The security token is invalid.")
  const [, resource, zoneId] = request.url.pathname.replace(/^\//, "").split("/")
  if (resource === "hostedzonesbyname") {
    const from = (request.url.searchParams.get("dnsname") ?? "").replace(/\.$/, "")
    const zones = world.zones.filter(({ name }) => name >= from)
    const zoneXml = zones.map(
      ({ isHidden, name, zoneId: id }) =>
        `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}.</Name><Config><PrivateZone>${isHidden === true}</PrivateZone></Config></HostedZone>`
    )
    return xml(
      200,
      `<ListHostedZonesByNameResponse><HostedZones>${zoneXml.join("")}</HostedZones></ListHostedZonesByNameResponse>`
    )
  }
  if (!world.zones.some((zone) => zone.zoneId === zoneId))
    return refused(404, "NoSuchHostedZone", "No hosted zone found.")
  return request.method === "GET" ? list(world, request) : change(world, request.body)
}
