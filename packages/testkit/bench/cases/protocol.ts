/**
 * What MCP and OAuth clients sent elsewhere, sent to a running service: the request is made from a case's title, and what is right
 * is read from what it expects. Cases of chats, of whole programs and of generators need more than a request: tests replay them,
 * and they are counted as left to these.
 */
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { chatCases } from "./chat.js"
import type { Outcome } from "./outcome.js"
import { type Service, withService } from "./Service.js"

interface Case {
  readonly id: string
  readonly title: string
  readonly expected: string
}

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

interface Sent {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const send = (service: Service, { body, headers = {}, method = "POST", path }: Sent): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sending = request(`${service.url}${path}`, { method, headers }, (response) => {
      const pieces: Array<Buffer> = []
      response
        .on("data", (piece: Buffer) => pieces.push(piece))
        .on("end", () => {
          const text = Buffer.concat(pieces).toString("utf8")
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        })
    })
    sending.on("error", reject)
    sending.end(body)
  })

const rpc = (method: string, params: unknown = {}): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a case", version: "1" } }
const call = (name: string, given?: unknown): string =>
  rpc("tools/call", given === undefined ? { name } : { name, arguments: given })

const OPTIONAL = ["titles", "locations", "industries", "company_domains", "company_headcount", "limit", "route"]

/** The revision that says with each request what it is. */
const STATELESS = "2026-07-28"
const listed = rpc("tools/list", {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": INITIALIZE.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {}
  }
})

/** Calls of tools that their titles describe in words. */
const CALLS: Readonly<Record<string, string>> = {
  O1: call("get_me"),
  O2: call("get_me", null),
  O6: call("find_leads", {
    audience: "heads of sales",
    ...Object.fromEntries(OPTIONAL.map((name) => [name, null]))
  }),
  O7: call("verify_email", { email: "valid@magic.test", idempotency_key: "", run_id: "" }),
  O8: call("verify_email", { email: "valid@magic.test", surprise: 1 }),
  O9: call("verify_email", {}),
  O10: call("mcp__outbound__get_me", {}),
  O13: rpc("tools/call", { name: "get_me", arguments: {}, _meta: { traceparent: "00-0", "openai/userAgent": "x" } }),
  O14: rpc("tools/call", { name: "get_me", arguments: {}, task: { ttl: 60_000 } }),
  O15: rpc("tools/list", { cursor: "" }),
  O17: call("Get_Me", {}),
  O18: call("verify_email", { email: "valid@magic.test", run_id: null, idempotency_key: null }),
  O19: call("verify_email", '{"email":"valid@magic.test"}'),
  O20: rpc("tools/call", { arguments: {} }),
  O21: call("verify_email", { email: "valid@magic.test", idempotency_key: "k".repeat(1_000) }),
  O23: call("create_campaign", { name: "A case" }),
  P14: rpc("ping")
}

/** Registrations of clients, by what their titles say of them. */
const CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback"
const CLIENTS: Readonly<Record<string, object>> = {
  R2: { redirect_uris: [CURSOR] },
  R3: { redirect_uris: [CURSOR, "http://localhost:8787/callback"] },
  R6: { redirect_uris: ["http://localhost:33418/callback"] },
  R8: {
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    token_endpoint_auth_method: "client_secret_post"
  },
  R9: { redirect_uris: ["http://127.0.0.1:33418/"], grant_types: null, response_types: null },
  R10: {}
}

/** Requests for consent, by their titles. */
const asksFor = ({ id, title }: Case, service: Service): Readonly<Record<string, string>> | null => {
  switch (id) {
    case "S1":
      return { scope: "data:read offline_access" }
    case "S2":
      return { scope: "openid email profile data:read" }
    case "S4":
    case "S5":
    case "S7":
      return { resource: title.replace("resource=", "").replace(/http:\/\/127\.0\.0\.1:4700/i, service.url) }
    case "S8":
      return {}
    case "S9":
      return { prompt: "consent", access_type: "offline", audience: "x", nonce: "n" }
    case "S10":
      return { state: '{"a":"b c+/="}' }
    default:
      return null
  }
}

