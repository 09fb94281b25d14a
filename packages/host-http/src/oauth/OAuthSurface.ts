import { type Json, unkeepable } from "@outbound/domain/kernel/canonical.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { type OAuth, OAUTH_ERRORS, OAuthRefused, type Tokens } from "@outbound/domain/control/oauth/OAuth.js"
import type { RegisteredClient } from "@outbound/domain/control/oauth/OAuthStore.js"
import { destinationOf } from "@outbound/domain/control/oauth/redirects.js"
import { scopeText } from "@outbound/domain/control/oauth/scopes.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import type { Exchange, Surface } from "../http/Exchange.js"
import { formFlaws, formText, utf8Text } from "../http/FormText.js"
import { LIMITS } from "../http/Limits.js"
import { failure, json, type Reply } from "../http/Reply.js"
import { CONSENT_PATH } from "../console/consent/ConsentPage.js"
import { messagePage } from "../console/Shell.js"
import { seeOther } from "../web/Page.js"
import { leave } from "../console/consent/leave.js"
import { AUTHORIZE_PATH, metadataDocuments, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from "./Metadata.js"

type Service = OAuth["Service"]
type Failure = OAuthRefused | StoreUnavailable

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i
const JSON_TYPE = /^application\/json *(?:;|$)/i

const RETRY_SECONDS = "5"

/** Too many requests: only the status says so, because the standards have no such error. */
const statusOf = ({ error, retryAfterSeconds }: OAuthRefused): number =>
  retryAfterSeconds === undefined ? OAUTH_ERRORS[error] : 429

const retryAfter = ({ error, retryAfterSeconds }: OAuthRefused): Record<string, string> => {
  if (retryAfterSeconds !== undefined) return { "retry-after": String(retryAfterSeconds) }
  return error === "temporarily_unavailable" ? { "retry-after": RETRY_SECONDS } : {}
}

/** RFC 6749 §5.2 and RFC 7591 §3.2.2. */
const refusalReply = (refused: OAuthRefused): Reply =>
  json(statusOf(refused), JSON.stringify({ error: refused.error, error_description: refused.description }), {
    pragma: "no-cache",
    ...retryAfter(refused)
  })

const unavailable = new OAuthRefused({
  error: "temporarily_unavailable",
  description: "the service can't reach its database"
})

/** The reply to a program. */
const told = <A>(work: Effect.Effect<A, Failure>, reply: (result: A) => Reply): Effect.Effect<Reply> =>
  work.pipe(
    Effect.map(reply),
    Effect.catchTags({
      OAuthRefused: (refused) => Effect.succeed(refusalReply(refused)),
      StoreUnavailable: (error) =>
        Effect.as(Effect.logError("oauth: the database is unavailable", error), refusalReply(unavailable))
    })
  )

const tokensReply = ({ accessToken, expiresInSeconds, refreshToken, scopes }: Tokens): Reply =>
  json(
    200,
    JSON.stringify({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope: scopeText(scopes)
    }),
    { pragma: "no-cache" }
  )

const registeredReply = ({ clientId, createdAtMillis, name, redirectUris }: RegisteredClient): Reply =>
  json(
    201,
    JSON.stringify({
      client_id: clientId,
      client_id_issued_at: Math.floor(createdAtMillis / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none"
    })
  )

/** A page for a request that can't be answered to a client. */
const strayPage = (refused: OAuthRefused): Reply =>
  refused.retryAfterSeconds === undefined
    ? messagePage({
        status: 400,
        title: "Invalid request",
        text: `The program that sent you here made an invalid request: ${refused.description}. Nothing was allowed. Start again from the program.`
      })
    : messagePage({
        status: 429,
        title: "Too many requests",
        text: `Too many requests came from your network. Nothing was allowed. Start again from the program in ${Math.ceil(refused.retryAfterSeconds / 60)} minutes.`,
        headers: retryAfter(refused)
      })

/**
 * An error for the client. Anybody can name a redirect address, so only the human's click leads to another site
 * (RFC 9700 §4.11.2). A program on the human's machine is redirected to at once.
 */
const errorReply = (redirectTo: string): Reply => {
  const to = destinationOf(redirectTo)
  if (to._tag === "Loopback") return leave(redirectTo)
  return messagePage({
    status: 400,
    title: "Invalid request",
    text: "The program that sent you here asked for something it can’t have. Nothing was allowed. If you trust the program, you can return to it.",
    to: { path: redirectTo, text: to._tag === "Host" ? `Go back to ${to.host}` : "Go back to the program" }
  })
}

const storePage = messagePage({
  status: 503,
  title: "Temporarily unavailable",
  text: "The service can’t reach its database. Nothing was allowed. Try again in a moment.",
  headers: { "retry-after": RETRY_SECONDS }
})

const ask = (oauth: Service, given: URLSearchParams, from: string): Effect.Effect<Reply> =>
  oauth.ask(given, from).pipe(
    Effect.map((asked) =>
      asked._tag === "Waiting" ? seeOther(`${CONSENT_PATH}/${asked.requestId}`) : errorReply(asked.redirectTo)
    ),
    Effect.catchTags({
      OAuthRefused: (refused) => Effect.succeed(strayPage(refused)),
      StoreUnavailable: (error) => Effect.as(Effect.logError("oauth: the database is unavailable", error), storePage)
    })
  )

const notTextPage = messagePage({
  status: 400,
  title: "Not readable",
  text: "The address holds bytes that are not text. Nothing was allowed. Start again from the program."
})

const notAllowed = (exchange: Exchange, allow: string): void =>
  exchange.send(failure(refuse("invalid_request", { reason: "method_not_allowed" }), exchange.requestId, { allow }))

const malformed = (description: string): Reply =>
  refusalReply(new OAuthRefused({ error: "invalid_request", description }))

/** Reads a small body of one type. */
const reading = (
  exchange: Exchange,
  type: RegExp,
  textOf: (bytes: Buffer) => string | null,
  use: (text: string) => Effect.Effect<Reply>
): void => {
  if (!type.test(exchange.header("content-type") ?? "")) {
    return exchange.send(malformed("the body has the wrong content type"))
  }
  exchange.readBody(LIMITS.formBytesMax, (body) => {
    if (body._tag !== "Complete") return exchange.send(malformed("the body is too large"))
    const text = textOf(body.bytes)
    return text === null ? exchange.send(malformed("the body is not text in UTF-8")) : exchange.run(use(text))
  })
}

/** Clients have no secrets here (RFC 6749 §5.2). */
const secretRefused: Reply = {
  ...refusalReply(new OAuthRefused({ error: "invalid_client", description: "clients have no secret here" })),
  headers: {
    ...refusalReply(new OAuthRefused({ error: "invalid_client", description: "" })).headers,
    "www-authenticate": 'Basic realm="outbound"'
  }
}

/**
 * The client that a Basic credential names without a secret: libraries send a public client's id so (RFC 6749 §2.3.1). Null: it
 * is anything else.
 */
const namedBy = (authorization: string): string | null => {
  const [, encoded = ""] = /^basic +([a-z\d+/]+=*) *$/i.exec(authorization) ?? []
  const text = utf8Text(Buffer.from(encoded, "base64"))
  if (text === null || text.indexOf(":") < 1 || !text.endsWith(":")) return null
  return new URLSearchParams(`id=${text.slice(0, -1)}`).get("id")
}

/** The parameters of a form, with the client that the header names; null: the header proves or claims something else. */
const formOf = (exchange: Exchange, text: string): URLSearchParams | null => {
  const form = new URLSearchParams(text)
  const authorization = exchange.header("authorization")
  if (authorization === undefined) return form
  const clientId = namedBy(authorization)
  if (clientId === null || form.getAll("client_id").some((one) => one !== clientId)) return null
  if (!form.has("client_id")) form.set("client_id", clientId)
  return form
}

/** Null: not JSON, or not text that we can keep. */
const parsed = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as Json
    return unkeepable(value) === null ? value : null
  } catch {
    return null
  }
}

