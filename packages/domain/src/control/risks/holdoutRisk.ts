import { counted, type RiskRule } from "./Risk.js"

/** People whom the launch keeps from being written to, to compare with. */
export const heldOut: RiskRule = ({ snapshot }) =>
  counted(
    {
      code: "held_out",
      weight: "note",
      words: ["lead is kept from being written to", "leads are kept from being written to"],
      anchor: "holdout"
    },
    "holdout" in snapshot ? snapshot.holdout?.people : undefined
  )
