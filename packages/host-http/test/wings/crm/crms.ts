import { Crms } from "@outbound/domain/wings/crm/Crm.js"
import { Layer } from "effect"

/** The CRMs that workspaces may connect: nobody asks them. */
const CRM = { name: "ledger", title: "Ledger CRM", hint: "A key of your own." }
const OWN_CRM = {
  name: "almanac",
  title: "Almanac CRM",
  hint: "A program of your own.",
  asks: {
    address: {
      example: "https://you.almanac.example",
      hosts: { pattern: /\.almanac\.example$/, words: "must end in .almanac.example" }
    },
    clientId: "Program"
  }
}
const CRMS = { live: [CRM, OWN_CRM], sandbox: [CRM], isListed: () => false, open: () => null }

export const scriptedCrms = Layer.succeed(Crms, CRMS)
