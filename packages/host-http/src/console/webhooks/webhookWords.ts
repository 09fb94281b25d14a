import type { WebhookFailureReason } from "@outbound/domain/control/webhooks/WebhookSender.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import type { Delivery, EndpointStanding } from "@outbound/domain/control/webhooks/WebhookStore.js"

type Tone = "good" | "bad" | "wait" | undefined

/** How an endpoint fares, in a word. */
export const endpointWords = ({
  endpoint,
  failingSinceMillis
}: EndpointStanding): readonly [words: string, tone: Tone] => {
  if (!EndpointMachine.is.on(endpoint.state)) return ["Switched off", undefined]
  return failingSinceMillis === null ? ["On", "good"] : ["Failing", "bad"]
}

export const DELIVERY_WORDS: Readonly<Record<Delivery["state"], readonly [words: string, tone: Tone]>> = {
  pending: ["Waits", "wait"],
  delivered: ["Delivered", "good"],
  failed: ["Failed", "bad"]
}

const FAILURES: Readonly<Record<Exclude<WebhookFailureReason, "status">, string>> = {
  redirect: "sent elsewhere, not followed",
  timeout: "no answer in time",
  unreachable: "not reached",
  forbidden_address: "not a public address"
}

/** What the last attempt came to. */
export const outcomeWords = ({ failure, status }: Delivery): string => {
  if (failure !== null && failure !== "status")
    return status === null ? FAILURES[failure] : `${status}, ${FAILURES[failure]}`
  return status === null ? "–" : `Status ${status}`
}
