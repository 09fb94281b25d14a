import { checkCompaniesContract } from "@outbound/testkit/contracts/service/checkCompanies.js"
import { service } from "./service.js"

checkCompaniesContract("postgres", service, 10)
