import { TRAIL_KINDS, type TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Either } from "effect"
import { Choice } from "../control/Choice.js"
import { isOn, type Typed } from "../control/fields.js"
import type { Problem } from "../Parts.js"
import { KIND_WORDS } from "../trail/trailWords.js"

/** Which kinds of events are wanted. */
export const KindFields = (props: {
  /** Empty: every kind. */
  readonly kinds: ReadonlyArray<TrailKind>
  /** What was typed, where something of it was wrong. */
  readonly problem: Problem | undefined
}) => {
  const form = props.problem?.form
  const every = form === undefined ? props.kinds.length === 0 : isOn(form, "every")
  const wanted: ReadonlyArray<string> = form?.getAll("kinds") ?? props.kinds
  return (
    <>
      <Choice
        name="every"
        label="Every kind"
        hint="Kinds that come later too. What is ticked below counts for nothing then."
        isOn={every}
      />
      <fieldset>
        <legend>Or only these</legend>
        {TRAIL_KINDS.map((kind) => (
          <Choice
            key={kind}
            name="kinds"
            id={`f-kind-${kind}`}
            value={kind}
            label={KIND_WORDS[kind]}
            isOn={wanted.includes(kind)}
          />
        ))}
      </fieldset>
    </>
  )
}

/** What such a form says; no kinds: every kind. */
export const kindsOf = (form: URLSearchParams): Typed<ReadonlyArray<TrailKind>> => {
  if (isOn(form, "every")) return Either.right([])
  const wanted = form.getAll("kinds")
  const kinds = TRAIL_KINDS.filter((kind) => wanted.includes(kind))
  return kinds.length > 0 ? Either.right(kinds) : Either.left([{ path: "kinds", message: "must be one at least" }])
}
