import { companyOf } from "../../kernel/people/companyOf.js"

/** How a campaign spares the companies of the people it writes to. */
export interface CompanyRules {
  /** An answer, a refusal or an unsubscription of one person ends the sequences of everybody of their company. */
  readonly stopForCompany: boolean
  /** Most messages of the campaign to one company on one day (UTC); null: as many as are due. */
  readonly maxPerCompanyPerDay: number | null
}

export const NO_COMPANY_RULES: CompanyRules = { stopForCompany: false, maxPerCompanyPerDay: null }

const hasRule = ({ maxPerCompanyPerDay, stopForCompany }: CompanyRules): boolean =>
  stopForCompany || maxPerCompanyPerDay !== null

/** The company that the rules hold for when this address is written to; null: none. */
export const companyUnder = (rules: CompanyRules, email: string): string | null =>
  hasRule(rules) ? companyOf(email) : null

/** The rules as an approval shows and binds them. A campaign without rules says nothing of them. */
export const shownRules = ({ maxPerCompanyPerDay, stopForCompany }: CompanyRules) => ({
  ...(stopForCompany ? { stop_for_company: true as const } : {}),
  ...(maxPerCompanyPerDay === null ? {} : { max_per_company_per_day: maxPerCompanyPerDay })
})
