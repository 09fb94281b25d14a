import { crmContract } from "@outbound/testkit/contracts/service/crm.js"
import { service } from "./service.js"

crmContract("postgres", service)
