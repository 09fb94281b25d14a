import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { Context } from "effect"

/** The first revision with URL elicitation, and the last with `initialize`. */
const URL_REVISION = "2025-11-25"

/**
 * Up to 2025-11-25 a client states its capabilities only in `initialize`. The service keeps no sessions, so the session id
 * itself records that the client can open URLs. It is signed and bound to the key.
 */
export const makeSessionIds = (crypto: Context.Tag.Service<typeof Crypto>) => {
  const idOf = (bearer: string, name: string): string =>
    `url.${name}.${crypto.mac("mcp", ["session", crypto.sha256Hex(bearer), name].join("\n"))}`
  return {
    /** `name`: a unique name, such as the request id. */
    write: idOf,
    takesUrls: (bearer: string, id: string | undefined, revision: string | undefined): boolean => {
      const name = id?.split(".")[1]
      return name !== undefined && revision === URL_REVISION && id === idOf(bearer, name)
    }
  }
}

export type SessionIds = ReturnType<typeof makeSessionIds>
