import { boundMailboxesContract } from "../../src/contracts/service/boundMailboxes.js"
import { layerMemory } from "../../src/service/Service.js"

boundMailboxesContract("memory", layerMemory)
