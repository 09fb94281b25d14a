import { campaignsContract } from "@outbound/testkit/contracts/campaigns.js"
import { layer } from "./stores.js"

campaignsContract("PostgreSQL", layer)
