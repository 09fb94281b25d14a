import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Cause, Effect, Exit, type Layer, Redacted, Scope } from "effect"
import { type CallOptions, type Client, makeWith, type Patience } from "./Client.js"
import * as Http from "./Http.js"
import type { Protocol } from "./Rpc.js"

/** A method that answers by a promise, which is rejected with the refusal, or with `NoAnswer`. */
type Promised<M> = M extends {
  (...args: infer A1): Effect.Effect<infer R1, infer _E1>
  (...args: infer A2): Effect.Effect<infer R2, infer _E2>
}
  ? { (...args: A1): Promise<R1>; (...args: A2): Promise<R2> }
  : M extends (...args: infer A) => Effect.Effect<infer R, infer _E>
    ? (...args: A) => Promise<R>
    : never

/** The client for programs that are written with promises. */
export type PromiseClient = { readonly [N in keyof Client]: Promised<Client[N]> } & {
  /** Gives up what is under way. */
  readonly close: () => Promise<void>
  /** The same, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

export interface PromiseOptions extends Patience {
  /** Gives up every call of this client. */
  readonly signal?: AbortSignal | undefined
}

export interface ConnectOptions extends PromiseOptions {
  readonly url: string
  readonly apiKey: string
}

const orThrow = <A, E>(exit: Exit.Exit<A, E>): A =>
  Exit.match(exit, {
    onSuccess: (value) => value,
    onFailure: (cause) => {
      throw Cause.squash(cause)
    }
  })

type AnyCall = (request: object | undefined, options: CallOptions) => Effect.Effect<unknown, unknown>

/** A client over HTTP. */
export const connected = ({ apiKey, url, ...options }: ConnectOptions): Promise<PromiseClient> =>
  promised(Http.layer({ url, apiKey: Redacted.make(apiKey) }), options)

/** A client over any protocol, such as that of a service in this process. */
export const promised = async (
  protocol: Layer.Layer<Protocol>,
  { signal, ...patience }: PromiseOptions = {}
): Promise<PromiseClient> => {
  const scope = Effect.runSync(Scope.make())
  const client = await Effect.runPromise(makeWith(patience).pipe(Effect.provide(protocol), Scope.provide(scope)))
  const calls = client as unknown as Readonly<Record<VerbName, AnyCall>>
  const closing = new AbortController()
  const close = async () => {
    closing.abort(new Error("the client was closed"))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  const methods = Object.keys(verbs).map((name) => [
    name,
    async (request?: object, options: CallOptions = {}) => {
      const signals = [closing.signal, signal, options.signal].filter((one) => one !== undefined)
      const call = calls[name as VerbName](request, { ...options, signal: AbortSignal.any(signals) })
      return orThrow(await Effect.runPromiseExit(call))
    }
  ])
  return Object.assign(Object.fromEntries(methods), { close, [Symbol.asyncDispose]: close }) as PromiseClient
}
