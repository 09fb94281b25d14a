import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { Context } from "effect"

/** The first revision that knows URLs in elicitations, and the last that opens with `initialize`. */
const URL_REVISION = "2025-11-25"

/**
 * Up to 2025-11-25 a client says only once, in `initialize`, what it can do. There are no sessions here that could
 * remember it, so the one fact that matters later, that it brings its human to a URL, is put into the session's id,
 * signed and bound to the key. A host reads it from there; nothing is kept.
 */
export const makeSessionIds = (crypto: Context.Tag.Service<typeof Crypto>) => {
  const idOf = (bearer: string, name: string): string =>
    `url.${name}.${crypto.mac("mcp", ["session", crypto.sha256Hex(bearer), name].join("\n"))}`
  return {
    /** `name`: unique, such as the id of the request that opened it. */
    write: idOf,
    takesUrls: (bearer: string, id: string | undefined, revision: string | undefined): boolean => {
      const name = id?.split(".")[1]
      return name !== undefined && revision === URL_REVISION && id === idOf(bearer, name)
    }
  }
}

export type SessionIds = ReturnType<typeof makeSessionIds>
