import type { AuthenticationFinding } from "@outbound/domain/verbs/SendingHealth.js"
import type { StateWords } from "./Parts.js"

/** What a check of a sending domain came to. */
export const FINDING_WORDS: Readonly<Record<(typeof AuthenticationFinding.Type)["status"], StateWords>> = {
  pass: ["Passes", "good"],
  fail: ["Fails", "bad"],
  missing: ["Missing", "bad"],
  unknown: ["Not known", "wait"]
}
