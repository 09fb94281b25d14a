import type { Surface } from "./Exchange.js"

/** A surface that is loaded and made at its first request: it is large, and a restart must not wait for it. */
export interface Late extends Pick<Surface, "name" | "owns"> {
  /** If it fails, the request is answered as `internal`, and the next one tries again. */
  readonly make: () => Promise<Pick<Surface, "handle">>
}

export const lateSurface = ({ make, name, owns }: Late): Surface => {
  let made: Pick<Surface, "handle"> | undefined
  let making: Promise<Pick<Surface, "handle">> | undefined
  return {
    name,
    owns,
    handle: (exchange) => {
      if (made !== undefined) return made.handle(exchange)
      making ??= make()
      making.then(
        (surface) => {
          made = surface
          exchange.guarded(() => surface.handle(exchange))
        },
        (error: unknown) => {
          making = undefined
          exchange.guarded(() => {
            throw error
          })
        }
      )
    }
  }
}
