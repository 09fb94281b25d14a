import { Clock, Effect } from "effect"
import { ProviderFailure } from "../../../sources/ports/ProviderFailure.js"
import { type Asked, UNDER_WAY_MILLIS } from "./asVendor.js"

/** A turn at a campaign asks its vendor nothing new after this; where a call waits for the turn, much sooner. */
export const BEGIN_MILLIS = 60_000
export const BEGIN_IN_CALL_MILLIS = 10_000

/** By so much the clocks of two hosts may differ. */
export const CLOCKS_APART_MILLIS = 30_000

/** For so long a host has a campaign: until nothing that it began is under way any more, by whoever's clock. */
export const HOLD_MILLIS = BEGIN_MILLIS + UNDER_WAY_MILLIS + CLOCKS_APART_MILLIS

/** The cause of a failure whose vendor was not asked, because the turn was to begin nothing any more. */
const TURN_OVER = "the turn is over"

export const isTurnOver = ({ cause }: ProviderFailure): boolean => cause === TURN_OVER

/** Asks nothing after this time: another host may be at the campaign before the answer is there. */
export const askedUntil = (asked: Asked, untilMillis: number): Asked => ({
  ...asked,
  ask: (what) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      nowMillis > untilMillis
        ? Effect.fail(new ProviderFailure({ provider: asked.vendor.name, reason: "transient", cause: TURN_OVER }))
        : asked.ask(what)
    )
})
