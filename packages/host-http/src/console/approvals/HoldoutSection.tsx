import { count } from "../../web/Words.js"
import { Section } from "../Parts.js"
import type { Part } from "./Part.js"

/** Whom a launch keeps from being written to. */
export const HoldoutPart: Part = ({ of }) => {
  const { snapshot } = of.approval
  const holdout = "holdout" in snapshot ? snapshot.holdout : undefined
  return holdout === undefined ? null : (
    <Section id="holdout" title="Kept from being written to" isCard>
      <p>
        {count(holdout.people, "lead")}, {holdout.percent}% of all, drawn by chance when the launch executes, get
        nothing from this campaign. What becomes of them shows what would have come anyway.
      </p>
    </Section>
  )
}
