import { findCompaniesContract } from "@outbound/testkit/contracts/service/findCompanies.js"
import { findCompaniesProperties } from "@outbound/testkit/contracts/service/findCompaniesProperties.js"
import { findCompaniesSourcesContract } from "@outbound/testkit/contracts/service/findCompaniesSources.js"
import { service } from "./service.js"

findCompaniesContract("postgres", service)
findCompaniesSourcesContract("postgres", service)
findCompaniesProperties("postgres", service, 40)
