import { Effect } from "effect"

/** A busy machine may take this long over what takes milliseconds otherwise. */
const PATIENCE_MILLIS = 60_000

/** Whether what is waited for may still come; counted in the machine's time, whatever the test's own clock says. */
export const patience = (): (() => boolean) => {
  const end = performance.now() + PATIENCE_MILLIS
  return () => performance.now() < end
}

/** One turn of the machine's own event loop, in which a store may answer. */
export const eventLoopTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
