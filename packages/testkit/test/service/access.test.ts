import { accessContract } from "../../src/contracts/service/access.js"
import { quietMemory } from "../../src/service/Service.js"

accessContract("memory", quietMemory)