/** The request that a case is about. Null: it takes more than one request to the running service. */
const sentBy = ({ id, title }: Case, service: Service): Sent | null => {
  const plain = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const headers = { ...plain, authorization: `Bearer ${service.key}` }
  const path = "/mcp"
  const known = CALLS[id]
  if (known !== undefined) return { path, headers, body: known }
  if (id === "L8") {
    const { accept: _, ...without } = headers
    return { path, headers: without, body: rpc("initialize", INITIALIZE) }
  }
  if (id.startsWith("L9") || id === "P15") {
    const { accept: both, ...without } = headers
    const wanted = id === "P15" ? both : (/Accept: (.*)$/.exec(title)?.[1] ?? "null")
    const stateless = { ...without, "mcp-protocol-version": STATELESS, "mcp-method": "tools/list" }
    return { path, headers: wanted === "null" ? stateless : { ...stateless, accept: wanted }, body: listed }
  }
  const accept = /Accept: (.*?)(?: on (initialize|tools\/call))?$/.exec(title)
  if (/^L\d/.test(id) && accept?.[1] !== undefined && !id.startsWith("L9")) {
    const { accept: _, ...without } = headers
    const body = accept[2] === "initialize" ? rpc("initialize", INITIALIZE) : call("get_me", {})
    return { path, headers: accept[1] === "(none)" ? without : { ...headers, accept: accept[1] }, body }
  }
  const version = /protocolVersion "(.*)"$/.exec(title)
  if (version !== null)
    return { path, headers, body: rpc("initialize", { ...INITIALIZE, protocolVersion: version[1] ?? "" }) }
  if (id === "M5")
    return { path, headers, body: rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {} }) }
  if (/^M[234]$/.test(id)) {
    const revision = /Version: (\S+)/.exec(title)?.[1]
    return {
      path,
      headers: revision === undefined ? headers : { ...headers, "mcp-protocol-version": revision },
      body: rpc("tools/list")
    }
  }
  if (/^N\d/.test(id)) return { path, headers, body: title.startsWith('"') ? String(JSON.parse(title)) : title }
  const plainly = /^(GET|DELETE|HEAD|PUT) (\S+)(?: (\{.*\}))?$/.exec(title)
  if (/^[PQ]/.test(id) && plainly !== null) {
    const more = JSON.parse(plainly[3] ?? "{}") as Readonly<Record<string, string | null>>
    const all = { ...headers, ...more }
    return {
      method: plainly[1] ?? "GET",
      path: plainly[2] ?? path,
      headers: Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
      )
    }
  }
  if (id === "P9") return { path, headers: { ...headers, "mcp-session-id": "unknown" }, body: rpc("ping") }
  const authorization = /^Authorization: (.*)$/.exec(title)?.[1]
  if (authorization !== undefined)
    return { path, headers: { ...plain, authorization: authorization.replace("…", "x") }, body: rpc("ping") }
  const sized = /^(\w+) (\{.*\}): text size$/.exec(title)
  if (id.startsWith("ZZ") && sized !== null)
    return { path, headers, body: call(sized[1] ?? "", JSON.parse(sized[2] ?? "{}")) }
  return null
}

const bodyOf = (text: string): string => /^data: (.*)$/m.exec(text)?.[1] ?? text

/** A token is at least this many characters of an answer. */
const TOKEN_CHARS = 3

