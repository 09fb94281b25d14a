import { describe } from "@effect/vitest"
import { CRMS } from "../../../src/wings/crm/crms.js"
import { knownOf } from "../../providers/knownOf.js"

describe("what is known of each CRM", () => {
  knownOf("wings/crm", CRMS)
})
