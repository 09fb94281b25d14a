import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { ClientDocuments, DocumentUnreadable } from "@outbound/domain/control/oauth/ClientDocuments.js"
import { Effect, Layer, Semaphore } from "effect"
import { mediaTypeOf } from "./Charset.js"
import { type FetchFailure, fetchOnce } from "./Fetch.js"
import { type AllowedServer, makeGate, type Resolve, resolveBy } from "./Gate.js"

/** The user agent for documents. */
const PRODUCT = "OutboundClientReader"

/** A client's document is a few lines; a larger one is invalid. */
export const DOCUMENT_BYTES_MAX = 10 * 1024
const DOCUMENT_MILLIS_MAX = 5_000

/** Anybody can make us fetch, so these bound concurrent reads, waiting ones, and the time. */
const DOCUMENTS_AT_ONCE = 10
const DOCUMENTS_ASKED_MAX = 100
const TURN_MILLIS_MAX = 3 * DOCUMENT_MILLIS_MAX

export interface ClientDocumentsConfig {
  /** A page that tells server owners who asks. */
  readonly aboutUrl: string
  /** Name resolution; default: the machine's name servers. */
  readonly resolve?: Resolve
  /** For tests with servers on non-public addresses. */
  readonly testing?: {
    readonly allowedServers: ReadonlyArray<AllowedServer>
    /** Maps a requested URL to the test server's. */
    readonly addressOf?: (url: URL) => URL
  }
}

const JSON_TYPE = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/

const reasonOf = ({ reason }: FetchFailure): DocumentUnreadable["reason"] =>
  reason === "elsewhere" ? "unsafe" : reason

/**
 * One GET over https, under the rules for websites: only public addresses are asked, whatever a name resolves to. A
 * redirect isn't a document.
 */
export const makeClientDocuments = (config: ClientDocumentsConfig): ClientDocuments["Service"] => {
  const { addressOf = (url: URL) => url, allowedServers = [] } = config.testing ?? {}
  const gate = makeGate(config.resolve ?? resolveBy(), allowedServers)
  const turns = Semaphore.makeUnsafe(DOCUMENTS_AT_ONCE)
  let asked = 0

  const readOne = (address: string) =>
    Effect.gen(function* () {
      const companyDomain = registrableDomain(address)
      if (!address.startsWith("https://") || companyDomain === null) {
        return yield* new DocumentUnreadable({ reason: "unsafe" })
      }
      const fetched = yield* fetchOnce(addressOf(new URL(address)), {
        gate,
        userAgent: `${PRODUCT}/1.0 (+${config.aboutUrl})`,
        accept: "application/json",
        companyDomain,
        timeoutMillis: DOCUMENT_MILLIS_MAX,
        // One byte more, to notice a cut.
        bodyBytesMax: DOCUMENT_BYTES_MAX + 1
      }).pipe(Effect.mapError((failure) => new DocumentUnreadable({ reason: reasonOf(failure), cause: failure.cause })))
      if (fetched.status !== 200 || !JSON_TYPE.test(mediaTypeOf(fetched.headers["content-type"]))) {
        return yield* new DocumentUnreadable({ reason: "refused", cause: fetched.status })
      }
      return fetched.body.length > DOCUMENT_BYTES_MAX
        ? yield* new DocumentUnreadable({ reason: "too_large" })
        : fetched.body.toString("utf8")
    })

  const slow = () => new DocumentUnreadable({ reason: "slow" })
  return {
    read: (address) =>
      Effect.suspend(() => {
        if (asked >= DOCUMENTS_ASKED_MAX) return Effect.fail(slow())
        asked += 1
        return turns
          .withPermits(1)(readOne(address))
          .pipe(
            Effect.timeoutOrElse({ duration: TURN_MILLIS_MAX, orElse: () => Effect.fail(slow()) }),
            Effect.ensuring(Effect.sync(() => (asked -= 1)))
          )
      })
  }
}

export const layer = (config: ClientDocumentsConfig): Layer.Layer<ClientDocuments> =>
  Layer.sync(ClientDocuments, () => makeClientDocuments(config))
