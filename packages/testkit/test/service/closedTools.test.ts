import { closedToolsContract } from "../../src/contracts/service/closedTools.js"
import { quietMemory } from "../../src/service/Service.js"

closedToolsContract("memory", quietMemory)
