/** The cost of a vendor's answer, in the vendor's unit and in money. */
export interface VendorCost {
  /** The vendor's name, in `snake_case`. */
  readonly vendor: string
  /** What the vendor counts: `credit`, `row`, `request`, `token`. */
  readonly unit: string
  readonly amount: number
  /** In micro-dollars, at the operator's configured price. */
  readonly micros: number
}
