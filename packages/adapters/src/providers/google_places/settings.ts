import { Schema } from "effect"
import { setting } from "../settings.js"

/** The fields requested set the price. The website is in the dearest group. */
const FIELD_MASK = [
  "places.id",
  "places.displayName",
  "places.formattedAddress",
  "places.addressComponents",
  "places.websiteUri",
  "places.primaryType",
  "places.types",
  "places.businessStatus",
  "nextPageToken"
]

export const GooglePlacesSettings = Schema.Struct({
  field_mask: setting(Schema.Array(Schema.NonEmptyString), FIELD_MASK),
  rows_per_page: setting(Schema.Int.pipe(Schema.between(1, 20)), 20)
})

export type GooglePlacesSettings = typeof GooglePlacesSettings.Type
