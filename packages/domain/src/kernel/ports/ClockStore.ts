import { Context } from "effect"
import type { InTx } from "./UnitOfWork.js"

/** A clock that is behind by more than this was set back. Hosts may differ by less. */
export const SET_BACK_MILLIS = 60_000

/** By how much each clock was set back; 0: it was not. */
export interface SetBack {
  readonly serviceMillis: number
  readonly storeMillis: number
}

/** What a clock said, and says. */
export interface ClockLook {
  /** The latest time that is remembered of any host. */
  readonly rememberedMillis: number
  /** What this host's clock said at its look before; null: this is its first. */
  readonly lastMillis: number | null
  readonly nowMillis: number
}

/**
 * By how much the clock was set back since; 0: it was not. A host whose clock only differs from another's has gone
 * forward by its own account, so only its first look goes by what others remembered. Where another host saw the same jump
 * before, what is remembered is no longer ahead.
 */
export const setBackBy = ({ lastMillis, nowMillis, rememberedMillis }: ClockLook): number => {
  const behind = Math.min(rememberedMillis, lastMillis ?? rememberedMillis) - nowMillis
  return behind > SET_BACK_MILLIS ? behind : 0
}

/** Remembers what the clocks said, to see that one was set back. */
export class ClockStore extends Context.Service<
  ClockStore,
  {
    /**
     * Compares the service's clock, and the store's own, with what is remembered of them. Where one was set back, what
     * waits until a time that was counted before waits that much less: rests, retries, leases, windows, due messages and
     * unread answers. Times at which something was sent are at the latest now, so that what happens next is after it.
     */
    readonly look: (nowMillis: number, lastMillis: number | null) => InTx<SetBack>
  }
>()("@outbound/domain/kernel/ports/ClockStore") {}
