import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Option } from "effect"
import type { VendorConfig, VendorFacts } from "./Vendor.js"

/** Records the cost of an answer, in the vendor's unit. */
export type Spend = (amount: number) => Effect.Effect<void>

/** A workspace's own credential is charged to the workspace, so it costs the service nothing. */
export const spending =
  ({ name, unit }: Pick<VendorFacts, "name" | "unit">, { unitMicros }: Pick<VendorConfig, "unitMicros">): Spend =>
  (amount) =>
    amount <= 0
      ? Effect.void
      : Effect.gen(function* () {
          const access = yield* CurrentSourceAccess
          const own = yield* Effect.orElseSucceed(access.ownKey(name), Option.none)
          const micros = Option.isSome(own) ? 0 : Math.round(amount * unitMicros)
          yield* access.spent({ vendor: name, unit, amount, micros })
        })
