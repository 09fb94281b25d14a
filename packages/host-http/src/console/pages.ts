import { type Context, Effect, Option } from "effect"
import type { OnStop } from "../HttpServer.js"
import type { Route } from "./Visit.js"

/** What pages need, under the names by which they use it: tags of services, or effects such as `maybe`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each page needs other services, and the list of pages needs them all
type Needs = Readonly<Record<string, Effect.Effect<any, never, any>>>

/** The services of a set of needs. */
export type Given<N extends Needs> = { readonly [K in keyof N]: Effect.Success<N[K]> }

/** Pages of the console, ready to be made. What they need of the host is in their type. */
export type Pages<R = never> = Effect.Effect<(onStop: OnStop) => ReadonlyArray<Route>, never, R>

/** A service that a host may do without: null where it has none. */
export const maybe = <I, S>(tag: Context.Key<I, S>): Effect.Effect<S | null> =>
  Effect.map(Effect.serviceOption(tag), Option.getOrNull)

/** Pages that belong together, and the services that they are made of. */
export const pages = <const N extends Needs>(
  needs: N,
  make: (services: Given<N>, onStop: OnStop) => ReadonlyArray<Route>
): Pages<Effect.Services<N[keyof N]>> =>
  // The library's own type of this is not resolved where the names are not known yet.
  Effect.map(
    Effect.all(needs) as unknown as Effect.Effect<Given<N>, never, Effect.Services<N[keyof N]>>,
    (services) => (onStop) => make(services, onStop)
  )