/** What is wrong with an answer, by the words of what is expected. */
const wrongIn = ({ expected }: Case, got: Got): ReadonlyArray<string> => {
  const body = bodyOf(got.text)
  const statuses = [...expected.matchAll(/(?<![-\d,])\b([245]\d\d)\b(?!,)/g)].map(([, status]) => Number(status))
  const codes = [...expected.matchAll(/-32\d{3}/g)].map(([code]) => code)
  const isResult = got.status === 200 && body.includes('"result"')
  const isError = got.status >= 400 || body.includes('"error"') || body.includes('"isError":true')
  const tokens = /below ([\d,]+) tokens/.exec(expected)?.[1]
  const isRight =
    statuses.includes(got.status) ||
    codes.some((code) => body.includes(code)) ||
    // A method that was unknown then may be known by now.
    (codes.includes("-32601") && isResult) ||
    (/\bresults?\b|answered|list\b|\{\}|comes back|id text|status valid|absent|tokens/.test(expected) && isResult) ||
    (/\berror|isError|says|names|the issue/.test(expected) && isError && got.status < 500) ||
    (/resource/.test(expected) && got.status === 200)
  const challenge = String(got.headers["www-authenticate"] ?? "")
  return [
    ...(isRight ? [] : [`answered ${got.status} ${body.slice(0, 160)}`]),
    ...(expected.includes("with Allow") && got.headers["allow"] === undefined ? ["has no Allow"] : []),
    ...(expected.includes("resource_metadata") && !challenge.includes("resource_metadata")
      ? ["does not say where to read"]
      : []),
    ...(expected.includes('"invalid_token"') && !challenge.includes('error="invalid_token"')
      ? ["does not say invalid_token"]
      : []),
    ...(tokens !== undefined && body.length / TOKEN_CHARS > Number(tokens.replace(",", ""))
      ? [`has ${body.length} characters`]
      : [])
  ]
}

const registered = (service: Service, body: object): Promise<Got> =>
  send(service, {
    path: "/oauth/register",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "A case", ...body })
  })

const consentOf = async (service: Service, asks: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const uri = "http://127.0.0.1:33418/"
  const client = JSON.parse((await registered(service, { redirect_uris: [uri] })).text) as { client_id: string }
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: uri,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    ...asks
  })
  const got = await send(service, { method: "GET", path: `/oauth/authorize?${query.toString()}` })
  const to = String(got.headers["location"] ?? "")
  // Nobody is signed in, so a request that is in order leads to signing in.
  return got.status < 400 && !to.includes("error=") ? [] : [`answered ${got.status} ${to || got.text.slice(0, 160)}`]
}

const failuresOf = async (one: Case, service: Service): Promise<ReadonlyArray<string> | null> => {
  const asks = asksFor(one, service)
  if (asks !== null) return consentOf(service, asks)
  const client = CLIENTS[one.id]
  if (client !== undefined) {
    const got = await registered(service, client)
    const isMeant = one.id === "R10" ? got.status === 400 && got.text.includes('"error"') : got.status === 201
    return isMeant ? [] : [`answered ${got.status} ${got.text.slice(0, 160)}`]
  }
  const sent = sentBy(one, service)
  return sent === null ? null : wrongIn(one, await send(service, sent))
}

const KINDS: ReadonlyArray<readonly [beginning: RegExp, kind: string]> = [
  [/^L/, "MCP: what a client takes"],
  [/^M/, "MCP: revisions"],
  [/^N/, "MCP: messages"],
  [/^O/, "MCP: calls of tools"],
  [/^P/, "MCP: methods and credentials"],
  [/^Q/, "OAuth: discovery"],
  [/^R/, "OAuth: registration"],
  [/^S/, "OAuth: requests for consent"],
  [/^ZZ/, "MCP: sizes of answers"]
]

/** Those that were replayed, and the ids of those that are left to tests. */
export const protocolCases = (
  folder: string
): Promise<{ readonly outcomes: ReadonlyArray<Outcome>; readonly left: ReadonlyArray<string> }> =>
  withService(async (service) => {
    const cases = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as ReadonlyArray<Case>
    const outcomes: Array<Outcome> = [...(await chatCases(cases.map(({ id }) => id)))]
    const replayed = new Set(outcomes.map(({ id }) => id))
    const left: Array<string> = []
    for (const one of cases.filter(({ id }) => !replayed.has(id))) {
      const failures = await failuresOf(one, service)
      if (failures === null) left.push(one.id)
      else outcomes.push({ id: one.id, kind: KINDS.find(([of]) => of.test(one.id))?.[1] ?? "other", failures })
    }
    return { outcomes, left }
  })
