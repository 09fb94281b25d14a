import type { RecordedExchange } from "./Recording.js"

/** Members whose value is a word of the vendor's interface, which decoders compare. */
const WORDS_KEY = /(status|state|type|kind|mode|reason|result|verdict|quality|plan|unit|currency|code|success|error)$/i
/** What such a word looks like. A capital alone at its beginning would be a name's. */
const WORD = /^(?:[a-z][a-z0-9_-]{0,39}|[A-Z][A-Z0-9_-]{0,39})$/

const EMAIL = /[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const URL_LIKE = /^https?:\/\//i
const DATE = /^\d{4}-\d{2}-\d{2}/
const PHONE = /^\+?[\d\s().-]{7,}$/
const DIGITS = /^\d+$/
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i

/** A member that names somebody or something by a number. */
const ID_KEY = /(^|_)ids?$|Ids?$|phone|mobile/i
/** Larger numbers may be somebody's phone. */
const NUMBER_MAX = 9_999_999

/** Headers that say something of the interface. */
const KEPT_HEADER = /^(content-type|retry-after|(x-)?ratelimit.*|x-rate-limit.*)$/i

/** Part of a path that names something, not an endpoint. */
const isName = (part: string): boolean => /\d{3,}|@|%40/.test(part) || UUID.test(part) || part.length > 32

const ZEROS = "00000000-0000-4000-8000-000000000000"

/** The same value gets the same stand-in, of the same form, so that what belongs together still does. */
export class Redaction {
  readonly #standIns = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(readonly secrets: ReadonlyArray<string>) {}

  #standIn(value: string, form: string, make: (number: number) => string): string {
    const key = `${form} ${value.toLowerCase()}`
    const known = this.#standIns.get(key)
    if (known !== undefined) return known
    const number = (this.#counts.get(form) ?? 0) + 1
    this.#counts.set(form, number)
    const made = make(number)
    this.#standIns.set(key, made)
    return made
  }

  text(key: string, value: string): string {
    if (value === "" || this.secrets.includes(value)) return value === "" ? "" : "redacted"
    if (EMAIL.test(value)) return this.#standIn(value, "email", (n) => `person-${n}@example.com`)
    if (UUID.test(value)) return this.#standIn(value, "uuid", (n) => ZEROS.slice(0, -6) + String(n).padStart(6, "0"))
    if (URL_LIKE.test(value)) return this.#standIn(value, "url", (n) => `https://example.com/${n}`)
    // A date is a fact about the account. Its form is one of the interface.
    if (DATE.test(value)) return value.replace(DATE, "2026-01-01").replace(/\d{2}:\d{2}:\d{2}/, "00:00:00")
    if (WORDS_KEY.test(key) && WORD.test(value)) return value
    if (DIGITS.test(value) && value.length < 7 && !ID_KEY.test(key)) return value
    if (DIGITS.test(value)) return this.#standIn(value, "digits", (n) => String(n).padStart(value.length, "0"))
    if (PHONE.test(value)) return this.#standIn(value, "phone", (n) => `+1555010${String(n).padStart(4, "0")}`)
    if (DOMAIN.test(value)) return this.#standIn(value, "domain", (n) => `company-${n}.example`)
    return this.#standIn(value, "text", (n) => `text ${n}`)
  }

  value(key: string, value: unknown): unknown {
    if (typeof value === "string") return this.text(key, value)
    if (typeof value === "number") {
      return ID_KEY.test(key) || Math.abs(value) > NUMBER_MAX
        ? Number(this.#standIn(String(value), "number", String))
        : value
    }
    if (Array.isArray(value)) return value.map((one) => this.value(key, one))
    if (typeof value !== "object" || value === null) return value
    // An object may be keyed by an address.
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        /^[A-Za-z_][\w.-]*$/.test(name) && !EMAIL.test(name) ? name : this.text("", name),
        this.value(name, one)
      ])
    )
  }

  exchange({ answer, request }: RecordedExchange): RecordedExchange {
    return {
      request: {
        method: request.method,
        path: request.path
          .split("/")
          .map((part) => (isName(part) ? encodeURIComponent(this.text("id", decodeURIComponent(part))) : part))
          .join("/"),
        query: this.value("", request.query) as RecordedExchange["request"]["query"],
        body: this.value("", request.body)
      },
      answer: {
        status: answer.status,
        headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => KEPT_HEADER.test(name))),
        // A body that is no JSON has no members to go by.
        body: typeof answer.body === "string" ? "" : this.value("", answer.body)
      }
    }
  }
}
