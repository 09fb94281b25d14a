import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, Effect, type Layer } from "effect"
import { csrfToken } from "../../src/console/Session.js"
import { HttpServer } from "../../src/HttpServer.js"
import { consoleHost } from "./ConsoleHost.js"
import type { Role } from "@outbound/domain/control/users/UserStore.js"
import { Desk, type Tenant } from "./Desk.js"
import { furnish } from "./Furnished.js"

export const BASE = "http://outbound.test"

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Form = Readonly<Record<string, string>>

export const send = (method: string, path: string, headers: Record<string, string> = {}, form?: Form) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    return yield* Effect.promise(async (): Promise<Got> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers,
        redirect: "manual",
        ...(form === undefined ? {} : { body: new URLSearchParams(form) })
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  })

/** Somebody who is signed in since then, with what their forms carry. */
export const visitor = (of: Tenant, role: Role = "owner", ageMillis = 0) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const crypto = yield* Crypto
    const secret = yield* desk.session(of, role, ageMillis)
    const cookie = `outbound_session=${secret}`
    const csrf = csrfToken(crypto, secret)
    return {
      csrf,
      cookie,
      get: (path: string) => send("GET", path, { cookie }),
      post: (path: string, form: Form = {}) => send("POST", path, { cookie, origin: BASE }, { csrf, ...form })
    }
  })

export const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof consoleHost>>>) =>
  effect.pipe(Effect.provide(consoleHost(BASE)))

/** A furnished workspace, ours. */
export const furnished = Effect.gen(function* () {
  const desk = yield* Desk
  return yield* furnish(desk.ours, yield* Clock.currentTimeMillis)
})
