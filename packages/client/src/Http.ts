import { Effect, Layer, Redacted } from "effect"
import { exitOfEnvelope, protocolError } from "./Exits.js"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientRequest } from "./HttpClient.js"
import { type FromServerEncoded, Protocol, type RequestEncoded, RpcSerialization } from "./Rpc.js"

const NDJSON = "application/ndjson"

export interface HttpOptions {
  /** Where the service is, such as `https://outbound.example`. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
}

/** The message that answers a request; nothing where the body holds none, as when a proxy answered. */
const answerTo = ({ id }: RequestEncoded, body: string): FromServerEncoded | undefined => {
  const [line = ""] = body.split("\n", 1)
  try {
    const message = JSON.parse(line) as FromServerEncoded
    if (message._tag === "Exit" && message.requestId === id) return message
    // What could not be read as a message was answered without naming one; over HTTP it can only be this one.
    return message._tag === "Defect"
      ? exitOfEnvelope(id, JSON.stringify({ error: message.defect }))
      : exitOfEnvelope(id, body)
  } catch {
    return undefined
  }
}

/**
 * One `POST /rpc` for each call, over the `HttpClient` that is provided. Every call ends: where no message comes back, as
 * when a proxy answers in the service's place, it fails with `RpcClientError`.
 */
export const layerWith = (options: HttpOptions): Layer.Layer<Protocol, never, HttpClient.HttpClient> =>
  Layer.effect(
    Protocol,
    Effect.gen(function* () {
      const url = `${options.url.replace(/\/+$/, "")}/rpc`
      const client = HttpClient.mapRequest(
        yield* HttpClient.HttpClient,
        HttpClientRequest.bearerToken(Redacted.value(options.apiKey))
      )
      return yield* Protocol.make((write) =>
        Effect.succeed({
          supportsAck: false,
          supportsTransferables: false,
          codecFor: RpcSerialization.ndjson.codecFor,
          send: (clientId, request) => {
            if (request._tag !== "Request") return Effect.void
            const body = HttpBody.text(`${JSON.stringify(request)}\n`, NDJSON)
            return client.post(url, { body }).pipe(
              Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
              Effect.mapError((cause) => protocolError("The service gave no answer.", cause)),
              Effect.flatMap(({ status, text }) => {
                const answer = answerTo(request, text)
                return answer === undefined
                  ? Effect.fail(protocolError(`What answered is not the service (status ${status}).`))
                  : write(clientId, answer)
              })
            )
          }
        })
      )
    })
  )

/** No redirect is followed: the key, and what is asked, go to the given address alone. */
const fetching = Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" }))

/** The same over `fetch`. */
export const layer = (options: HttpOptions): Layer.Layer<Protocol> => Layer.provide(layerWith(options), fetching)
