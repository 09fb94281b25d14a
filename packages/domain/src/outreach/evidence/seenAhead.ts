import { Result } from "effect"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { type AnyWireError, invalid, type Issue } from "../../kernel/errors/Wire.js"
import type { EvidenceField } from "../../verbs/evidenceFields.js"

/** A day that began elsewhere may be tomorrow's here, and clocks differ. */
const AHEAD_MILLIS_MAX = DAY_MILLIS

const MESSAGE = "must not lie ahead: give the day on which it was seen"

interface WithEvidence {
  readonly evidence?: Readonly<Record<string, EvidenceField>> | undefined
}

const issuesOf = (field: string, people: ReadonlyArray<WithEvidence>, nowMillis: number): ReadonlyArray<Issue> =>
  people.flatMap(({ evidence }, index) =>
    Object.entries(evidence ?? {}).flatMap(([name, { observed_at }]) =>
      Date.parse(observed_at) - nowMillis > AHEAD_MILLIS_MAX
        ? [{ path: `${field}.${index}.evidence.${name}.observed_at`, message: MESSAGE }]
        : []
    )
  )

/** Nobody has seen what lies ahead. Approvers and recipients would read that day as when it was seen. */
export const seenByNow = (
  field: string,
  people: ReadonlyArray<WithEvidence>,
  nowMillis: number
): Result.Result<void, AnyWireError> => {
  const issues = issuesOf(field, people, nowMillis)
  return issues.length === 0 ? Result.succeed(undefined) : Result.fail(invalid(issues))
}
