import { judgingContract, judgingProviders } from "@outbound/testkit/contracts/service/judging.js"
import { serviceWith } from "./service.js"

judgingContract("postgres", serviceWith(judgingProviders))
