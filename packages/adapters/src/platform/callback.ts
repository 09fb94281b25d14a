import { Effect } from "effect"

/**
 * `Effect.callback` for what goes on after it has resumed: the fiber runs when that has returned, and not in the middle of
 * it.
 */
export const callback = <A, E = never>(
  register: (resume: (effect: Effect.Effect<A, E>) => void) => void | Effect.Effect<void>
): Effect.Effect<A, E> => Effect.callback<A, E>((resume) => register((effect) => queueMicrotask(() => resume(effect))))
