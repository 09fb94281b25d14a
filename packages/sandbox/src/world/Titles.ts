import { cumulate, hash, pickWeighted } from "./Hash.js"

/** How senior a title is, from the top. */
export const SENIORITIES = ["chief", "vice_president", "head", "director", "manager", "senior", "staff"] as const

export type Seniority = (typeof SENIORITIES)[number]

export interface Title {
  readonly text: string
  readonly seniority: Seniority
}

interface Department {
  readonly name: string
  /** Its share of a company's people. */
  readonly weight: number
  readonly chief: ReadonlyArray<string>
  readonly managers: ReadonlyArray<string>
  /** Those who do the work; seniors are the same with "Senior". */
  readonly staff: ReadonlyArray<string>
}

const split = (list: string): ReadonlyArray<string> => (list === "" ? [] : list.split(", "))

/** The departments with their weights. Each: titles of its chief; of its managers; of its staff. */
const TABLE = `
Sales 22: Chief Sales Officer, Chief Revenue Officer; Sales Manager, Regional Sales Manager, Key Account Manager,
  Inside Sales Manager; Account Executive, Sales Development Representative, Business Development Representative,
  Account Manager, Sales Engineer
Marketing 11: Chief Marketing Officer; Marketing Manager, Product Marketing Manager, Content Marketing Manager, Demand
  Generation Manager, Growth Marketing Manager; Marketing Specialist, Content Strategist, SEO Specialist, Brand
  Designer
Engineering 20: Chief Technology Officer, Chief Engineer; Engineering Manager, Software Engineering Manager; Software
  Engineer, Frontend Engineer, Backend Engineer, Site Reliability Engineer, QA Engineer
Product 6: Chief Product Officer; Product Manager, Group Product Manager; Product Owner, Product Analyst
Finance 7: Chief Financial Officer; Finance Manager, Accounting Manager, Treasury Manager; Financial Analyst,
  Accountant, Controller
Human Resources 5: Chief People Officer, Chief Human Resources Officer; HR Manager, Talent Acquisition Manager, People
  Operations Manager; HR Business Partner, Recruiter, Talent Partner
Operations 9: Chief Operating Officer; Operations Manager, Plant Manager, Project Manager, Office Manager; Operations
  Analyst, Project Coordinator
Customer Success 6: Chief Customer Officer; Customer Success Manager, Support Manager; Customer Success Specialist,
  Support Engineer, Onboarding Specialist
Information Technology 5: Chief Information Officer; IT Manager, Infrastructure Manager; Systems Administrator, IT
  Support Specialist, Network Engineer
Information Security 2: Chief Information Security Officer; Security Manager; Security Engineer, Security Analyst
Data 4: Chief Data Officer; Data Science Manager, Analytics Manager; Data Engineer, Data Analyst, Data Scientist
Legal 2: General Counsel, Chief Legal Officer; Legal Manager, Compliance Manager; Legal Counsel, Paralegal
Procurement 3: Chief Procurement Officer; Procurement Manager, Purchasing Manager; Buyer, Sourcing Specialist
Supply Chain 3: Chief Supply Chain Officer; Supply Chain Manager, Logistics Manager, Warehouse Manager; Supply Chain
  Planner, Logistics Coordinator
Revenue Operations 2: ; Revenue Operations Manager, Sales Operations Manager; Revenue Operations Analyst, CRM
  Administrator
Partnerships 3: ; Partnerships Manager, Channel Manager, Alliances Manager; Partner Specialist
Design 3: Chief Design Officer; Design Manager, UX Manager; Product Designer, UX Researcher, UI Designer
Research and Development 3: Chief Scientific Officer; R&D Manager, Laboratory Manager; Research Scientist, Process
  Engineer`

