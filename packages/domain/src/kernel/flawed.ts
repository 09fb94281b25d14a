import { Effect, SchemaIssue } from "effect"

/** What a schema's decoding answers for a value that it can't read: what is wrong with it, never the value. */
export const flawed = (message: string): Effect.Effect<never, SchemaIssue.Issue> =>
  Effect.fail(new SchemaIssue.InvalidValue({ message }))
