import type { WorldRecord, ZoneAnswer, ZoneRequest, ZoneWorld } from "./ZoneWorld.js"

const good = (result: unknown, pages = 1): ZoneAnswer => ({
  status: 200,
  body: JSON.stringify({ success: true, errors: [], messages: [], result, result_info: { total_pages: pages } })
})

const bad = (status: number, code: number, message: string): ZoneAnswer => ({
  status,
  body: JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null })
})

const shown = ({ id, name, ttl, type, value }: WorldRecord) => {
  const [preference = "", host = ""] = value.split(" ")
  const content = type === "TXT" ? JSON.stringify(value) : type === "MX" ? host : value
  return { id, name, type, content, ttl, ...(type === "MX" ? { priority: Number(preference) } : {}) }
}

interface Given {
  readonly name: string
  readonly type: string
  readonly content: string
  readonly priority?: number
}

/** A TXT content is one or more quoted strings. */
const valueOf = ({ content, priority, type }: Given): string => {
  if (type === "MX") return `${priority ?? 0} ${content}`
  if (type !== "TXT") return content
  return [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1")).join("")
}

const change = (world: ZoneWorld, request: ZoneRequest, id: string | undefined): ZoneAnswer => {
  const old = world.all().find((one) => one.id === id)
  if (request.method !== "POST" && old === undefined) return bad(404, 81_044, "Record does not exist.")
  if (request.method === "DELETE") {
    world.drop((one) => one.id === id)
    world.changes.push(`delete ${old?.name} ${old?.type} ${old?.value}`)
    return good({ id })
  }
  const given = JSON.parse(request.body) as Given
  const value = valueOf(given)
  const others = world.all().filter((one) => one.name === given.name && one.id !== id)
  if (others.some((one) => one.type === given.type && one.value === value)) {
    return bad(400, 81_058, "An identical record already exists.")
  }
  if (others.some((one) => one.type !== given.type && [one.type, given.type].includes("CNAME"))) {
    return bad(400, 81_053, "An A, AAAA, or CNAME record with that host already exists.")
  }
  world.changes.push(`${old === undefined ? "create" : "change"} ${given.name} ${given.type} ${value}`)
  return good(shown(world.put(given.name, given.type, value, old === undefined ? {} : { id: old.id })))
}

/** Cloudflare's API v4, as far as it is asked. */
export const answerAsCloudflare = (world: ZoneWorld, request: ZoneRequest): ZoneAnswer => {
  if (request.authorization !== `Bearer ${world.secret}`) return bad(403, 10_000, "Authentication error")
  const [, zoneId, , recordId] = request.url.pathname.replace(/^\//, "").split("/")
  const query = request.url.searchParams
  if (zoneId === undefined) {
    const named = world.zones.filter(({ name }) => name === query.get("name"))
    return good(
      named.map(({ isHidden, name, zoneId: id }) => ({ id, name, status: isHidden === true ? "pending" : "active" }))
    )
  }
  if (!world.zones.some((zone) => zone.zoneId === zoneId)) return bad(404, 7_003, "Could not route to the zone.")
  if (request.method !== "GET") return change(world, request, recordId)
  const found = world.all(request.isStale).filter((one) => one.name === query.get("name.exact"))
  const size = Math.min(world.pageMax, Number(query.get("per_page")))
  const from = (Number(query.get("page")) - 1) * size
  return good(found.slice(from, from + size).map(shown), Math.max(1, Math.ceil(found.length / size)))
}
