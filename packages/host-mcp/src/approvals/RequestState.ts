import { canonicalJson, type JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { Context } from "effect"
import { timingSafeEqual } from "node:crypto"

/** The state that a client carries between the legs of a call, so that any host can continue it. */
export interface RequestState {
  readonly approvalId: string
  readonly expiresAt: string
  /** The key of the confirmed call. */
  readonly idempotencyKey: string
  /** How many legs have waited for the human. */
  readonly waits: number
}

/** A state is valid only for this key, tool and arguments. */
export interface BoundTo {
  readonly bearer: string
  readonly tool: string
  readonly given: JsonObject
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const read = (text: string): RequestState | null => {
  const value = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Partial<Record<string, unknown>>
  const { approvalId, expiresAt, idempotencyKey, waits } = value
  const isWhole =
    typeof approvalId === "string" &&
    isUuid(approvalId) &&
    typeof expiresAt === "string" &&
    typeof idempotencyKey === "string" &&
    isCount(waits)
  return isWhole ? { approvalId, expiresAt, idempotencyKey, waits } : null
}

const isSame = (given: string, own: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * `<state>.<mac>`: signed, not encrypted; it contains no secrets. It proves that this service requested the approval for
 * this key. It is not an approval: the confirmed call checks that in the store.
 */
export const makeRequestStates = (crypto: Context.Tag.Service<typeof Crypto>) => {
  const macOf = (text: string, { bearer, given, tool }: BoundTo): string => {
    const request = crypto.sha256Hex(canonicalJson(given))
    return crypto.mac("mcp", ["request_state", crypto.sha256Hex(bearer), tool, request, text].join("\n"))
  }
  return {
    write: (state: RequestState, boundTo: BoundTo): string => {
      const text = Buffer.from(JSON.stringify(state)).toString("base64url")
      return `${text}.${macOf(text, boundTo)}`
    },
    /** Null if it is forged or belongs to another call. */
    read: (state: string, boundTo: BoundTo): RequestState | null => {
      const [text = "", mac = "", ...more] = state.split(".")
      return more.length === 0 && isSame(mac, macOf(text, boundTo)) ? read(text) : null
    }
  }
}
