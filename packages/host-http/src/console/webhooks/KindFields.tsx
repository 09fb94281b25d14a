import { TRAIL_KINDS, type TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Either } from "effect"
import { Choice } from "../control/Choice.js"
import { isOn, type Typed } from "../control/acting.js"
import { useTyped } from "../Parts.js"
import { KIND_WORDS } from "../trail/trailWords.js"

/** The choice of event kinds. */
export const KindFields = (props: {
  /** Empty: every kind. */
  readonly kinds: ReadonlyArray<TrailKind>
}) => {
  const form = useTyped()
  const every = form === undefined ? props.kinds.length === 0 : isOn(form, "every")
  const wanted: ReadonlyArray<string> = form?.getAll("kinds") ?? props.kinds
  return (
    <>
      <Choice
        name="every"
        label="All events"
        hint="Includes kinds added later. Overrides the choice below."
        isOn={every}
      />
      <fieldset>
        <legend>Or only these events</legend>
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

/** The chosen kinds; empty means every kind. */
export const kindsOf = (form: URLSearchParams): Typed<ReadonlyArray<TrailKind>> => {
  if (isOn(form, "every")) return Either.right([])
  const wanted = form.getAll("kinds")
  const kinds = TRAIL_KINDS.filter((kind) => wanted.includes(kind))
  return kinds.length > 0 ? Either.right(kinds) : Either.left([{ path: "kinds", message: "must include at least one" }])
}
