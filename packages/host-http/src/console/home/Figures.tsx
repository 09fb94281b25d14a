import { shortDayWords } from "../../web/Words.js"
import { Section } from "../Parts.js"

const STEP = 10
const HEIGHT = 24

/** A figure of a period, and each of its days. */
export interface Figure {
  /** Follows the total. */
  readonly name: string
  /** What the line shows, for those who hear the page. */
  readonly about: string
  readonly total: string
  readonly href: string
  readonly values: ReadonlyArray<number>
  /** The words of one day's value. */
  readonly words: (value: number) => string
}

/** A line without axes; its words say the highest day. */
const Spark = (props: { readonly of: Figure; readonly days: ReadonlyArray<number> }) => {
  const { days, of } = props
  const most = Math.max(0, ...of.values)
  const at = of.values.indexOf(most)
  const points = of.values
    .map(
      (value, index) =>
        `${index * STEP},${most === 0 ? HEIGHT : HEIGHT - Math.round((10 * HEIGHT * value) / most) / 10}`
    )
    .join(" ")
  const says = most === 0 ? "None." : `Most on ${shortDayWords(days[at] ?? 0)}: ${of.words(most)}.`
  return (
    <svg
      class="spark"
      viewBox={`-1 -2 ${Math.max(1, of.values.length - 1) * STEP + 2} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${of.about} by day. ${says}`}
    >
      <title>{says}</title>
      <polyline points={points} />
    </svg>
  )
}

export const FiguresSection = (props: {
  readonly of: ReadonlyArray<Figure>
  readonly days: ReadonlyArray<number>
  readonly title: string
}) => (
  <Section id="figures" title={props.title}>
    <ul class="tiles figures">
      {props.of.map((figure) => (
        <li key={figure.name}>
          <a href={figure.href}>
            <span class="big">{figure.total}</span> {figure.name}
          </a>
          <Spark of={figure} days={props.days} />
        </li>
      ))}
    </ul>
  </Section>
)
