import type { Exchange } from "./Exchange.js"

/** A part of the server's paths, such as REST or the console. */
export interface Surface {
  readonly name: string
  /** Whether it owns a path as sent. The first owner gets it. */
  readonly owns: (path: string) => boolean
  /** Answers the exchange once, now or later. A throw is answered as `internal`. */
  readonly handle: (exchange: Exchange) => void
}

/** Whether a path is a surface's root or below it. */
export const isUnder = (root: string, path: string): boolean => path === root || path.startsWith(`${root}/`)
