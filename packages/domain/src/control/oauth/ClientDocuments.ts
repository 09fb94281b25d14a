import { Context, Data, type Effect } from "effect"

/** Nothing that could be a client's document stands at the address, or the address may not be asked. */
export class DocumentUnreadable extends Data.TaggedError("DocumentUnreadable")<{
  /** `unsafe`: an address that is not of the public internet, or asked for in another way than documents are. */
  readonly reason: "unreachable" | "slow" | "unsafe" | "refused" | "too_large"
  readonly cause?: unknown
}> {}

/** Reads the documents by which clients say who they are, which anybody can make us ask for. */
export class ClientDocuments extends Context.Tag("@outbound/domain/control/oauth/ClientDocuments")<
  ClientDocuments,
  {
    /** The text of the JSON document at an https address. Never follows a redirect. */
    readonly read: (url: string) => Effect.Effect<string, DocumentUnreadable>
  }
>() {}