/** An indented line goes on with the department before it. */
const DEPARTMENTS: ReadonlyArray<Department> = TABLE.trim()
  .replaceAll(/\n +/g, " ")
  .split("\n")
  .map((row) => {
    const [named = "", words = ""] = row.split(": ")
    const [chief = [], managers = [], staff = []] = words.split("; ").map(split)
    const at = named.lastIndexOf(" ")
    return { name: named.slice(0, at), weight: Number(named.slice(at)), chief, managers, staff }
  })

/** Who leads a company; the first of its people holds one of these. */
const LEADERS: ReadonlyArray<string> = [
  "Founder & CEO",
  "Co-Founder & CEO",
  "Managing Director",
  "Chief Executive Officer",
  "Owner",
  "CEO",
  "President"
]
const LEADER_WEIGHTS_SMALL = cumulate([25, 20, 18, 12, 15, 10, 0])
const LEADER_WEIGHTS_LARGE = cumulate([1, 2, 20, 55, 0, 12, 10])

/** Chances of a seniority, from the top, in companies up to 50, up to 1,000 and beyond. */
const BY_SIZE: ReadonlyArray<ReadonlyArray<number>> = [
  cumulate([14, 6, 22, 10, 21, 9, 18]),
  cumulate([6, 10, 16, 16, 24, 10, 18]),
  cumulate([3, 12, 11, 22, 24, 10, 18])
]

const textsFor = (of: Department, seniority: Seniority): ReadonlyArray<string> => {
  switch (seniority) {
    case "chief":
      return of.chief.length > 0 ? of.chief : [`VP of ${of.name}`]
    case "vice_president":
      return [`VP of ${of.name}`, `Vice President ${of.name}`, `SVP ${of.name}`]
    case "head":
      return [`Head of ${of.name}`, `Head of ${of.name}`, `Global Head of ${of.name}`]
    case "director":
      return [`Director of ${of.name}`, `${of.name} Director`, `Senior Director, ${of.name}`]
    case "manager":
      return [...of.managers, `${of.name} Team Lead`]
    case "senior":
      return of.staff.map((text) => `Senior ${text}`)
    case "staff":
      return of.staff
  }
}

/** Every title once, so that a person can carry its index, and a search looks at each text once. */
export interface Titles {
  readonly all: ReadonlyArray<Title>
  /** The index of a title for someone of a company. `place`: the how-manieth of its people, 0 leads it. */
  readonly draw: (seed: number, person: number, place: number, headcount: number) => number
}

const WHAT_LEADER = 0x51
const WHAT_SENIORITY = 0x52
const WHAT_DEPARTMENT = 0x53
const WHAT_TEXT = 0x54

export const makeTitles = (): Titles => {
  const all: Array<Title> = []
  const indexes = new Map<string, number>()
  const intern = (text: string, seniority: Seniority): number => {
    const known = indexes.get(text)
    if (known !== undefined) return known
    indexes.set(text, all.length)
    return all.push({ text, seniority }) - 1
  }
  const leaders = LEADERS.map((text) => intern(text, "chief"))
  const cells = DEPARTMENTS.map((of) =>
    SENIORITIES.map((seniority) =>
      textsFor(of, seniority).map((text) => intern(text, text.startsWith("VP of") ? "vice_president" : seniority))
    )
  )
  const departments = cumulate(DEPARTMENTS.map(({ weight }) => weight))
  return {
    all,
    draw: (seed, person, place, headcount) => {
      if (place === 0) {
        const weights = headcount <= 50 ? LEADER_WEIGHTS_SMALL : LEADER_WEIGHTS_LARGE
        return leaders[pickWeighted(hash(seed, WHAT_LEADER, person), weights)] ?? 0
      }
      const size = headcount <= 50 ? 0 : headcount <= 1000 ? 1 : 2
      const seniority = pickWeighted(hash(seed, WHAT_SENIORITY, person), BY_SIZE[size] ?? [])
      const cell = cells[pickWeighted(hash(seed, WHAT_DEPARTMENT, person), departments)]?.[seniority] ?? []
      return cell[hash(seed, WHAT_TEXT, person) % cell.length] ?? 0
    }
  }
}
