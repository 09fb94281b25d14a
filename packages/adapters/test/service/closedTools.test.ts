import { closedToolsContract } from "@outbound/testkit/contracts/service/closedTools.js"
import { service } from "./service.js"

closedToolsContract("postgres", service)
