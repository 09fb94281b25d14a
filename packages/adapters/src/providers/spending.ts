import { Upstreams } from "@outbound/domain/providers/Upstreams.js"
import { Effect } from "effect"
import type { VendorConfig, VendorFacts } from "./Vendor.js"

/** Takes note of what an answer cost, in the vendor's unit. */
export type Spend = (amount: number) => Effect.Effect<void>

export const spending =
  ({ name, unit }: Pick<VendorFacts, "name" | "unit">, { unitMicros }: Pick<VendorConfig, "unitMicros">): Spend =>
  (amount) =>
    amount <= 0
      ? Effect.void
      : Effect.flatMap(Upstreams, (reach) =>
          reach.spent({ vendor: name, unit, amount, micros: Math.round(amount * unitMicros) })
        )
