import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import { type Company, descriptionOf } from "./Companies.js"
import { hash } from "./Hash.js"

const list = (text: string): ReadonlyArray<string> => text.split(", ")

/** What companies are known for, by what the industry's name holds; the first that fits. */
const BY_INDUSTRY: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [
    /Software|Internet|Data|IT Services|Security$/,
    list(
      "payroll software, workflow automation, developer tools, customer data platforms, cloud migration, machine learning, identity management, penetration testing, e-commerce platforms, billing, observability, low-code, scheduling software, fleet software, mobile apps"
    )
  ],
  [
    /Bank|Financ|Invest|Capital|Insurance|Accounting/,
    list(
      "payments, lending, bookkeeping, wealth management, trade finance, embedded insurance, audit, leasing, payroll"
    )
  ],
  [
    /Health|Medic|Pharma|Bio|Wellness|Mental/,
    list("diagnostics, telemedicine, clinical trials, medical imaging, rehabilitation, home care, lab automation")
  ],
  [
    /Transport|Logist|Truck|Maritime|Rail|Freight|Airline|Travel/,
    list("last-mile delivery, cold chain, freight forwarding, warehousing, route planning, customs brokerage, fleet")
  ],
  [
    /Manufactur|Metal|Mining|Machinery|Semiconductor|Building/,
    list(
      "precision parts, injection molding, robotics, contract manufacturing, sensors, packaging, coatings, spare parts"
    )
  ],
  [
    /Energy|Oil|Utilit|Environment|Waste/,
    list("solar installation, battery storage, energy audits, recycling, heat pumps, grid services, carbon accounting")
  ],
  [
    /Retail|Wholesale|Import|Apparel|Consumer|Food|Beverage/,
    list("private label, subscription boxes, organic products, wholesale, e-commerce, sustainable packaging, catering")
  ],
  [
    /Advertising|Public Rel|Design|Events|Media|Publish|Movie|Music|Entertain/,
    list(
      "brand strategy, performance marketing, video production, podcasts, trade fairs, search marketing, illustration"
    )
  ],
  [
    /Educat|Learning|Training/,
    list("language courses, corporate training, exam preparation, coding bootcamps, online degrees, tutoring")
  ],
  [
    /Construction|Engineering|Architect|Real Estate/,
    list("timber construction, property management, building information modeling, renovation, surveying, interiors")
  ]
]

const OTHERS = list(
  "consulting, outsourcing, quality management, customer service, project management, compliance, procurement, training"
)

const WHAT_FIRST = 0xb1
const WHAT_STEP = 0xb2
const SPECIALTIES_COUNT = 3

/** Three things that the company is known for; always the same. */
export const specialtiesOf = (seed: number, company: Company): ReadonlyArray<string> => {
  const industry = INDUSTRIES[company.industry] ?? ""
  const pool = BY_INDUSTRY.find(([pattern]) => pattern.test(industry))?.[1] ?? OTHERS
  const first = hash(seed, WHAT_FIRST, company.index)
  const step = 1 + (hash(seed, WHAT_STEP, company.index) % 2)
  return [...new Set(Array.from({ length: SPECIALTIES_COUNT }, (_, n) => pool[(first + n * step) % pool.length] ?? ""))]
}

/** What a company says of itself, what it is known for included. */
export const profileOf = (seed: number, company: Company): string =>
  `${descriptionOf(company)} Known for ${specialtiesOf(seed, company).join(", ")}.`
