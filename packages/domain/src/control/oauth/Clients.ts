import { Cache, Duration, Effect, Option } from "effect"
import { ClientDocuments } from "./ClientDocuments.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import { documentOf, isDocumentUrl } from "./ClientMetadata.js"
import { type OAuthRefused, refused } from "./OAuthRefused.js"
import { type OAuthClient, OAuthStore } from "./OAuthStore.js"

/** How long a document is used without being read again, and how many are. What could not be read is asked for anew. */
const DOCUMENT_TIME = Duration.minutes(5)
const DOCUMENTS_MAX = 500

/** Ids are stored and looked up; nothing else is asked for in the store. */
const REGISTERED_ID = /^svc_client_[0-9a-f-]{36}$/

export const registeredId = (uuid: string): string => `svc_client_${uuid}`

const unknown = refused("invalid_client", "the client is unknown")

/** Who a client id belongs to. */
export const makeClients = Effect.gen(function* () {
  const store = yield* OAuthStore
  const documents = yield* ClientDocuments

  const read = (clientId: string): Effect.Effect<OAuthClient, OAuthRefused> =>
    documents.read(clientId).pipe(
      Effect.tapError((error) => Effect.logInfo("A client's document was not read.", error)),
      Effect.mapError(() => refused("invalid_client", "the document at client_id cannot be read")),
      Effect.flatMap((text) => documentOf(clientId, text))
    )

  const cache = yield* Cache.make({
    capacity: DOCUMENTS_MAX,
    lookup: read,
    timeToLive: DOCUMENT_TIME
  })

  return (clientId: string): Effect.Effect<OAuthClient, OAuthRefused | StoreUnavailable> => {
    if (isDocumentUrl(clientId)) return Effect.tapError(cache.get(clientId), () => cache.invalidate(clientId))
    if (!REGISTERED_ID.test(clientId)) return Effect.fail(unknown)
    return Effect.flatMap(
      store.client(clientId),
      Option.match({ onNone: () => Effect.fail(unknown), onSome: Effect.succeed })
    )
  }
})
