import type { OpenPublisher, ReadRecord } from "../OpenRecords.js"
import { readBrreg } from "./brreg.js"
import { readCompaniesHouse } from "./companiesHouse.js"
import { readOverture } from "./overture.js"
import { readPrh } from "./prh.js"

interface PublisherFacts {
  readonly title: string
  readonly read: ReadRecord
  /** Its files cover a part of what it has, which the operator names. */
  readonly isInParts: boolean
}

/** The publishers whose files we read, a line each. */
export const PUBLISHERS: Readonly<Record<OpenPublisher, PublisherFacts>> = {
  overture: { title: "Overture Maps, places", read: readOverture, isInParts: true },
  brreg: { title: "Enhetsregisteret (Norway)", read: readBrreg, isInParts: false },
  prh: { title: "PRH and YTJ (Finland)", read: readPrh, isInParts: false },
  companies_house: { title: "Companies House (United Kingdom)", read: readCompaniesHouse, isInParts: false }
}
