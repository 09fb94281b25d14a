import type { JsonObject } from "../kernel/canonical.js"
import { format } from "../kernel/money/Credits.js"
import { isUuid } from "../kernel/ports/Ids.js"
import type { Work } from "../kernel/telemetry.js"
import type { Admission, Settlement } from "./Attempt.js"
import type { CallResponse, IncomingCall } from "./Calls.js"

/** The campaign id in a request, if any. */
export const campaignOf = ({ campaign_id: named }: JsonObject): string | null =>
  typeof named === "string" && isUuid(named) ? named : null

export const workOf = ({ requestId, verb }: IncomingCall): Work =>
  verb === null ? { request_id: requestId } : { request_id: requestId, verb: verb.name }

/** Span attributes of an admission. */
export const admissionNotes = (admission: Admission) => ({
  "outbound.admission": admission._tag,
  "error.type": admission._tag === "Refused" ? admission.error.code : null
})

export const settlementNotes = ({ charge, status }: Settlement) => ({
  "outbound.status": status,
  "outbound.credits_charged": format(charge)
})

export const answerNotes = ({ requestId, status }: CallResponse) => ({
  "outbound.answered_request_id": requestId,
  "http.response.status_code": status
})
