import type { Exchange } from "./Exchange.js"

/** A part of the address space of the server: REST, the console, health, and what the program adds. */
export interface Surface {
  readonly name: string
  /** By the path as sent. The first surface that owns a path gets it. */
  readonly owns: (path: string) => boolean
  /** Answers the exchange, now or later, once. What it throws is answered as `internal`. */
  readonly handle: (exchange: Exchange) => void
}

/** Whether a path is a surface's root or stands below it. */
export const isUnder = (root: string, path: string): boolean => path === root || path.startsWith(`${root}/`)
