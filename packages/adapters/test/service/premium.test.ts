import { premiumOffersContract } from "@outbound/testkit/contracts/service/premium.js"
import { premiumLive, premiumSourcesContract } from "@outbound/testkit/contracts/service/premiumSources.js"
import { premiumWithinBudgetContract } from "@outbound/testkit/contracts/service/premiumWithinBudget.js"
import { service, serviceWith } from "./service.js"

const live = serviceWith(premiumLive)

premiumOffersContract("postgres", service)
premiumWithinBudgetContract("postgres", service, 15)
premiumSourcesContract("postgres", live)
