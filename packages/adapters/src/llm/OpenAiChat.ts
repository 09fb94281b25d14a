import { isObject } from "@outbound/domain/data/chat/json.js"
import { readEvent } from "@outbound/domain/data/chat/wire.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { ChatCall, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, type Scope } from "effect"
import { EventReader, Unmarked } from "./EventReader.js"
import { bodyOf, type LimitField, LimitFields } from "./limitFields.js"
import { makeUpstreamHttp, type UpstreamAddress } from "./UpstreamHttp.js"
import { streamed, UsageRequests } from "./usageRequests.js"

export interface OpenAiChatOptions extends UpstreamAddress {
  /** The upstream's name for the output limit. It is only tried first: a model's refusal teaches the other one. */
  readonly limitField?: LimitField
}

const PATH = "/chat/completions"

type Events = Effect.Success<EventReader["next"]>

/** The events from the first one on that says anything. */
const firstOf = (reader: EventReader): Effect.Effect<Events, unknown> =>
  Effect.flatMap(reader.next, (events): Effect.Effect<Events, unknown> => {
    if (events === null) return Effect.succeed(null)
    const at = events.findIndex((event) => readEvent(event) !== null)
    const [first, ...others] = at < 0 ? [] : events.slice(at)
    return first === undefined ? firstOf(reader) : Effect.succeed([first, ...others])
  })

const nothing = (): void => undefined

/** An upstream with the third-party chat completions interface. Its connections close with the scope. */
export const makeOpenAiChat = (options: OpenAiChatOptions): Effect.Effect<ChatUpstream, never, Scope.Scope> =>
  Effect.map(makeUpstreamHttp(options), ({ failed, open, post }) => {
    const limits = new LimitFields(options.limitField ?? "max_tokens")
    const usages = new UsageRequests()

    /** Asks, and where the model refuses the name of the limit, once more with the other one. */
    const asking = <A>(
      call: ChatCall,
      ask: (body: JsonObject) => Effect.Effect<A, ProviderFailure>
    ): Effect.Effect<A, ProviderFailure> => {
      const field = limits.of(call.model)
      return Effect.catch(ask(bodyOf(call, field)), (failure) => {
        const other = limits.instead(field, call, failure)
        if (other === null) return Effect.fail(failure)
        return Effect.tap(ask(bodyOf(call, other)), () => Effect.sync(() => limits.learn(call.model, other)))
      })
    }

    /** Asks for a stream with its usage, and where the model refuses that, once more without. */
    const opening = (call: ChatCall, signal: AbortSignal, heard: () => void) => {
      const ask = (asksForUsage: boolean) =>
        asking(call, (body) =>
          open(PATH, streamed(body, asksForUsage), signal, (arriving) => new EventReader(arriving, heard))
        )
      return Effect.catch(ask(usages.isKnownBy(call.model)), (failure) =>
        usages.isRefused(call, failure)
          ? Effect.tap(ask(false), () => Effect.sync(() => usages.learn(call.model)))
          : Effect.fail(failure)
      )
    }

    const brokenBy = (cause: unknown): ProviderFailure =>
      cause instanceof Unmarked
        ? new ProviderFailure({ provider: options.name, reason: "transient", concluded: "unmarked", cause })
        : failed(cause)

    return {
      name: options.name,
      complete: (call, signal) =>
        Effect.flatMap(
          asking(call, (body) => post(PATH, body, signal)),
          (text) => {
            try {
              const completion: unknown = JSON.parse(text)
              const [only] = Array.isArray(completion) ? (completion as ReadonlyArray<unknown>) : [completion]
              return isObject(only) ? Effect.succeed(only) : Effect.fail(failed("its answer is no object"))
            } catch (cause) {
              return Effect.fail(failed(cause))
            }
          }
        ),
      stream: (call, signal, heard = nothing) =>
        Effect.flatMap(opening(call, signal, heard), (reader) =>
          Effect.matchEffect(firstOf(reader), {
            onFailure: (cause) => Effect.fail(brokenBy(cause)),
            onSuccess: (first) =>
              first === null
                ? Effect.fail(failed("its stream holds nothing"))
                : Effect.succeed({ first, rest: (take) => Effect.mapError(reader.each(take), brokenBy) })
          })
        )
    }
  })
