import { Context, Effect, Layer } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { LinkHost } from "./LinkHost.js"
import { LinkHostStore } from "./LinkHostStore.js"
import { answerTo, nonceIn } from "./proof.js"

/** What a host that serves links needs to know of them. */
export class LinkHosts extends Context.Service<
  LinkHosts,
  {
    /** Whether links may lead to the host, so that it has a certificate, and shows nothing but what links lead to. */
    readonly isKnown: (host: string) => FromStore<boolean>
    /** The known ones of all workspaces, by name, at most `limit`, after this one. */
    readonly known: (after: string | null, limit: number) => FromStore<ReadonlyArray<LinkHost>>
    /** The answer to a check that came under that name; null: the path is none of a check. */
    readonly answer: (host: string, path: string) => string | null
  }
>()("@outbound/domain/wings/linkHosts/LinkHosts") {}

export const layer = Layer.effect(
  LinkHosts,
  Effect.gen(function* () {
    const store = yield* LinkHostStore
    const crypto = yield* Crypto
    return LinkHosts.of({
      isKnown: store.isKnown,
      known: store.known,
      answer: (host, path) => {
        const nonce = nonceIn(path)
        return nonce === null ? null : answerTo(crypto, host, nonce)
      }
    })
  })
)
