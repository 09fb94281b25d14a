import { pauseCampaignContract } from "@outbound/testkit/contracts/service/pauseCampaign.js"
import { service } from "./service.js"

pauseCampaignContract("postgres", service)
