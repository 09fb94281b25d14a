import type { Answer, Received } from "./Exchange.js"

/** Hears each whole request to a local vendor, and its answer if it was a good one. */
export type WireListener = (request: Received, answer: Answer) => void

/** Those who listen, for as long as a test file runs. */
export const wireListeners = new Set<WireListener>()

export const tellWire = (request: Received, answer: Answer): void =>
  wireListeners.forEach((listener) => listener(request, answer))
