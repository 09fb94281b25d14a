import { Effect, Schema } from "effect"

/** A setting that may be left out, with its default. */
export const setting = <A, I>(schema: Schema.Codec<A, I>, value: NoInfer<A>) =>
  schema.pipe(Schema.withDecodingDefaultType(Effect.succeed(value)))
