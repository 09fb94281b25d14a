/** A person as a source knows them. Null: unknown. */
export interface Person {
  readonly fullName: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly title: string | null
  readonly companyName: string | null
  /** The registrable domain, lower-case ASCII. */
  readonly companyDomain: string | null
  readonly companyHeadcount: number | null
  readonly companyIndustry: string | null
  readonly city: string | null
  readonly country: string | null
  readonly socialUrl: string | null
  /** When the source last confirmed this; RFC 3339. */
  readonly observedAt: string | null
}

/** What the caller knows of the person: normalised, all optional. */
export interface PersonIdentity {
  readonly fullName: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly socialUrl: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly title: string | null
}
