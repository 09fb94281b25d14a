import type { NowOrLater } from "../kernel/NowOrLater.js"
import type { AnswerForm } from "../verbs/Verb.js"
import type { RateStatus } from "./keys/RateWindow.js"

export const formOf = ({ form }: { readonly form?: AnswerForm }): AnswerForm => form ?? "envelope"

/** The headers of a stream. */
export interface EventsHead {
  readonly requestId: string
  readonly rate: RateStatus
}

/** A surface's sink for an answer that is streamed as events. */
export interface EventSink {
  /**
   * Sends the data of events at once. The first one starts the answer. Without buffer space for more, the result comes
   * later. False: the client has disconnected.
   */
  readonly send: (head: EventsHead, data: ReadonlyArray<string>) => NowOrLater<boolean>
  /** Calls back, once, when the client has disconnected before the end of the answer. Returns what forgets that. */
  readonly onLeft: (told: () => void) => () => void
}

/**
 * The events of one admitted call. The pipeline sends the last ones: the error if it failed, `[DONE]` if it succeeded.
 */
export interface Events {
  readonly send: (data: ReadonlyArray<string>) => NowOrLater<boolean>
  readonly onLeft: EventSink["onLeft"]
}

/** Marks the end of a successful stream. */
export const DONE = "[DONE]"

/** A call's events, and whether any were sent. */
export interface CountedEvents extends Events {
  readonly hasBegun: () => boolean
}

export const eventsOf = (sink: EventSink | undefined, head: EventsHead): CountedEvents | null => {
  if (sink === undefined) return null
  let begun = false
  return {
    onLeft: sink.onLeft,
    hasBegun: () => begun,
    send: (data) => {
      begun = true
      return sink.send(head, data)
    }
  }
}
