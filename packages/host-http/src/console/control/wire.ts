import { ControlRefused } from "@outbound/domain/control/Control.js"
import { type AnyWireError, isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"

const refusedOf = (error: AnyWireError): Effect.Effect<never, ControlRefused> => {
  switch (error.code) {
    case "invalid_request":
      return Effect.fail(new ControlRefused({ reason: "invalid", issues: error.details.issues ?? [] }))
    case "not_found":
      return Effect.fail(new ControlRefused({ reason: "not_found", issues: [] }))
    default:
      return Effect.die(error)
  }
}

/** Translates a verb's refusal into one of the console. Any other code is a defect. */
export const asControl = <A, R>(
  work: Effect.Effect<A, AnyWireError | ControlRefused | StoreUnavailable, R>
): Effect.Effect<A, ControlRefused | StoreUnavailable, R> =>
  Effect.catch(work, (error): Effect.Effect<never, ControlRefused | StoreUnavailable> =>
    isWireError(error) ? refusedOf(error) : Effect.fail(error)
  )
