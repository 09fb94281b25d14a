import { Effect } from "effect"
import type { AnswerForm } from "../verbs/Verb.js"
import type { RateStatus } from "./keys/RateWindow.js"

export const formOf = ({ form }: { readonly form?: AnswerForm }): AnswerForm => form ?? "envelope"

/** What stands above the first event. */
export interface EventsHead {
  readonly requestId: string
  readonly rate: RateStatus
}

/** Where a surface takes a call's answer event by event, if its verb answers so. */
export interface EventSink {
  /** Sends one event's data at once, and waits for room; the first one begins the answer. False: the client had left. */
  readonly send: (head: EventsHead, data: string) => Effect.Effect<boolean>
  /** Ends when the client has left before the answer's end. */
  readonly left: Effect.Effect<void>
}

/** The events of one admitted call. The pipeline sends the last ones: how the call ended, and `[DONE]` after success. */
export interface Events {
  readonly send: (data: string) => Effect.Effect<boolean>
  readonly left: Effect.Effect<void>
}

/** What follows the last event of a stream that ended well. */
export const DONE = "[DONE]"

/** A call's events, and whether there were any. */
export interface CountedEvents extends Events {
  readonly hasBegun: () => boolean
}

export const eventsOf = (sink: EventSink | undefined, head: EventsHead): CountedEvents | null => {
  if (sink === undefined) return null
  let begun = false
  return {
    left: sink.left,
    hasBegun: () => begun,
    send: (data) =>
      Effect.suspend(() => {
        begun = true
        return sink.send(head, data)
      })
  }
}
