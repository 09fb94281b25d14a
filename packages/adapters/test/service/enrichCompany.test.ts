import { enrichCompanyContract } from "@outbound/testkit/contracts/service/enrichCompany.js"
import { enrichCompanyProperties } from "@outbound/testkit/contracts/service/enrichCompanyProperties.js"
import { service } from "./service.js"

enrichCompanyContract("postgres", service)
enrichCompanyProperties("postgres", service, 40)
