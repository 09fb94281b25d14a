import type { MailZone } from "../mail/NameServer.js"

/** A record as both DNS hosts keep it. */
export interface WorldRecord {
  readonly id: string
  readonly name: string
  readonly type: string
  /** As it is served: TXT without quotes, MX with its preference. */
  readonly value: string
  readonly ttl: number
  /** An answer by other rules than its value, at Route 53. */
  readonly isSpecial?: true
}

export interface WorldZone {
  readonly zoneId: string
  readonly name: string
  /** Cloudflare: not active yet. Route 53: private. */
  readonly isHidden?: true
}

/** What the next request that fits meets, once. */
export type ZoneFault =
  /** An answer with this status, without an effect. */
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfter?: string }
  /** The effect is there, and then the connection breaks. */
  | { readonly _tag: "LostAfterEffect" }
  /** The connection breaks first. */
  | { readonly _tag: "LostBeforeEffect" }
  /** What was read before the last change is read again. */
  | { readonly _tag: "Stale" }
  /** Somebody else is faster than this request. */
  | { readonly _tag: "Meanwhile"; readonly does: () => void }
  | { readonly _tag: "Garbage" }

/** A request to a DNS host, and whether it sees the zone as it was before the last change. */
export interface ZoneRequest {
  readonly method: string
  readonly url: URL
  readonly authorization: string
  readonly body: string
  readonly isStale: boolean
}

export interface ZoneAnswer {
  readonly status: number
  readonly body: string
}

/** The zones of one account, what happened to them, and a view for a name server. */
export class ZoneWorld {
  private records: ReadonlyArray<WorldRecord> = []
  private before: ReadonlyArray<WorldRecord> = []
  private ids = 0
  private readonly faults: Array<{ readonly on: "read" | "change"; readonly fault: ZoneFault }> = []
  /** Every change that had an effect. */
  readonly changes: Array<string> = []
  /** How many records or sets a page holds at most. */
  pageMax = 100
  /** What a name server serves: it changes with the zone, unless it is held. */
  readonly served: Record<string, MailZone> = {}
  private isHeld = false

  constructor(
    readonly zones: ReadonlyArray<WorldZone>,
    readonly secret: string
  ) {}

  meets(on: "read" | "change", ...faults: ReadonlyArray<ZoneFault>): void {
    this.faults.push(...faults.map((fault) => ({ on, fault })))
  }

  next(on: "read" | "change"): ZoneFault | null {
    const at = this.faults.findIndex((one) => one.on === on)
    return at < 0 ? null : (this.faults.splice(at, 1)[0]?.fault ?? null)
  }

  /** The world sees nothing of later changes until they are let out. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    this.publish()
  }

  all(isStale = false): ReadonlyArray<WorldRecord> {
    return isStale ? this.before : this.records
  }

  /** The values at a name, of a type. */
  values(name: string, type: string): ReadonlyArray<string> {
    return this.records.filter((one) => one.name === name && one.type === type).map(({ value }) => value)
  }

  /** What somebody puts there, or a host for us. */
  put(name: string, type: string, value: string, given: Partial<WorldRecord> = {}): WorldRecord {
    this.ids += 1
    const record: WorldRecord = { id: `r${this.ids}`, name, type, value, ttl: 300, ...given }
    this.become([...this.records.filter(({ id }) => id !== record.id), record])
    return record
  }

  drop(isOut: (record: WorldRecord) => boolean): void {
    this.become(this.records.filter((record) => !isOut(record)))
  }

  private become(records: ReadonlyArray<WorldRecord>): void {
    this.before = this.records
    this.records = records
    this.publish()
  }

  private publish(): void {
    if (this.isHeld) return
    for (const name of Object.keys(this.served)) delete this.served[name]
    for (const name of new Set(this.records.map((one) => one.name))) {
      const of = (type: string) => this.values(name, type)
      const [cname] = of("CNAME")
      this.served[name] = {
        txt: of("TXT"),
        mx: of("MX").map((value): readonly [number, string] => {
          const [preference = "0", host = ""] = value.split(" ")
          return [Number(preference), host]
        }),
        a: of("A"),
        ...(cname === undefined ? {} : { cname })
      }
    }
  }
}
