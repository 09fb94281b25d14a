import { Effect, type Scope } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How the provider misbehaves. `well`: not at all. */
export const CONSENT_MOODS = [
  "well",
  /** The person declines. */
  "denied",
  /** It answers with a state that nobody sent. */
  "other_state",
  "no_refresh_token",
  /** The person unticked reading. */
  "fewer_scopes",
  /** It refuses the client. */
  "client_refused",
  /** It answers with a page. */
  "garbage",
  "too_long",
  "broken",
  /** It takes the request and never answers. */
  "silent",
  "hangs_up"
] as const
export type ConsentMood = (typeof CONSENT_MOODS)[number]

/** What a person allowed, and who they are. */
export interface Allowed {
  readonly address: string
  readonly scope: string
}

interface Issued extends Allowed {
  readonly challenge: string
  readonly redirectUri: string
}

/** An authorization server over HTTP (RFC 6749, RFC 7636) that checks everything it is sent. */
export interface ConsentProvider {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** What servers of mail ask about an access token, which follows: an answer, or 400 (as Google's `tokeninfo`). */
  readonly tokenInfoUrl: string
  /** What an access token is good for; null: nothing. */
  readonly allowedBy: (accessToken: string) => Allowed | null
  readonly clientId: string
  readonly clientSecret: string
  readonly be: (mood: ConsentMood) => void
  /** What the last person was asked. */
  readonly asked: () => URLSearchParams
  /** Every refresh token that was given, in order. */
  readonly given: () => ReadonlyArray<string>
  /** How many requests the token endpoint has had. */
  readonly exchanges: () => number
}

const CLIENT = { clientId: "client-of-the-operator", clientSecret: "secret-of-the-client" }

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const piece of request) text += String(piece)
  return new URLSearchParams(text)
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url")

/** Starts one on a free TCP port of the loopback. It ends with the scope. */
export const consentProvider: Effect.Effect<ConsentProvider, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    let mood: ConsentMood = "well"
    let asked = new URLSearchParams()
    let exchanges = 0
    const codes = new Map<string, Issued>()
    const given: Array<string> = []
    const refreshed = new Map<string, Allowed>()
    const accesses = new Map<string, Allowed>()

    const accessFor = (allowed: Allowed): string => {
      const access = randomBytes(24).toString("base64url")
      accesses.set(access, allowed)
      return access
    }

    const authorize = (url: URL, response: ServerResponse): void => {
      asked = url.searchParams
      const back = new URL(asked.get("redirect_uri") ?? "http://nowhere.test")
      back.searchParams.set("state", mood === "other_state" ? "made-up" : (asked.get("state") ?? ""))
      if (mood === "denied") {
        back.searchParams.set("error", "access_denied")
        back.searchParams.set("error_description", "<script>alert(1)</script> of the provider")
      } else {
        const code = randomBytes(16).toString("base64url")
        codes.set(code, {
          challenge: asked.get("code_challenge") ?? "",
          redirectUri: asked.get("redirect_uri") ?? "",
          address: asked.get("login_hint") ?? "",
          scope: asked.get("scope") ?? ""
        })
        back.searchParams.set("code", code)
      }
      response.writeHead(302, { location: back.href }).end()
    }

    const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      exchanges += 1
      const form = await bodyOf(request)
      if (mood === "silent") return
      if (mood === "hangs_up") return void request.socket.destroy()
      if (mood === "broken") return answer(response, 500, { error: "server_error" })
      if (mood === "garbage") return void response.writeHead(200).end("<html>Sorry</html>")
      if (mood === "too_long") return void response.writeHead(200).end(`{"access_token":"${"a".repeat(200_000)}"}`)
      const isClient = form.get("client_id") === CLIENT.clientId && form.get("client_secret") === CLIENT.clientSecret
      if (mood === "client_refused" || !isClient) {
        return answer(response, 401, { error: "invalid_client", error_description: form.toString() })
      }
      if (form.get("grant_type") === "refresh_token") {
        const allowed = refreshed.get(form.get("refresh_token") ?? "")
        if (allowed === undefined) return answer(response, 400, { error: "invalid_grant" })
        return answer(response, 200, { access_token: accessFor(allowed), token_type: "Bearer", expires_in: 3599 })
      }
      const code = form.get("code") ?? ""
      const issued = codes.get(code)
      codes.delete(code)
      if (
        form.get("grant_type") !== "authorization_code" ||
        issued === undefined ||
        issued.redirectUri !== form.get("redirect_uri") ||
        issued.challenge !== sha256(form.get("code_verifier") ?? "")
      ) {
        return answer(response, 400, { error: "invalid_grant", error_description: form.toString() })
      }
      const refresh_token = randomBytes(24).toString("base64url")
      given.push(refresh_token)
      refreshed.set(refresh_token, issued)
      answer(response, 200, {
        access_token: accessFor(issued),
        token_type: "Bearer",
        expires_in: 3599,
        scope: mood === "fewer_scopes" ? "openid" : issued.scope,
        ...(mood === "no_refresh_token" ? {} : { refresh_token })
      })
    }

    const tokenInfo = (url: URL, response: ServerResponse): void => {
      const allowed = accesses.get(url.searchParams.get("access_token") ?? "")
      if (allowed === undefined) return answer(response, 400, { error: "invalid_token" })
      answer(response, 200, { email: allowed.address, scope: allowed.scope, expires_in: 3599 })
    }

    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1")
      // Google's page of consent ends in /auth, Microsoft's in /authorize; both tokens' addresses in /token.
      if (/\/auth(?:orize)?$/.test(url.pathname)) authorize(url, response)
      else if (url.pathname.endsWith("/token") && request.method === "POST") void token(request, response)
      else if (url.pathname === "/tokeninfo") tokenInfo(url, response)
      else answer(response, 404, {})
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider: ConsentProvider = {
      authorizeUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      tokenInfoUrl: `${base}/tokeninfo?access_token=`,
      allowedBy: (accessToken) => accesses.get(accessToken) ?? null,
      ...CLIENT,
      be: (next) => void (mood = next),
      asked: () => asked,
      given: () => given,
      exchanges: () => exchanges
    }
    return { provider, server }
  }),
  ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
).pipe(Effect.map(({ provider }) => provider))
