import { companyRulesContract } from "@outbound/testkit/contracts/service/companyRules.js"
import { service } from "./service.js"

companyRulesContract("postgres", service)
