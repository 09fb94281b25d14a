/** What one answer of a vendor cost, in the vendor's own unit and in money. */
export interface VendorCost {
  /** The vendor's name, in `snake_case`. */
  readonly vendor: string
  /** What the vendor counts: `credit`, `row`, `request`, `token`. */
  readonly unit: string
  readonly amount: number
  /** In micro-dollars, at the price that the operator configured. */
  readonly micros: number
}
