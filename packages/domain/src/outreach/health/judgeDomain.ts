import { AUTHENTICATING, currentFinding, type DomainLook, failingOf } from "../authentication/Look.js"
import type { ReceiverHealth } from "./judgeReceivers.js"
import type { HealthState } from "./Measurements.js"

/** A domain with what proves its state. */
export interface DomainFacts {
  /** Null: nobody has looked yet. */
  readonly look: DomainLook | null
  /** Blocklists that list it or its servers. */
  readonly listedOn: ReadonlyArray<string>
  readonly receivers: ReadonlyArray<Pick<ReceiverHealth, "state">>
}

/** `unknown` unless something proves another state: a record, a listing, or how mail was received. */
export const domainState = ({ listedOn, look, receivers }: DomainFacts, nowMillis: number): HealthState => {
  if (listedOn.length > 0 || failingOf(look, nowMillis).length > 0) return "bad"
  if (receivers.some(({ state }) => state === "bad" || state === "watch")) return "watch"
  if (look === null) return "unknown"
  const mx = currentFinding(look.findings.mx, nowMillis).status
  if (mx === "missing" || mx === "fail") return "watch"
  return AUTHENTICATING.every((check) => currentFinding(look.findings[check], nowMillis).status === "pass")
    ? "good"
    : "unknown"
}
