import { Context, Schema } from "effect"

/** One request to a vendor, without the credential, and its whole answer. */
export interface RecordedExchange {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly query: Readonly<Record<string, unknown>>
    readonly body: unknown
  }
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** The parsed body, or its text if it is no JSON. */
    readonly body: unknown
  }
}

/** Takes each exchange with a vendor, as it was. Null, the default: nobody does. */
export const CurrentRecording = Context.Reference("@outbound/adapters/providers/recording/Recording/CurrentRecording", {
  defaultValue: (): ((exchange: RecordedExchange) => void) | null => null
})

const Exchange = Schema.Struct({
  request: Schema.Struct({
    method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: Schema.String,
    query: Schema.Record(Schema.String, Schema.Unknown),
    body: Schema.optional(Schema.Unknown)
  }),
  answer: Schema.Struct({
    status: Schema.Int,
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.Unknown
  })
})

/** What a vendor was asked, and what our adapter made of its answers. */
export const ASKS = ["account", "verify_email"] as const

/** How a vendor answered, with nothing in it by which anyone is known. Tests replay it to the adapter. */
export class Cassette extends Schema.Class<Cassette>("Cassette")({
  format: Schema.Literal(1),
  vendor: Schema.String,
  /** The day (UTC). */
  recorded_on: Schema.String,
  asked: Schema.Array(
    Schema.Struct({
      ask: Schema.Literals(ASKS),
      /** The adapter's result, or `{ "failed": reason }`. */
      outcome: Schema.Unknown,
      exchanges: Schema.Array(Exchange)
    })
  )
}) {}

/** The address that stands for the one that was verified. */
export const VERIFIED = "person-1@example.com"
