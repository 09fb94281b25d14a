import type { AnyVerb } from "../verbs/Verb.js"
import { isCitable } from "../verbs/sourced.js"
import type { CallMode } from "./Attempt.js"
import type { IncomingCall } from "./Calls.js"

/** No caller's Idempotency-Key may hold a control character, so nobody can repeat or take one of ours. */
const OWN = "\u0002"

/**
 * The key under which a call's outcome is kept: the caller's, or one of ours where evidence may name the call. Null: it is not
 * kept (contract: credits, idempotency).
 */
export const recordKeyOf = (
  { idempotencyKey, requestId }: IncomingCall,
  verb: AnyVerb,
  mode: CallMode
): string | null =>
  mode !== "act" || verb.idempotency === "none"
    ? null
    : (idempotencyKey ?? (isCitable(verb) ? `${OWN}${requestId}` : null))

/** Whether no caller gave this key, and no call can be repeated by it. */
export const isOwnRecordKey = (key: string): boolean => key.startsWith(OWN)
