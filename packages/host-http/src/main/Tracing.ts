import { Effect, Layer, Option } from "effect"

/** Sends traces to a collector. Without one, no spans are made, because each one costs, and nothing for them is loaded. */
export const layer = (endpoint: Option.Option<string>): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.setTracerEnabled(false),
    onSome: (url) =>
      Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("./Collector.js")),
          (collector) => collector.layer(url)
        )
      )
  })
