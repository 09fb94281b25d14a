import { Schema } from "effect"

/** The types of records that a sending domain needs. */
export const RECORD_TYPES = ["TXT", "CNAME", "MX"] as const
export type RecordType = (typeof RECORD_TYPES)[number]

/** A DKIM key at a mail provider: the key itself, or the name where the provider keeps it. */
export const DkimWish = Schema.Struct({
  selector: Schema.String,
  type: Schema.Literals(["TXT", "CNAME"]),
  value: Schema.String
})
export type DkimWish = typeof DkimWish.Type

/** What shall stand in the DNS of a sending domain. */
export const Wishes = Schema.Struct({
  domain: Schema.String,
  /** Who may send for it: terms of SPF, such as `include:_spf.google.com`. */
  spf: Schema.Array(Schema.String),
  dkim: Schema.Array(DkimWish),
  /** Where receivers send their DMARC reports. */
  reportsTo: Schema.String,
  /** Where its mail goes, as `10 mx.example.com`. Empty: its MX records are not our matter. */
  mx: Schema.Array(Schema.String)
})
export type Wishes = typeof Wishes.Type

/** All values of a name and a type, as they stand somewhere. TXT values are joined; MX values have their preference. */
export interface RecordSet {
  readonly name: string
  readonly type: string
  readonly values: ReadonlyArray<string>
  /** Its DNS host answers by other rules than its values: an alias, or one of several by weight or place. */
  readonly isSpecial?: true
}

/** Null: the name servers did not answer. */
export type SetsAt = (name: string) => ReadonlyArray<RecordSet> | null

const plain = (host: string): string => host.toLowerCase().replace(/\.$/, "")

export const mxHost = (value: string): string => plain(value.trim().split(/\s+/).at(-1) ?? "")

/** Values that mean the same, as the same text. */
export const canonical = (type: string, value: string): string => {
  if (type === "MX") return value.trim().split(/\s+/).map(plain).join(" ")
  return type === "CNAME" ? plain(value.trim()) : value
}

/** Every name at which something is wished. */
export const namesOf = ({ dkim, domain }: Wishes): ReadonlyArray<string> => [
  domain,
  `_dmarc.${domain}`,
  ...dkim.map(({ selector }) => `${selector}._domainkey.${domain}`)
]
