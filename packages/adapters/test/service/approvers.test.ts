import { approversContract } from "@outbound/testkit/contracts/service/approvers.js"
import { service } from "./service.js"

approversContract("postgres", service)
