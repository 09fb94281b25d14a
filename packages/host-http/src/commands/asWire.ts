import { ControlRefused } from "@outbound/domain/control/Control.js"
import { invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { Effect } from "effect"

/** What was refused in the console's words, in those of commands. `flagOf`: the flag that a field is given by. */
export const asWire =
  (flagOf: (path: string) => string = (path) => path) =>
  <A, E, R>(work: Effect.Effect<A, ControlRefused | E, R>) =>
    Effect.catchIf(
      work,
      (error): error is ControlRefused => error instanceof ControlRefused,
      ({ issues, reason }) =>
        Effect.fail(
          reason === "invalid"
            ? invalid(issues.map(({ path, ...issue }) => ({ ...issue, path: flagOf(path) })))
            : refuse("not_found", {}, "Not found.")
        )
    )
