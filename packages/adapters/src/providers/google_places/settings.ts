import { Schema } from "effect"

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
  field_mask: Schema.optionalWith(Schema.Array(Schema.NonEmptyString), { default: () => FIELD_MASK }),
  rows_per_page: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 20)), { default: () => 20 })
})

export type GooglePlacesSettings = typeof GooglePlacesSettings.Type
