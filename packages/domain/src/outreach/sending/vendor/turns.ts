import { Clock, Effect } from "effect"
import { ProviderFailure } from "../../../sources/ports/ProviderFailure.js"
import { type Asked, UNDER_WAY_MILLIS } from "./asVendor.js"

/** A turn asks its vendor nothing new after this time; much earlier if a call waits for the turn. */
export const BEGIN_MILLIS = 60_000
export const BEGIN_IN_CALL_MILLIS = 10_000

/** Largest difference between two hosts' clocks. */
export const CLOCKS_APART_MILLIS = 30_000

/** How long a host holds a campaign: until nothing it began can be in transit, by any host's clock. */
export const HOLD_MILLIS = BEGIN_MILLIS + UNDER_WAY_MILLIS + CLOCKS_APART_MILLIS

/** The cause of a failure when the turn ended before asking the vendor. */
const TURN_OVER = "the turn is over"

export const isTurnOver = ({ cause }: ProviderFailure): boolean => cause === TURN_OVER

/** Refuses requests after this time: another host may take the campaign before an answer comes. */
export const askedUntil = (asked: Asked, untilMillis: number): Asked => ({
  ...asked,
  ask: (what) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      nowMillis > untilMillis
        ? Effect.fail(new ProviderFailure({ provider: asked.vendor.name, reason: "transient", cause: TURN_OVER }))
        : asked.ask(what)
    )
})
