import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { ChatCall } from "@outbound/domain/sources/ports/ChatUpstream.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"

/** What upstreams call the output limit. Most know both, old ones only the first, new ones only the second. */
export type LimitField = "max_tokens" | "max_completion_tokens"

const otherThan = (field: LimitField): LimitField => (field === "max_tokens" ? "max_completion_tokens" : "max_tokens")

/** How upstreams refuse a field that they don't know. What they say of a limit that is too large is none of it. */
export const UNKNOWN_FIELD =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs?|fields?)|not permitted|not allowed|not a valid (?:parameter|field)|no such (?:parameter|field)|instead/i

/** The names for the limit that an upstream's models know. They are learned from refusals, which cost nothing. */
export class LimitFields {
  readonly #learned = new Map<string, LimitField>()

  /** `given`: the operator's word, with which each model is asked first. */
  constructor(
    private readonly given: LimitField,
    private readonly modelsMax = 1_000
  ) {}

  of(model: string): LimitField {
    return this.#learned.get(model) ?? this.given
  }

  /** The other name, if the model refused this one; else null. */
  instead(field: LimitField, { fields }: ChatCall, { reason, said = "" }: ProviderFailure): LimitField | null {
    const isAbout = reason === "invalid" && said.includes(field) && UNKNOWN_FIELD.test(said)
    return isAbout && fields["max_tokens"] !== undefined && fields["max_tokens"] !== null ? otherThan(field) : null
  }

  learn(model: string, field: LimitField): void {
    if (this.#learned.has(model) || this.#learned.size < this.modelsMax) this.#learned.set(model, field)
  }
}

/** The body to send, with the output limit under this name. */
export const bodyOf = ({ fields, model }: ChatCall, field: LimitField): JsonObject => {
  const { max_tokens: limit, ...others } = fields
  return field === "max_tokens" || limit === undefined || limit === null
    ? { ...fields, model }
    : { ...others, [field]: limit, model }
}
