import { Context, Effect, Layer } from "effect"
import { audit, type Auditor } from "./Books.js"
import { type EmbeddedPlace, embeddedPlace } from "./Place.js"
import { type Host, serve } from "./Host.js"

/** One service on its own embedded database, for the tests of a file. */
export class Served extends Context.Service<
  Served,
  { readonly place: EmbeddedPlace; readonly host: Host; readonly auditor: Auditor }
>()("@outbound/host-http/system/support/Served") {
  static readonly layer = Layer.effect(
    Served,
    Effect.gen(function* () {
      const place = yield* embeddedPlace
      const host = yield* serve(place)
      return { place, host, auditor: yield* audit(place) }
    })
  )
}
