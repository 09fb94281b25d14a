import { boundMailboxesContract } from "../../src/contracts/service/boundMailboxes.js"
import { quietMemory } from "../../src/service/Service.js"

boundMailboxesContract("memory", quietMemory)
