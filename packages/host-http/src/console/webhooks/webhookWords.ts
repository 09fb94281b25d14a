import type { WebhookFailureReason } from "@outbound/domain/control/webhooks/WebhookSender.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import type { Delivery, EndpointStanding } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { StateWords } from "../Parts.js"

/** An endpoint's state, in a word. */
export const endpointWords = ({ endpoint, failingSinceMillis }: EndpointStanding): StateWords => {
  if (!EndpointMachine.is.on(endpoint.state)) return ["Off", undefined]
  return failingSinceMillis === null ? ["On", "good"] : ["Failing", "bad"]
}

export const DELIVERY_WORDS: Readonly<Record<Delivery["state"], StateWords>> = {
  pending: ["Pending", "wait"],
  delivered: ["Delivered", "good"],
  failed: ["Failed", "bad"]
}

const FAILURES: Readonly<Record<Exclude<WebhookFailureReason, "status">, string>> = {
  redirect: "redirect not followed",
  timeout: "timed out",
  unreachable: "unreachable",
  forbidden_address: "address is not public"
}

/** The result of the last attempt. */
export const outcomeWords = ({ failure, status }: Delivery): string => {
  if (failure !== null && failure !== "status")
    return status === null ? FAILURES[failure] : `${status}, ${FAILURES[failure]}`
  return status === null ? "–" : `Status ${status}`
}
