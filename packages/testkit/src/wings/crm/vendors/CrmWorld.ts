/** A person of a CRM. */
export interface PersonThere {
  readonly id: string
  readonly emails: ReadonlyArray<string>
  name: string
  isCustomer: boolean
  ownerId: string | null
  companyId: string | null
  /** What the CRM keeps of mail to them; null: nothing. */
  mail: "opted_out" | "bounced" | null
  changedMillis: number
}

export interface CompanyThere {
  readonly id: string
  readonly domain: string
  isCustomer: boolean
  ownerId: string | null
  changedMillis: number
}

export interface DealThere {
  readonly id: string
  status: "open" | "won" | "lost"
  readonly personIds: ReadonlyArray<string>
  readonly companyIds: ReadonlyArray<string>
  changedMillis: number
}

export interface NoteThere {
  readonly id: string
  readonly personId: string
  readonly body: string
  readonly ownerId: string | null
}

/** The state of a CRM's account: deterministic, changed by calls. */
export class CrmWorld {
  readonly persons: Array<PersonThere> = []
  readonly companies: Array<CompanyThere> = []
  readonly deals: Array<DealThere> = []
  readonly notes: Array<NoteThere> = []
  readonly owners: Array<{ readonly id: string; readonly name: string; readonly email: string }> = []
  /** Each page comes twice over: its records are there two times. */
  isDoubled = false
  /** Names the same page again and again. */
  isStuck = false
  /** Ids of records that were deleted: some vendors tell of them. */
  readonly deleted = new Set<string>()
  nowMillis = 0
  #ids = 100

  nextId(): string {
    this.#ids += 1
    return String(this.#ids)
  }

  person(emails: ReadonlyArray<string>, of: Partial<Omit<PersonThere, "id" | "emails">> = {}): PersonThere {
    const person = {
      id: this.nextId(),
      emails,
      name: "Pat",
      isCustomer: false,
      ownerId: null,
      companyId: null,
      mail: null,
      changedMillis: this.nowMillis,
      ...of
    }
    this.persons.push(person)
    return person
  }

  company(domain: string, of: Partial<Omit<CompanyThere, "id" | "domain">> = {}): CompanyThere {
    const company = {
      id: this.nextId(),
      domain,
      isCustomer: false,
      ownerId: null,
      changedMillis: this.nowMillis,
      ...of
    }
    this.companies.push(company)
    return company
  }

  deal(status: DealThere["status"], persons: ReadonlyArray<PersonThere>, companies: ReadonlyArray<CompanyThere> = []) {
    const [personIds, companyIds] = [persons.map(({ id }) => id), companies.map(({ id }) => id)]
    const deal: DealThere = { id: this.nextId(), status, personIds, companyIds, changedMillis: this.nowMillis }
    this.deals.push(deal)
    return deal
  }

  /** Changes it now. */
  change<A extends { changedMillis: number }>(one: A, changes: Partial<A>): void {
    Object.assign(one, changes, { changedMillis: this.nowMillis })
  }

  /** Deletes it now. */
  delete(one: { readonly id: string; changedMillis: number }): void {
    this.deleted.add(one.id)
    one.changedMillis = this.nowMillis
  }

  personWith(email: string): PersonThere | undefined {
    const there = this.persons.filter(({ id }) => !this.deleted.has(id))
    return there.find((person) => person.emails.some((one) => one.toLowerCase() === email.toLowerCase()))
  }

  note(personId: string, body: string, ownerId: string | null): NoteThere {
    const note = { id: this.nextId(), personId, body, ownerId }
    this.notes.push(note)
    return note
  }

  /** In order of their ids, as a vendor lists them; `with`: those that were deleted too. */
  listed<A extends { readonly id: string }>(all: ReadonlyArray<A>, deleted: "with" | "without" = "without") {
    const there = deleted === "with" ? all : all.filter(({ id }) => !this.deleted.has(id))
    const sorted = [...there].sort((a, b) => Number(a.id) - Number(b.id))
    return this.isDoubled ? sorted.flatMap((one) => [one, one]) : sorted
  }
}
