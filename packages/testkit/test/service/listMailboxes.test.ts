import { listMailboxesContract } from "../../src/contracts/service/listMailboxes.js"
import { quietMemory } from "../../src/service/Service.js"

listMailboxesContract("memory", quietMemory)
