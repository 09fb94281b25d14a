import { Schema } from "effect"

/** A setting that may be left out, with its default. */
export const setting = <A, I>(schema: Schema.Schema<A, I>, value: NoInfer<A>) =>
  Schema.optionalWith(schema, { default: () => value })

const within = (least: number, most: number, value: number) =>
  setting(Schema.Number.pipe(Schema.between(least, most)), value)

/** How a vendor's jobs are polled. */
export const patienceSettings = {
  /** The polling interval during the call. */
  poll_every_seconds: within(0.01, 60, 2),
  /** How long the call waits. Below the 20 seconds we wait for a source. */
  poll_seconds_max: within(0, 18, 14),
  /** The first poll after the call, and the interval from then on. */
  again_after_seconds: within(10, 3_600, 45),
  keep_days: within(1, 90, 30)
}

export type Patience = Schema.Struct.Type<typeof patienceSettings>
