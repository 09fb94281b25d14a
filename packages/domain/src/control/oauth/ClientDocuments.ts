import { Context, Data, type Effect } from "effect"

/** The address serves no usable client document, or we must not request it. */
export class DocumentUnreadable extends Data.TaggedError("DocumentUnreadable")<{
  /** `unsafe`: not on the public internet, or not an address a document may have. */
  readonly reason: "unreachable" | "slow" | "unsafe" | "refused" | "too_large"
  readonly cause?: unknown
}> {}

/** Fetches client metadata documents. Anyone can make us request an address. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /** Returns the JSON text at an https address. Never follows redirects. */
    readonly read: (url: string) => Effect.Effect<string, DocumentUnreadable>
  }
>()("@outbound/domain/control/oauth/ClientDocuments") {}
