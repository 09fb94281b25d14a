import { campaignsContract } from "@outbound/testkit/contracts/campaigns.js"
import { campaignsBesideContract } from "@outbound/testkit/contracts/campaignsBeside.js"
import { leadsContract } from "@outbound/testkit/contracts/leads.js"
import { layer } from "./stores.js"

campaignsContract("PostgreSQL", layer)
leadsContract("PostgreSQL", layer)
campaignsBesideContract("PostgreSQL", layer)
