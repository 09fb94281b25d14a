import { waterfallContract, waterfallProviders } from "@outbound/testkit/contracts/service/waterfalls.js"
import { serviceWith } from "./service.js"

waterfallContract("postgres", serviceWith(waterfallProviders))
