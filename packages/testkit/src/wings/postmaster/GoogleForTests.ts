import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How the tools misbehave. `well`: not at all. */
export const GOOGLE_MOODS = [
  "well",
  "token_refused",
  "consent_gone",
  "no_scope",
  "quota",
  "broken",
  "garbage",
  "too_long",
  "silent",
  "hangs_up",
  "endless_pages"
] as const
export type GoogleMood = (typeof GOOGLE_MOODS)[number]

export interface GoogleDomain {
  readonly permission?: "OWNER" | "READER" | "NONE"
  readonly verificationState?: "VERIFIED" | "UNVERIFIED"
  /** Absent: the person may not read it. */
  readonly requirements?: Readonly<Record<string, "COMPLIANT" | "NEEDS_WORK" | "STATE_UNSPECIFIED">>
  /** By day and the name of the metric in the request. */
  readonly rates?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Google's token endpoint and Postmaster Tools over local HTTP. They check every request against the contract (contract.md). */
export interface GoogleForTests {
  readonly url: string
  readonly tokenUrl: string
  readonly domains: Map<string, GoogleDomain>
  readonly be: (mood: GoogleMood) => void
  /** Paths that were asked, oldest first. */
  readonly asked: () => ReadonlyArray<string>
  /** What was wrong with requests, by the contract. */
  readonly wrong: () => ReadonlyArray<string>
}

const TOKEN = "access-token-of-a-test"
const REFRESH = "refresh-token-of-a-test"
const METRICS = new Set(["SPAM_RATE", "DELIVERY_ERROR_RATE"])
const FILTERS = new Set([undefined, 'error_type = "reject"', 'error_type = "temp_fail"'])

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const piece of request) text += String(piece)
  return text
}

const answer = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

const errorOf = (code: number, status: string) => ({ error: { code, status, message: `<b>${status}</b>` } })

interface Query {
  readonly metricDefinitions?: ReadonlyArray<{
    readonly name?: unknown
    readonly baseMetric?: { readonly standardMetric?: string }
    readonly filter?: string
  }>
  readonly timeQuery?: { readonly dateRanges?: { readonly dateRanges?: ReadonlyArray<Record<string, unknown>> } }
  readonly aggregationGranularity?: string
  readonly pageSize?: number
  readonly pageToken?: string
}

const KNOWN = new Set(["metricDefinitions", "timeQuery", "aggregationGranularity", "pageSize", "pageToken"])

const isDay = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false
  const { day, month, year } = value as Record<string, unknown>
  return [year, month, day].every((part) => Number.isInteger(part) && (part as number) > 0)
}

/** Everything in which a query departs from the contract. */
const mistakesIn = (query: Query): ReadonlyArray<string> => {
  const ranges = query.timeQuery?.dateRanges?.dateRanges ?? []
  return [
    ...Object.keys(query).flatMap((name) => (KNOWN.has(name) ? [] : [`unknown field ${name}`])),
    ...((query.metricDefinitions ?? []).length === 0 ? ["metricDefinitions is required"] : []),
    ...(query.metricDefinitions ?? []).flatMap(({ baseMetric, filter, name }) => [
      ...(typeof name === "string" && name !== "" ? [] : ["a metric without a name"]),
      ...(METRICS.has(baseMetric?.standardMetric ?? "") ? [] : [`no such metric: ${baseMetric?.standardMetric}`]),
      ...(FILTERS.has(filter) ? [] : [`no such filter: ${filter}`])
    ]),
    ...(ranges.length > 0 && ranges.every(({ end, start }) => isDay(start) && isDay(end))
      ? []
      : ["timeQuery is no range"]),
    ...(["DAILY", "OVERALL"].includes(query.aggregationGranularity ?? "DAILY") ? [] : ["no such granularity"]),
    ...((query.pageSize ?? 10) <= 200 ? [] : ["pageSize is above 200"])
  ]
}

