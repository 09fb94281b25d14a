import { crmContract } from "@outbound/testkit/wings/crm/contract.js"
import { crmWritingContract } from "@outbound/testkit/wings/crm/writingContract.js"
import { service } from "../../service/service.js"

crmContract("postgres", service)
crmWritingContract("postgres", service)
