import { changeRequestsContract } from "../../src/contracts/service/changeRequests.js"
import { quietMemory } from "../../src/service/Service.js"

changeRequestsContract("memory", quietMemory)