/** Starts on a free TCP port of the loopback. It ends with the scope. */
export const googleForTests: Effect.Effect<GoogleForTests, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    let mood: GoogleMood = "well"
    const domains = new Map<string, GoogleDomain>()
    const asked: Array<string> = []
    const wrong: Array<string> = []

    const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const form = new URLSearchParams(await textOf(request))
      if (form.get("grant_type") !== "refresh_token" || form.get("refresh_token") !== REFRESH) wrong.push("token")
      if (mood === "consent_gone") return answer(response, 400, { error: "invalid_grant" })
      answer(response, 200, { access_token: TOKEN, token_type: "Bearer", expires_in: 3599 })
    }

    const list = (url: URL, response: ServerResponse): void => {
      if (Number(url.searchParams.get("pageSize") ?? 10) > 200) wrong.push("pageSize is above 200")
      const all = [...domains].map(([domain, of]) => ({
        name: `domains/${domain}`,
        permission: of.permission ?? "OWNER",
        verificationState: of.verificationState ?? "VERIFIED"
      }))
      const at = Number(url.searchParams.get("pageToken") ?? 0)
      const next = mood === "endless_pages" ? at + 1 : at + 1 < all.length ? at + 1 : null
      answer(response, 200, {
        domains: all.slice(at % Math.max(1, all.length), (at % Math.max(1, all.length)) + 1),
        ...(next === null ? {} : { nextPageToken: String(next) })
      })
    }

    const compliance = (domain: string, response: ServerResponse): void => {
      const requirements = domains.get(domain)?.requirements
      if (requirements === undefined) return answer(response, 403, errorOf(403, "PERMISSION_DENIED"))
      answer(response, 200, {
        name: `domains/${domain}/complianceStatus`,
        complianceData: {
          domainId: domain,
          rowData: Object.entries(requirements).map(([requirement, status]) => ({ requirement, status: { status } }))
        }
      })
    }

    const stats = async (domain: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const query = JSON.parse(await textOf(request)) as Query
      const mistakes = mistakesIn(query)
      wrong.push(...mistakes)
      if (mistakes.length > 0) return answer(response, 400, errorOf(400, "INVALID_ARGUMENT"))
      const rates = domains.get(domain)?.rates
      if (rates === undefined) return answer(response, 403, errorOf(403, "PERMISSION_DENIED"))
      const names = new Set((query.metricDefinitions ?? []).map(({ name }) => String(name)))
      const rows = Object.entries(rates).flatMap(([day, values]) => {
        const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
        return Object.entries(values)
          .filter(([metric]) => names.has(metric))
          .map(([metric, doubleValue]) => ({
            name: `domains/${domain}/domainStats/opaque`,
            metric,
            date: { year, month, day: date },
            value: { doubleValue }
          }))
      })
      const at = Number(query.pageToken ?? 0)
      answer(response, 200, {
        domainStats: rows.slice(at, at + 2),
        ...(at + 2 < rows.length ? { nextPageToken: String(at + 2) } : {})
      })
    }

    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1")
      asked.push(`${request.method} ${url.pathname}`)
      if (url.pathname === "/token" && request.method === "POST") return token(request, response)
      if (mood === "silent") return
      if (mood === "hangs_up") return void request.socket.destroy()
      if (mood === "broken") return answer(response, 500, errorOf(500, "INTERNAL"))
      if (mood === "garbage") return void response.writeHead(200).end("<html>Sorry</html>")
      if (mood === "too_long") return void response.writeHead(200).end(`{"domains":"${"a".repeat(2_000_000)}"}`)
      if (mood === "quota") return answer(response, 429, errorOf(429, "RESOURCE_EXHAUSTED"), { "retry-after": "7200" })
      if (mood === "token_refused") return answer(response, 401, errorOf(401, "UNAUTHENTICATED"))
      if (mood === "no_scope") return answer(response, 403, errorOf(403, "PERMISSION_DENIED"))
      if (request.headers.authorization !== `Bearer ${TOKEN}`) wrong.push("authorization")
      const of = /^\/v2\/domains\/([^/]+)\/(complianceStatus|domainStats:query)$/.exec(url.pathname)
      const domain = decodeURIComponent(of?.[1] ?? "")
      if (url.pathname === "/v2/domains" && request.method === "GET") return list(url, response)
      if (of?.[2] === "complianceStatus" && request.method === "GET") return compliance(domain, response)
      if (of?.[2] === "domainStats:query" && request.method === "POST") return stats(domain, request, response)
      wrong.push(`${request.method} ${url.pathname}`)
      answer(response, 404, errorOf(404, "NOT_FOUND"))
    }

    const server = createServer((request, response) => void handle(request, response))
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const google: GoogleForTests = {
      url,
      tokenUrl: `${url}/token`,
      domains,
      be: (next) => void (mood = next),
      asked: () => asked,
      wrong: () => wrong
    }
    return { google, server }
  }),
  ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
).pipe(Effect.map(({ google }) => google))

export const REFRESH_FOR_TESTS = REFRESH
export const ACCESS_FOR_TESTS = TOKEN
