import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Cause, Effect, Exit, type Layer, Redacted, Scope } from "effect"
import { type Client, make } from "./Client.js"
import * as Http from "./Http.js"
import type { Protocol } from "./Rpc.js"

/** A method that answers by a promise, which is rejected with the refusal, or with `RpcClientError`. */
type Promised<M> = M extends {
  (...args: infer A1): Effect.Effect<infer R1, infer _E1>
  (...args: infer A2): Effect.Effect<infer R2, infer _E2>
}
  ? { (...args: A1): Promise<R1>; (...args: A2): Promise<R2> }
  : M extends (...args: infer A) => Effect.Effect<infer R, infer _E>
    ? (...args: A) => Promise<R>
    : never

/** The client for programs that are written with promises. */
export type PromiseClient = { readonly [N in VerbName]: Promised<Client[N]> } & {
  readonly close: () => Promise<void>
}

const orThrow = <A, E>(exit: Exit.Exit<A, E>): A =>
  Exit.match(exit, {
    onSuccess: (value) => value,
    onFailure: (cause) => {
      throw Cause.squash(cause)
    }
  })

/** Makes a client over HTTP. Nothing is sent before the first call. */
export const connect = (options: { readonly url: string; readonly apiKey: string }): Promise<PromiseClient> =>
  promised(Http.layer({ url: options.url, apiKey: Redacted.make(options.apiKey) }))

/** The same over any protocol, such as that of a service in this process. */
export const promised = async (protocol: Layer.Layer<Protocol>): Promise<PromiseClient> => {
  const scope = Effect.runSync(Scope.make())
  const client = (await Effect.runPromise(
    make.pipe(Effect.provide(protocol), Scope.provide(scope))
  )) as unknown as Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>>>
  const methods = Object.keys(verbs).map((name) => [
    name,
    async (...args: ReadonlyArray<unknown>) =>
      orThrow(await Effect.runPromiseExit(client[name]?.(...args) ?? Effect.die(new Error(`no verb ${name}`))))
  ])
  return {
    ...(Object.fromEntries(methods) as Omit<PromiseClient, "close">),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
