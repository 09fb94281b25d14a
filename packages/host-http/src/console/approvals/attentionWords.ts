import type { Found } from "@outbound/domain/control/attention/plan.js"
import { grouped } from "../../web/Words.js"

/** A share in percent, rounded up to a tenth: it is never more than is said. */
export const percentOf = (part: number, whole: number): string =>
  `${(whole === 0 ? 0 : Math.ceil((1_000 * part) / whole) / 10).toLocaleString("en-GB")} %`

/** What can be concluded from what was looked at. */
export const conclusionOf = ({ people, real, wrongAtMost }: Found): string =>
  `${grouped(real.looked)} of ${grouped(people)} looked at, ${real.wrong === 0 ? "none" : grouped(real.wrong)} wrong: at most ${percentOf(wrongAtMost, people)} could be wrong, 95 % sure`
