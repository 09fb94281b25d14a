/** What is found without a credential: what the service is, how it is called, and whom to tell of a hole. */
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { hash } from "node:crypto"
import { type Exchange, lateSurface, type Surface } from "../http/Exchange.js"
import { failure, JSON_TYPE, type Reply } from "../http/Reply.js"
import { verbPages } from "../openapi/VerbPages.js"
import { readDocPages } from "./DocPages.js"
import { llmsFullText, llmsText } from "./llms.js"
import { SECURITY_PATH, securityText } from "./securityText.js"
import {
  CARD_PATH,
  CARD_TYPE,
  catalog,
  CATALOG_PATHS,
  CATALOG_TYPE,
  OLDER_CARD_PATHS,
  registryEntry,
  REGISTRY_PATH,
  serverCard
} from "./ServerCard.js"

export interface Discovered {
  readonly verbs: ReadonlyArray<AnyVerb>
  readonly baseUrl: string
  readonly takesSignUps: boolean
  /** Null: the operator named none, and there is no `security.txt`. */
  readonly securityContact: string | null
}

const MARKDOWN = "text/markdown; charset=utf-8"
const PLAIN = "text/plain; charset=utf-8"

const LLMS_PATH = "/llms.txt"
const LLMS_FULL_PATH = "/llms-full.txt"
const PAGE = /^\/docs\/([\w/.-]+\.md)$/

/** Where a program that was given the bare address looks next (RFC 8288, RFC 8631). */
export const DISCOVERY_LINKS = [
  `<${LLMS_PATH}>; rel="alternate"; type="${PLAIN.split(";")[0]}"`,
  `</openapi.json>; rel="service-desc"; type="${JSON_TYPE}"`,
  `</docs>; rel="service-doc"; type="text/html"`,
  `<${CATALOG_PATHS[0]}>; rel="ai-catalog"; type="${CATALOG_TYPE}"`
].join(", ")

interface Document {
  readonly type: string
  readonly body: string
  readonly etag: string
}

const document = (type: string, body: string): Document => ({
  type,
  body,
  etag: `"${hash("sha256", body, "base64url").slice(0, 22)}"`
})

/** Every page of every site may read them: they are public and take nothing. */
const headersOf = ({ etag, type }: Document): Record<string, string> => ({
  "content-type": type,
  etag,
  "cache-control": "public, max-age=3600",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag",
  "x-content-type-options": "nosniff"
})

const known = (exchange: Exchange, { etag }: Document): boolean =>
  (exchange.header("if-none-match") ?? "").split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()))

const replyOf = (exchange: Exchange, found: Document): Reply =>
  known(exchange, found)
    ? { status: 304, headers: headersOf(found), body: "" }
    : { status: 200, headers: headersOf(found), body: found.body }

const documentsOf = ({ baseUrl, takesSignUps, verbs }: Discovered): ReadonlyMap<string, Document> => {
  const reference = [...verbPages(verbs, baseUrl)].map(([name, text]) => [`reference/${name}`, text] as const)
  const pages = readDocPages(new Map(reference))
  const told = { verbs, pages, baseUrl, takesSignUps }
  const card = document(CARD_TYPE, JSON.stringify(serverCard(baseUrl)))
  const list = document(CATALOG_TYPE, JSON.stringify(catalog(baseUrl)))
  return new Map([
    [LLMS_PATH, document(PLAIN, llmsText(told))],
    [LLMS_FULL_PATH, document(PLAIN, llmsFullText(told))],
    ...[CARD_PATH, ...OLDER_CARD_PATHS].map((path) => [path, card] as const),
    ...CATALOG_PATHS.map((path) => [path, list] as const),
    [REGISTRY_PATH, document(JSON_TYPE, JSON.stringify(registryEntry(baseUrl), undefined, 2))],
    ...[...pages].map(([name, text]) => [`/docs/${name}`, document(MARKDOWN, text)] as const)
  ])
}

const FIXED: ReadonlySet<string> = new Set([
  LLMS_PATH,
  LLMS_FULL_PATH,
  CARD_PATH,
  ...OLDER_CARD_PATHS,
  ...CATALOG_PATHS,
  REGISTRY_PATH
])

/** The documents are made when the first of them is asked for. */
export const discoverySurface = (of: Discovered): Surface => {
  const { baseUrl, securityContact } = of
  return lateSurface({
    name: "discovery",
    owns: (path) => FIXED.has(path) || PAGE.test(path) || (securityContact !== null && path === SECURITY_PATH),
    make: async () => {
      const documents = documentsOf(of)
      const find = (path: string): Document | undefined =>
        path === SECURITY_PATH && securityContact !== null
          ? document(PLAIN, securityText(securityContact, baseUrl, Date.now()))
          : documents.get(path)
      return {
        handle: (exchange) => {
          exchange.label = "discovery"
          if (exchange.method !== "GET" && exchange.method !== "HEAD") {
            const refusal = refuse("invalid_request", { reason: "method_not_allowed" })
            return exchange.send(failure(refusal, exchange.requestId, { allow: "GET, HEAD" }))
          }
          const found = find(exchange.path)
          exchange.send(
            found === undefined
              ? failure(refuse("not_found", {}, "Page not found."), exchange.requestId)
              : replyOf(exchange, found)
          )
        }
      }
    }
  })
}
