import { crmContract } from "@outbound/testkit/contracts/service/crm.js"
import { crmWritingContract } from "@outbound/testkit/contracts/service/crmWriting.js"
import { service } from "./service.js"

crmContract("postgres", service)
crmWritingContract("postgres", service)
