import { listsContract } from "../../src/contracts/service/lists.js"
import { quietMemory } from "../../src/service/Service.js"

listsContract("memory", quietMemory)
