import { changeRequestsContract } from "@outbound/testkit/contracts/service/changeRequests.js"
import { consoleControlContract } from "@outbound/testkit/contracts/service/consoleControl.js"
import { keyPoliciesContract } from "@outbound/testkit/contracts/service/keyPolicies.js"
import { killContract } from "@outbound/testkit/contracts/service/kill.js"
import { service } from "./service.js"

keyPoliciesContract("postgres", service)
changeRequestsContract("postgres", service)
consoleControlContract("postgres", service)
killContract("postgres", service)
