import { Context, Data, type Effect } from "effect"

/** Nobody answered. */
export class LinkUnanswered extends Data.TaggedError("LinkUnanswered")<{
  readonly reason: "no_address" | "private_address" | "unreachable" | "certificate"
}> {}

/** Asks a host for a page as recipients do. It follows no redirect, and connects to public addresses and to our own only. */
export class LinkProbe extends Context.Service<
  LinkProbe,
  {
    readonly get: (url: string) => Effect.Effect<{ readonly status: number; readonly body: string }, LinkUnanswered>
  }
>()("@outbound/domain/wings/linkHosts/LinkProbe") {}
