import type { Risk, RiskWeight } from "@outbound/domain/control/risks/Risk.js"
import { count } from "../../web/Words.js"

const TONES: Readonly<Record<RiskWeight, string>> = { stop: "bad", look: "wait", note: "" }

export const riskWords = ({ count: found, words: [one, many] }: Risk): string =>
  found === null ? one : count(found, one, many)

/** Risks, the heaviest first. Each leads to the part of the page that shows it. */
export const RiskChips = (props: { readonly label: string; readonly of: ReadonlyArray<Risk> }) =>
  props.of.length === 0 ? null : (
    <nav class="risks" aria-label={props.label}>
      <ul>
        {props.of.map((risk) => (
          <li key={risk.code}>
            <a class={`chip ${TONES[risk.weight]}`} href={`#${risk.anchor}`}>
              {riskWords(risk)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