const readingForm = (exchange: Exchange, use: (form: URLSearchParams) => Effect.Effect<Reply>): void => {
  const authorization = exchange.header("authorization")
  if (authorization !== undefined && namedBy(authorization) === null) return exchange.send(secretRefused)
  reading(exchange, FORM_TYPE, formText, (text) => {
    const form = formOf(exchange, text)
    return form === null ? Effect.succeed(secretRefused) : use(form)
  })
}

/** OAuth for programs and browsers. The consent page is in the console. */
export const oauthSurface = (oauth: Service, baseUrl: string): Surface => {
  const documents = metadataDocuments(baseUrl)
  const posts: Readonly<Record<string, (exchange: Exchange) => void>> = {
    [REGISTER_PATH]: (exchange) =>
      reading(exchange, JSON_TYPE, utf8Text, (text) =>
        told(oauth.register(parsed(text), exchange.client), registeredReply)
      ),
    [TOKEN_PATH]: (exchange) => readingForm(exchange, (form) => told(oauth.token(form), tokensReply)),
    [REVOKE_PATH]: (exchange) => readingForm(exchange, (form) => told(oauth.revoke(form), () => json(200, "{}")))
  }

  const handle = (exchange: Exchange): void => {
    const { method, path } = exchange
    exchange.label = path.slice(1)
    const isRead = method === "GET" || method === "HEAD"
    const document = documents[path]
    if (document !== undefined) {
      return isRead ? exchange.send(json(200, document)) : notAllowed(exchange, "GET, HEAD")
    }
    if (path === AUTHORIZE_PATH) {
      // HEAD starts no authorization.
      if (method !== "GET") return notAllowed(exchange, "GET")
      if (formFlaws(exchange.search).length > 0) return exchange.send(notTextPage)
      return exchange.run(ask(oauth, new URLSearchParams(exchange.search), exchange.client))
    }
    if (method !== "POST") return notAllowed(exchange, "POST")
    if (path === REGISTER_PATH && exchange.header("authorization") !== undefined) return exchange.send(secretRefused)
    posts[path]?.(exchange)
  }

  return {
    name: "oauth",
    // Programs in a browser register and get tokens as others do. To ask, they send the human here.
    crossOrigin: { allows: (_, path) => path !== AUTHORIZE_PATH, methods: "GET, HEAD, POST, OPTIONS" },
    owns: (path) => path === AUTHORIZE_PATH || Object.hasOwn(documents, path) || Object.hasOwn(posts, path),
    handle
  }
}
