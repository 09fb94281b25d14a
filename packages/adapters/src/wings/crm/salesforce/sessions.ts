import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Redacted, Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { maybe } from "../../../providers/shape.js"
import { sendingBy, type VendorHttp, type VendorRequest } from "../../../providers/VendorHttp.js"
import type { CrmAccount } from "../CrmHttp.js"

/** The domains of customers there. A secret is sent nowhere else. */
export const HOSTS = {
  pattern: /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.my\.(?:salesforce\.com|salesforce\.mil|sfcrmproducts\.cn)$/,
  words: "must be your domain there, which ends in .my.salesforce.com"
}

/** Most accounts whose token is remembered. The one that was used longest ago is forgotten first. */
const SESSIONS_MAX = 1_000

interface Session {
  readonly token: Redacted.Redacted
  /** Where the account's requests go. */
  readonly instance: string
}

const Granted = Schema.Struct({
  access_token: Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,16384}$/)),
  instance_url: maybe(Schema.String)
})

/** Which account a token is of; a secret that was replaced makes another one. */
const keyOf = ({ address, clientId, secret }: CrmAccount["access"]): string =>
  createHash("sha256")
    .update(JSON.stringify([address, clientId, Redacted.value(secret)]))
    .digest("hex")

/** The vendor's own server. Null: the answer names another one, which gets no token. */
const instanceOf = (named: string | null, address: string): string | null => {
  if (named === null || named === "") return address
  if (!URL.canParse(named)) return null
  const { hostname, origin, protocol } = new URL(named)
  return origin === address || (protocol === "https:" && HOSTS.pattern.test(hostname)) ? origin : null
}

const isRefusedToken = ({ cause, reason }: ProviderFailure): boolean =>
  reason === "account" && typeof cause === "string" && cause.startsWith("status 401")

/**
 * Requests under access tokens of the client credentials flow. A token is kept until it is refused: then a new one is
 * asked for once, and the request repeated. A refused request did nothing, so that holds for those with effects too.
 */
export const makeSessions = () => {
  const sessions = new Map<string, Session>()

  return (account: CrmAccount): VendorHttp => {
    const { access, http, under } = account
    const address = access.address ?? ""
    const key = keyOf(access)

    /** `transient`: nobody knows whether it was granted, and asking again does no harm. */
    const renewed = Effect.gen(function* () {
      const { access_token, instance_url } = yield* under(null).read(Granted, {
        method: "POST",
        path: "/services/oauth2/token",
        form: {
          grant_type: "client_credentials",
          client_id: access.clientId ?? "",
          client_secret: Redacted.value(access.secret)
        }
      })
      const instance = instanceOf(instance_url, address)
      if (instance === null) return yield* http.failed("transient", "it names an instance elsewhere")
      const session = { token: Redacted.make(access_token), instance }
      sessions.delete(key)
      sessions.set(key, session)
      const [oldest] = sessions.keys()
      if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest)
      return session
    }).pipe(Effect.mapError(refusedProgram(http)))

    const send = (request: VendorRequest) =>
      Effect.gen(function* () {
        const held = sessions.get(key)
        const { instance, token } = held ?? (yield* renewed)
        const answer = yield* Effect.result(under(token, instance).send(request))
        if (Result.isSuccess(answer)) return answer.success
        if (!isRefusedToken(answer.failure)) return yield* answer.failure
        if (sessions.get(key)?.token === token) sessions.delete(key)
        if (held === undefined) return yield* answer.failure
        const next = yield* renewed
        return yield* under(next.token, next.instance).send(request)
      })

    return sendingBy(http, send)
  }
}

/** A refusal of the token endpoint (RFC 6749 §5.2) is about the program or its secret: its owner must mend it. */
const refusedProgram =
  (http: VendorHttp) =>
  (failure: ProviderFailure): ProviderFailure =>
    failure.reason === "invalid" ? http.failed("account", "the program or its secret is refused") : failure
