import { Schema } from "effect"
import { setting } from "../../platform/setting.js"
import { isRange } from "../../site/Address.js"

const Range = Schema.String.check(Schema.makeFilter((text) => isRange(text) || "must be a range of addresses (CIDR)"))

/** An address or a page that fits into a header. */
const Contact = Schema.String.check(
  Schema.isPattern(/^[\x21-\x27\x2a-\x7e]{3,200}$/, { message: "must be an address or a URL, in one word" })
)

/** How the host reads websites, for every source that does. */
export const WebSettings = Schema.Struct({
  /** Ranges of addresses that may be read although they aren't public. */
  allow_private_targets: setting(Schema.Array(Range).check(Schema.isMaxLength(32)), []),
  /** Where sites in those ranges answer, over HTTP: for stand-ins on one's own machine. No other site is read then. */
  private_port: setting(Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))), null),
  /** A file of fingerprints in the published schema, beside our own. */
  fingerprints: setting(Schema.NullOr(Schema.String), null),
  /** Whom the owners of websites and sources may write to. Null: our own page. */
  contact: setting(Schema.NullOr(Contact), null)
})

export type WebSettings = typeof WebSettings.Type

/** As read from the file, where the whole was checked before. */
export const webSettingsOf = Schema.decodeUnknownSync(WebSettings)
