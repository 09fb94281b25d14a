import { Effect, Layer, Option, References } from "effect"

/** Sends traces to a collector. Without one, no spans are made, because each one costs, and nothing for them is loaded. */
export const layer = (endpoint: Option.Option<string>): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.succeed(References.TracerEnabled, false),
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./Collector.js")),
          (collector) => collector.layer(url)
        )
      )
  })
