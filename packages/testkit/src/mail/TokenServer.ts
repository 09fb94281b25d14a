import { Effect, type Scope } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A token endpoint within this process (RFC 6749 §6). */
export interface TokenServer {
  readonly url: string
  /** The forms that came in, oldest first. */
  readonly asked: ReadonlyArray<Readonly<Record<string, string>>>
  /** The refresh tokens that it takes. */
  readonly good: Set<string>
  /** Whether each refresh spends the token that it was asked with, and gives another. */
  rotates: boolean
  /** For how many seconds an access token is good. */
  lifetimeSeconds: number
  /** What it answers whatever it is asked; null: as it should. */
  always: { readonly status: number; readonly body: string; readonly location?: string } | null
  /** When a form came in; it is answered after that. */
  onAsked: () => Promise<void>
}

const BODY_CHARS_MAX = 64 * 1024

export const makeTokenServer = (
  /** Gets each access token before the client does. */
  onGiven: (accessToken: string) => void = () => undefined
): Effect.Effect<TokenServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked: Array<Readonly<Record<string, string>>> = []
    let count = 0

    const answer = (form: Readonly<Record<string, string>>): { readonly status: number; readonly body: string } => {
      const refreshToken = form["refresh_token"] ?? ""
      if (form["grant_type"] !== "refresh_token" || !state.good.has(refreshToken)) {
        return {
          status: 400,
          body: JSON.stringify({ error: "invalid_grant", error_description: `not ${refreshToken}` })
        }
      }
      count += 1
      const accessToken = `access-${count}`
      onGiven(accessToken)
      const next = `refresh-${count}`
      if (state.rotates) {
        state.good.delete(refreshToken)
        state.good.add(next)
      }
      return {
        status: 200,
        body: JSON.stringify({
          access_token: accessToken,
          token_type: "Bearer",
          expires_in: state.lifetimeSeconds,
          ...(state.rotates ? { refresh_token: next } : {})
        })
      }
    }

    const respond = (form: Readonly<Record<string, string>>, response: ServerResponse): void => {
      const { body, location, status } = { location: undefined, ...(state.always ?? answer(form)) }
      response.writeHead(status, {
        "content-type": "application/json",
        ...(location === undefined ? {} : { location })
      })
      response.end(body)
    }

    const server = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (chunk: string) => {
        if (text.length < BODY_CHARS_MAX) text += chunk
      })
      request.on("end", () => {
        const form = Object.fromEntries(new URLSearchParams(text))
        asked.push(form)
        void state.onAsked().then(() => respond(form, response))
      })
    })
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        })
    )
    const state: TokenServer = {
      url: `http://127.0.0.1:${port}/token`,
      asked,
      good: new Set(),
      rotates: false,
      lifetimeSeconds: 3_600,
      always: null,
      onAsked: () => Promise.resolve()
    }
    return state
  })
