import { count } from "../web/Words.js"

interface Share {
  readonly name: string
  readonly people: number
}

/** How many people are written to in which zone. */
export const OwnZones = (props: {
  readonly zones: ReadonlyArray<Share>
  /** `all`: of an approval; `waiting`: those of a campaign who still wait for a message. */
  readonly whose: "all" | "waiting"
  readonly unknown?: { readonly people: number; readonly timezone: string }
}) => (
  <>
    <div>
      Each person's hours are those of their own time zone{props.whose === "waiting" ? ". Who waits for a message" : ""}
      :
    </div>
    <ul>
      {props.zones.map(({ name, people }) => (
        <li key={name}>
          {name}: {count(people, "person", "people")}
        </li>
      ))}
    </ul>
    {props.unknown === undefined || props.unknown.people === 0 ? null : (
      <div class="soft">
        The zone of {count(props.unknown.people, "person", "people")} is not known: {props.unknown.timezone}
      </div>
    )}
  </>
)

/** Whose public holidays are skipped, for how many people, and the next ones. */
export const HolidaysOf = (props: {
  readonly countries: ReadonlyArray<
    Share & { readonly next?: ReadonlyArray<{ readonly date: string; readonly name: string }> }
  >
}) => (
  <>
    <div>
      {props.countries.length === 0
        ? "Public holidays are skipped, but nobody's country is known."
        : "Nothing is sent on public holidays of:"}
    </div>
    <ul>
      {props.countries.map(({ name, next, people }) => (
        <li key={name}>
          {name}, for {count(people, "person", "people")}
          {next === undefined ? null : (
            <div class="soft">
              {next.length === 0
                ? "No holidays of this country are known."
                : `Next: ${next.map((one) => `${one.date} (${one.name})`).join(", ")}`}
            </div>
          )}
        </li>
      ))}
    </ul>
  </>
)
