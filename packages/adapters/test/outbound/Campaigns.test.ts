import { campaignsContract } from "@outbound/testkit/contracts/campaigns.js"
import { leadsContract } from "@outbound/testkit/contracts/leads.js"
import { layer } from "./stores.js"

campaignsContract("PostgreSQL", layer)
leadsContract("PostgreSQL", layer)
