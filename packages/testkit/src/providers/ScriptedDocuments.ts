import { ClientDocuments, DocumentUnreadable } from "@outbound/domain/control/oauth/ClientDocuments.js"
import { Context, Effect, Layer } from "effect"

/** The documents of clients that a test lays out, and how often each was asked for. */
export class ScriptedDocuments extends Context.Service<
  ScriptedDocuments,
  {
    /** From now on this stands at the address. */
    readonly publish: (url: string, text: string) => Effect.Effect<void>
    readonly asked: (url: string) => Effect.Effect<number>
  }
>()("@outbound/testkit/providers/ScriptedDocuments") {}

/** Documents that stand at no real address. */
export const layer: Layer.Layer<ScriptedDocuments | ClientDocuments> = Layer.effectContext(
  Effect.sync(() => {
    const published = new Map<string, string>()
    const asked = new Map<string, number>()
    return Context.make(ScriptedDocuments, {
      publish: (url, text) => Effect.sync(() => void published.set(url, text)),
      asked: (url) => Effect.sync(() => asked.get(url) ?? 0)
    }).pipe(
      Context.add(ClientDocuments, {
        read: (url) =>
          Effect.suspend(() => {
            asked.set(url, (asked.get(url) ?? 0) + 1)
            const text = published.get(url)
            return text === undefined
              ? Effect.fail(new DocumentUnreadable({ reason: "unreachable" }))
              : Effect.succeed(text)
          })
      })
    )
  })
)
